import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fleet, startFleet } from '../../../src/cli/fleet/index.ts'
import {
  ConnectionLost,
  createPool,
  type Endpoint,
  type Hop,
  type Pool,
  type Session,
  ShellDied,
  TimedOut,
  TransferFailed,
} from '../../../src/connect/index.ts'
import { sh, textOf, userScript } from '../../../src/remote/index.ts'
import { LOCAL } from '../../harness/local-endpoint.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let fleet: Fleet
const pools: Pool[] = []
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'session-')))
  fleet = await startFleet(3, root, { password: 'open sesame' })
})
afterAll(async () => {
  for (const pool of pools) await pool.closeAll()
  await fleet.stop()
  rmSync(root, { recursive: true, force: true })
})

const pool = (tell?: (message: string) => void): Pool => {
  const one = createPool({ home: root, tell })
  pools.push(one)
  return one
}

const hop = (index: number, more: Partial<Hop> = {}): Hop => ({
  host: '127.0.0.1',
  port: fleet.hosts[index]!.port,
  user: fleet.user,
  privateKeyFiles: [fleet.keyFile],
  hostKeyChecking: 'yes',
  knownHostsFiles: [fleet.knownHostsFile],
  ...more,
})

const endpoint = (index: number, more: Partial<Endpoint> = {}, hopMore: Partial<Hop> = {}): Endpoint => ({
  kind: 'ssh',
  name: fleet.hosts[index]!.name,
  hops: [hop(index, hopMore)],
  connectTimeoutSeconds: 3,
  retries: 0,
  keepaliveSeconds: 1,
  configFiles: [],
  ...more,
})

const out = async (session: Session, text: string, options = {}): Promise<string> =>
  textOf((await session.run(userScript(text), options)).stdout)

describe.each([
  ['ssh', () => endpoint(0)],
  ['openssh', () => endpoint(0, { client: 'program' })],
  ['local', () => LOCAL],
] as const)('a session over %s', (kind, at) => {
  let session: Session
  beforeAll(async () => {
    session = await pool().session(at())
  })
  afterAll(() => session.close())

  test('runs scripts one after the other in one round trip each', async () => {
    await out(session, ':')
    const before = session.meter.roundTrips
    for (let i = 0; i < 5; i++) expect(await out(session, `echo ${i}`)).toBe(`${i}\n`)
    expect(session.meter.roundTrips - before).toBe(5)
  })

  test('many at once are all answered, each with its own output', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => out(session, `echo ${i}; sleep 0.01; echo ${i}`)))
    expect(answers).toEqual(Array.from({ length: 30 }, (_, i) => `${i}\n${i}\n`))
  })

  test('a long script does not keep another waiting', async () => {
    const slow = out(session, 'sleep 1; echo slow')
    const from = performance.now()
    expect(await out(session, 'echo quick')).toBe('quick\n')
    expect(performance.now() - from).toBeLessThan(900)
    expect(await slow).toBe('slow\n')
  })

  test('a killed shell is a ShellDied, the next script has a new one', async () => {
    await expect(session.run(userScript('kill -9 $$; sleep 3'))).rejects.toBeInstanceOf(ShellDied)
    expect(await out(session, 'echo back')).toBe('back\n')
  })

  test('a time limit', async () => {
    await expect(session.run(userScript('sleep 66'), { timeoutSeconds: 0.2 })).rejects.toBeInstanceOf(TimedOut)
    expect(await out(session, 'echo back')).toBe('back\n')
  })

  test('much stdin', async () => {
    const stdin = Buffer.alloc(300_000, 'abc\0')
    const output = await session.run(userScript('cat; cat >&2'), { stdin })
    expect(Buffer.from(output.stdout).equals(stdin)).toBe(true)
    expect(await out(session, `ls -A ${await session.scratch()}`)).toBe('')
  })

  test('a channel of its own', async () => {
    const output = await session.run(userScript('read -r x; echo "<$x$Y>"; echo e >&2; exit 7'), {
      ownChannel: true,
      stdin: Buffer.from('in\nmore'),
      env: new Map([['Y', "y'z"]]),
    })
    expect([textOf(output.stdout), textOf(output.stderr), output.code]).toEqual(["<iny'z>\n", 'e\n', 7])
  })

  test('a channel of its own does not wait for what is left in the background', async () => {
    const from = performance.now()
    expect(await out(session, 'sleep 20 & echo now', { ownChannel: true })).toBe('now\n')
    expect(performance.now() - from).toBeLessThan(5000)
  })

  test('a channel of its own killed by a signal, or by time', async () => {
    expect((await session.run(userScript('kill -9 $$'), { ownChannel: true })).code).toBe(137)
    await expect(session.run(userScript('sleep 67'), { ownChannel: true, timeoutSeconds: 0.2 })).rejects.toBeInstanceOf(TimedOut)
  })

  test('an aborted script', async () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('enough')), 100)
    await expect(session.run(userScript('sleep 68'), { signal: abort.signal })).rejects.toThrow('enough')
    await expect(session.run(userScript('echo'), { signal: abort.signal })).rejects.toThrow('enough')
  })

  test.each([0, 1, 5000, 8192, 8193, 5_000_000])('a file of %i bytes is sent and fetched', async (size) => {
    const content = Buffer.alloc(size)
    for (let i = 0; i < size; i++) content[i] = (i * 7 + (i >> 8)) % 256
    const path = `${await session.scratch()}/it's a file`
    await session.put(path, content)
    expect(Buffer.from(await session.get(path)).equals(content)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('a local file is sent, small and large, over an old one', async () => {
    const path = `${await session.scratch()}/copy`
    for (const size of [10, 400_000]) {
      writeFileSync(join(root, 'original'), 'x'.repeat(size))
      await session.put(path, { localPath: join(root, 'original') })
      expect(readFileSync(path, 'utf8')).toBe('x'.repeat(size))
    }
  })

  test('files that cannot be: nothing is left beside them', async () => {
    const scratch = await session.scratch()
    await out(session, `mkdir -p ${scratch}/dir`)
    for (const size of [10, 20_000]) {
      await expect(session.put(`${scratch}/no/such`, Buffer.alloc(size))).rejects.toBeInstanceOf(TransferFailed)
      await expect(session.put(`${scratch}/dir`, Buffer.alloc(size))).rejects.toThrow('could not be written')
    }
    await expect(session.put(`${scratch}/x`, { localPath: '/no/such' })).rejects.toBeInstanceOf(TransferFailed)
    await expect(session.get(`${scratch}/x`)).rejects.toBeInstanceOf(TransferFailed)
    expect(await out(session, `ls ${scratch}/dir; ls ${scratch} | grep '^dir\\.'`)).toBe('')
  })

  test('the scratch folder is ours alone, is not used again once its shell was killed, and goes at close', async () => {
    const scratch = await session.scratch()
    expect(statSync(scratch).mode & 0o777).toBe(0o700)
    await session.run(userScript('kill -9 $$; sleep 3')).catch(() => {})
    await out(session, 'sleep 0.1 & echo')
    const next = await session.scratch()
    expect(next).not.toBe(scratch)
    await session.reset()
    expect(existsSync(next)).toBe(false)
    const other = await session.scratch()
    expect(other).not.toBe(next)
    await expect.poll(() => existsSync(scratch)).toBe(false)
    await session.close()
    expect(existsSync(other)).toBe(false)
  })

  test('nobody needs sudo to be who they are', async () => {
    const user = (await out(session, 'id -un')).trim()
    expect(await out(session, 'echo same', { become: { method: 'sudo', user: kind === 'ssh' ? fleet.user : user } })).toBe('same\n')
    await expect(session.run(sh`:`, { become: { method: 'pbrun', user: 'nobody-known' } })).rejects.toThrow('pbrun')
  })

  test('100 MB', async () => {
    expect((await session.run(userScript('head -c 100000000 /dev/zero; head -c 3000000 /dev/zero >&2'))).stdout.length).toBe(100_000_000)
  })
})

describe('a connection', () => {
  test('that drops under a script is lost, never ok; the next script connects again', async () => {
    const session = await pool().session(endpoint(1))
    for (const script of ['sleep 30', 'echo first; sleep 30; echo second']) {
      const running = session.run(userScript(script))
      setTimeout(() => fleet.hosts[1]!.drop(), 300)
      await expect(running).rejects.toBeInstanceOf(ConnectionLost)
    }
    const own = session.run(userScript('sleep 30'), { ownChannel: true })
    setTimeout(() => fleet.hosts[1]!.drop(), 300)
    await expect(own).rejects.toBeInstanceOf(ConnectionLost)
    expect(await out(session, 'echo back')).toBe('back\n')
  })

  test('removes the scratch folder on the host when it drops', async () => {
    const session = await pool().session(endpoint(1))
    const scratch = await session.scratch()
    fleet.hosts[1]!.drop()
    await expect.poll(() => existsSync(scratch)).toBe(false)
    await expect.poll(() => session.scratch().catch(() => scratch)).not.toBe(scratch)
  })

  test('is shared by all who ask for the endpoint', async () => {
    const one = pool()
    const [a, b] = await Promise.all([one.session(endpoint(0)), one.session(endpoint(0))])
    expect(a).toBe(b)
  })

  test.each([
    { name: 'password', more: { password: 'open sesame', privateKeyFiles: ['/no/such/key'] } },
    { name: 'a key given as text', more: () => ({ privateKey: readFileSync(fleet.keyFile, 'utf8'), privateKeyFiles: [] }) },
  ])('by $name', async ({ more }) => {
    const session = await pool().session(endpoint(0, {}, typeof more === 'function' ? more() : more))
    expect(await out(session, 'echo in')).toBe('in\n')
  })

  test('that is not let in says what was tried', async () => {
    const error = await pool()
      .session(endpoint(0, {}, { privateKeyFiles: ['/no/such/key'], password: 'wrong' }))
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ConnectionLost)
    expect((error as ConnectionLost).message).toContain('does not let us in')
    expect((error as ConnectionLost).notes.join('\n')).toMatchInlineSnapshot(`
      "tried: the password, the password at the host’s prompt
      key /no/such/key: there is no such file
      the host allows: publickey, password, keyboard-interactive"
    `)
  })

  test('goes over jump hosts, which endpoints share', async () => {
    const one = pool()
    const sessions = await Promise.all([0, 1].map((i) => one.session({ ...endpoint(i), hops: [hop(2), hop(i)] })))
    expect(await Promise.all(sessions.map((s) => out(s, 'pwd')))).toEqual([0, 1].map((i) => `${fleet.hosts[i]!.folder}\n`))
    fleet.hosts[2]!.drop()
    await expect.poll(() => out(sessions[0]!, 'echo again').catch(() => '')).toBe('again\n')
  })

  test('goes through a ProxyJump and a ProxyCommand', async () => {
    const jump = `${fleet.user}@127.0.0.1:${fleet.hosts[2]!.port}`
    const session = await pool().session(endpoint(0, {}, { sshArgs: ['-J', jump] }))
    expect(await out(session, 'pwd')).toBe(`${fleet.hosts[0]!.folder}\n`)
    const command = `${process.execPath} -e "const s=require('net').connect(%p,'%h');process.stdin.pipe(s).pipe(process.stdout)"`
    const other = await pool().session(endpoint(0, {}, { sshArgs: ['-o', `ProxyCommand=${command}`] }))
    expect(await out(other, 'pwd')).toBe(`${fleet.hosts[0]!.folder}\n`)
    const broken = pool().session(endpoint(0, {}, { sshArgs: ['-o', 'ProxyCommand=echo no way >&2; exit 3'] }))
    await expect(broken).rejects.toMatchObject({ notes: ['ProxyCommand said: no way'] })
    const slow = pool().session(endpoint(0, {}, { sshArgs: ['-o', "ProxyCommand=sh -c 'exec >&2; sleep 0.3; echo later'"] }))
    await expect(slow).rejects.toMatchObject({ notes: ['ProxyCommand said: later'] })
  })

  test('a jump host that cannot reach the target says so', async () => {
    await expect(pool().session(endpoint(0, { hops: [hop(2), hop(0, { port: 1 })] }))).rejects.toThrow('cannot reach 127.0.0.1:1')
  })
})

describe('host keys', () => {
  test('an unknown one is refused, with what to do', async () => {
    const error = await pool()
      .session(endpoint(0, {}, { knownHostsFiles: ['/dev/null'] }))
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ConnectionLost)
    expect((error as ConnectionLost).message).toContain(`the host key of [127.0.0.1]:${fleet.hosts[0]!.port} is not known`)
    expect((error as ConnectionLost).hint).toContain('accept-new')
  })

  test('an unknown one is remembered under accept-new, and told', async () => {
    const file = join(root, 'new_known_hosts')
    const told: string[] = []
    await pool((message) => told.push(message)).session(endpoint(0, {}, { knownHostsFiles: [file], hostKeyChecking: 'accept-new' }))
    expect(told.join()).toContain('was added to')
    await pool().session(endpoint(0, {}, { knownHostsFiles: [file] }))
  })

  test('a changed one is refused under accept-new too; with no checking it is not looked at', async () => {
    const file = join(root, 'changed')
    const key = readFileSync(fleet.knownHostsFile, 'utf8').split('\n')[1]!.split(' ').slice(1).join(' ')
    writeFileSync(file, `[127.0.0.1]:${fleet.hosts[0]!.port} ${key}\n`)
    await expect(pool().session(endpoint(0, {}, { knownHostsFiles: [file], hostKeyChecking: 'accept-new' }))).rejects.toThrow(
      'is not the known one',
    )
    await pool().session(endpoint(0, {}, { knownHostsFiles: [file], hostKeyChecking: 'no' }))
  })

  test('a revoked one is refused whatever the policy', async () => {
    const file = join(root, 'revoked')
    writeFileSync(file, `@revoked * ${readFileSync(fleet.knownHostsFile, 'utf8').split('\n')[0]!.split(' ').slice(1).join(' ')}\n`)
    await expect(pool().session(endpoint(0, {}, { knownHostsFiles: [file], hostKeyChecking: 'no' }))).rejects.toThrow('revokes')
  })
})

describe('a host that', () => {
  test('refuses', async () => {
    await expect(pool().session(endpoint(0, {}, { port: 1 }))).rejects.toThrow('refuses the connection')
  })

  test('has no address', async () => {
    await expect(pool().session(endpoint(0, {}, { host: 'no-such-host.invalid' }))).rejects.toThrow(
      /no-such-host.invalid” (is not known|cannot be looked up)/,
    )
  })

  test('closes at first, as when it is busy, is asked again', async () => {
    let times = 0
    const { connect } = await import('node:net')
    const door = createServer((socket) => {
      socket.on('error', () => {})
      if (++times <= 3) socket.end(times === 2 ? 'Exceeded MaxStartups\r\n' : '')
      else {
        const far = connect(fleet.hosts[0]!.port, '127.0.0.1')
        socket.pipe(far)
        far.pipe(socket)
      }
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as { port: number }
    const session = await pool().session(endpoint(0, {}, { port, hostKeyChecking: 'no' }))
    expect(await out(session, 'echo in')).toBe('in\n')
    expect(times).toBe(4)
    await session.close()
    door.close()
  })

  test('falls silent under a script is lost after a few unanswered keepalives', async () => {
    const { connect } = await import('node:net')
    let silent = false
    const door = createServer((socket) => {
      const far = connect(fleet.hosts[0]!.port, '127.0.0.1')
      socket.on('data', (chunk) => silent || far.write(chunk))
      far.on('data', (chunk) => silent || socket.write(chunk))
      socket.on('error', () => {}).on('close', () => far.destroy())
      far.on('error', () => {})
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as { port: number }
    const session = await pool().session(endpoint(0, {}, { port, hostKeyChecking: 'no' }))
    await out(session, 'echo')
    silent = true
    await expect(session.run(userScript('echo hi'))).rejects.toThrow('has not answered for 3 s')
    door.close()
  })
})
