import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
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
} from '../../../src/connect/index.ts'
import { textOf, userScript } from '../../../src/remote/index.ts'
import { noSshd, type Sshd, startSshd, user } from '../../harness/sshd.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let sshd: Sshd
let bastion: Sshd
const pools: Pool[] = []

describe.skipIf(noSshd)('the system’s ssh', () => {
  const usual = process.env['TMPDIR']
  // other tests use ssh at the same time
  const own = mkdtempSync('/tmp/own-')
  beforeAll(async () => {
    process.env['TMPDIR'] = own
    sshd = await startSshd(() => ['MaxSessions 3'])
    bastion = await startSshd()
    writeFileSync(join(sshd.root, 'known'), `[127.0.0.1]:${sshd.port} ${sshd.publicKey('host_ed25519')}\n`)
  })
  afterAll(async () => {
    for (const pool of pools) await pool.closeAll()
    sshd?.stop()
    bastion?.stop()
    if (usual === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usual
    rmSync(own, { recursive: true, force: true })
  })

  const hop = (more: Partial<Hop> = {}): Hop => ({
    host: '127.0.0.1',
    port: sshd.port,
    user,
    privateKeyFiles: [join(sshd.root, 'user')],
    hostKeyChecking: 'yes',
    knownHostsFiles: [join(sshd.root, 'known')],
    ...more,
  })
  const endpoint = (more: Partial<Hop> = {}, before: readonly Hop[] = []): Endpoint => ({
    kind: 'ssh',
    name: 'real',
    hops: [...before, hop(more)],
    connectTimeoutSeconds: 5,
    retries: 0,
    keepaliveSeconds: 5,
    configFiles: [],
    client: 'program',
  })
  const pool = (): Pool => {
    const one = createPool({ home: sshd.root })
    pools.push(one)
    return one
  }
  const connect = (more: Partial<Hop> = {}, before: readonly Hop[] = []): Promise<Session> => pool().session(endpoint(more, before))
  const out = async (session: Session, text: string, options = {}): Promise<string> =>
    textOf((await session.run(userScript(text), options)).stdout)
  const folders = (): string[] => readdirSync(own).filter((name) => name.startsWith('tsspray-ssh-'))
  const programs = (): string[] =>
    execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(`${own}/tsspray-ssh-`)) // biome-ignore format: short

  test('both streams, codes, bytes in and out', async () => {
    const session = await connect()
    const output = await session.run(userScript('printf out; printf err >&2; exit 3'))
    expect([textOf(output.stdout), textOf(output.stderr), output.code]).toEqual(['out', 'err', 3])
    expect((await session.run(userScript('exit 255'), { ownChannel: true })).code).toBe(255)
    expect((await session.run(userScript('kill -TERM $$'), { ownChannel: true })).code).toBe(143)
    const stdin = Buffer.from([...Array(256).keys(), 13, 10, 0, 4, 3, 26])
    expect(Buffer.from((await session.run(userScript('cat'), { stdin })).stdout).equals(stdin)).toBe(true)
    await session.close()
  })

  test('much output on both streams at once, and large files', async () => {
    const session = await connect()
    const output = await session.run(userScript('head -c 20000000 /dev/zero & head -c 20000000 /dev/zero >&2; wait'))
    expect([output.stdout.length, output.stderr.length]).toEqual([20_000_000, 20_000_000])
    const file = `${await session.scratch()}/file`
    const content = Buffer.alloc(9_000_000, 'line\r\n\0')
    await session.put(file, content)
    expect(Buffer.from(await session.get(file)).equals(content)).toBe(true)
    await session.close()
  })

  test('more sessions than the host allows wait for one another', async () => {
    const session = await connect()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => session.run(userScript(`sleep 0.1; echo ${i}`), { ownChannel: i % 2 === 0 })),
    )
    expect(all.map((output) => textOf(output.stdout))).toEqual(Array.from({ length: 8 }, (_, i) => `${i}\n`))
    await session.close()
  })

  test('a terminal', async () => {
    const session = await connect()
    const output = await session.run(userScript('tty >&2; echo out; cat'), { tty: true })
    expect([textOf(output.stdout), output.stderr.length]).toEqual([expect.stringMatching(/^\/dev\/pts\/\d+\r\nout\r\n$/), 0])
    await session.close()
  })

  test('time limits and killed shells', async () => {
    const session = await connect()
    await expect(session.run(userScript('sleep 4242'), { timeoutSeconds: 0.5 })).rejects.toBeInstanceOf(TimedOut)
    await expect(session.run(userScript('kill -9 $$; sleep 5'))).rejects.toBeInstanceOf(ShellDied)
    expect(await out(session, 'echo back')).toBe('back\n')
    await session.close()
  })

  test('its session process killed under a script is a lost connection', async () => {
    const session = await connect()
    await expect(session.run(userScript('kill -9 $(ps -o ppid= -p $(ps -o ppid= -p $$)); sleep 20'))).rejects.toBeInstanceOf(ConnectionLost)
    expect(await out(session, 'echo back')).toBe('back\n')
    await session.close()
  })

  test('nothing of it stays behind', async () => {
    const one = pool()
    const session = await one.session(endpoint())
    expect(programs().length).toBeGreaterThan(0)
    await out(session, ':')
    await one.closeAll()
    expect([folders(), programs()]).toEqual([[], []])
  })

  test('nothing stays when we are killed, on neither side', async () => {
    const file = join(import.meta.dirname, `../../../node_modules/.killed-${process.pid}.mjs`)
    const contents = `import { createPool } from '../../../src/connect/index.ts'
import { userScript } from '../../../src/remote/index.ts'
const session = await createPool({ home: '/' }).session(${JSON.stringify(endpoint())})
session.run(userScript('sleep 4247'))
console.log('running')`
    buildSync({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile: file, logLevel: 'error' },
    })
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const sleeping = (): number =>
        execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
          .split('\n')
          .filter((line) => line === 'sleep 4247').length
      await expect.poll(sleeping, { timeout: 20_000 }).toBe(1)
      expect(programs().length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await expect.poll(() => [folders(), programs(), sleeping()], { timeout: 20_000 }).toEqual([[], [], 0])
    } finally {
      child.kill('SIGKILL')
      rmSync(file, { force: true })
    }
  })

  test('a host that cannot be entered: ssh’s own words', async () => {
    const stranger = existsSync(join(sshd.root, 'stranger')) ? join(sshd.root, 'stranger') : sshd.key('stranger', '-t', 'ed25519')
    await expect(connect({ privateKeyFiles: [stranger] })).rejects.toMatchObject({
      message: `real: ssh cannot log in at 127.0.0.1:${sshd.port} as ${user}`,
      notes: [expect.stringContaining('Permission denied')],
    })
    await expect(connect({ knownHostsFiles: [] })).rejects.toMatchObject({
      notes: expect.arrayContaining([expect.stringContaining('Host key verification failed')]),
    })
    await expect(connect({ port: 1 })).rejects.toMatchObject({ notes: [expect.stringContaining('refused')] })
    expect([folders(), programs()]).toEqual([[], []])
  })

  test('a program that is not there', async () => {
    const other = { ...endpoint(), executable: '/no/such/ssh' }
    await expect(pool().session(other)).rejects.toMatchObject({ notes: [expect.stringContaining('/no/such/ssh')] })
  })

  test('over jump hosts, and with a key given as text', async () => {
    const jump = hop({ port: bastion.port, privateKeyFiles: [join(bastion.root, 'user')], hostKeyChecking: 'no', knownHostsFiles: [] })
    const privateKey = readFileSync(join(sshd.root, 'user'), 'utf8')
    const session = await connect({ privateKeyFiles: [], privateKey }, [jump, jump])
    expect(await out(session, 'echo in')).toBe('in\n')
    await session.close()
    for (const each of pools.splice(0)) await each.closeAll()
    const one = pool()
    const far = await Promise.all(['a', 'b', 'c'].map((name) => one.session({ ...endpoint({}, [jump]), name })))
    expect(await Promise.all(far.map((each) => out(each, 'echo in')))).toEqual(Array(3).fill('in\n'))
    expect(programs().filter((line) => line.startsWith('ssh') && line.includes(`Port=${bastion.port}`)).length).toBe(1)
    await one.closeAll()
    const byWords = ['-J', `${user}@127.0.0.1:${bastion.port}`]
    const args = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null']
    const all = [join(sshd.root, 'user'), join(bastion.root, 'user')]
    await expect(connect({ sshArgs: byWords, privateKeyFiles: all })).rejects.toBeInstanceOf(ConnectionLost)
    const again = await connect({ sshArgs: [...byWords, ...args], privateKeyFiles: all, hostKeyChecking: 'no' })
    expect(await out(again, 'echo in')).toBe('in\n')
    await again.close()
  })

  test('a passphrase, which stands in no argument and no file', async () => {
    const locked = sshd.key('locked', '-t', 'ed25519', '-N', 'open sesame')
    writeFileSync(join(sshd.root, 'authorized'), `${sshd.publicKey('user')}\n${sshd.publicKey('locked')}\n`)
    const session = await connect({ privateKeyFiles: [locked], passphrase: 'open sesame' })
    expect(await out(session, 'echo in')).toBe('in\n')
    expect(programs().join()).not.toContain('sesame')
    const folder = join(own, folders()[0]!)
    for (const name of readdirSync(folder).filter((each) => /^(script|ask|config|way)/.test(each)))
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain('sesame')
    await session.close()
    await expect(connect({ privateKeyFiles: [locked], passphrase: 'no' })).rejects.toBeInstanceOf(ConnectionLost)
    await expect(connect({ privateKeyFiles: [locked], password: 'no' })).rejects.toBeInstanceOf(ConnectionLost)
  })

  test('ssh’s own files and arguments', async () => {
    const config = join(sshd.root, 'config')
    writeFileSync(
      config,
      `Host alias\nHostName 127.0.0.1\nPort ${sshd.port}\nUser ${user}\nIdentityFile ${sshd.root}/user\nHostKeyAlias 127.0.0.1\n`,
    )
    writeFileSync(join(sshd.root, 'known'), `[127.0.0.1]:${sshd.port},127.0.0.1 ${sshd.publicKey('host_ed25519')}\n`)
    const words = ['-C', '-o', 'ControlMaster=auto', '-o', 'ControlPersist=60s', '-S', '/tmp/no', '-F', config, '-f', '-v']
    const session = await connect({ host: 'alias', port: 0, user: '', privateKeyFiles: [], sshArgs: words })
    expect(await out(session, 'echo in')).toBe('in\n')
    await session.close()
    const others = ['-o', 'ControlMaster=yes', '-M', '-q', '-N', '-L', `${bastion.port}:localhost:1`, '-o', 'LogLevel=QUIET']
    const second = await connect({ sshArgs: others, knownHostsFiles: [join(sshd.root, 'known')] })
    expect(await out(second, 'echo in')).toBe('in\n')
    await second.close()
    await expect(connect({ port: 1, sshArgs: others })).rejects.toMatchObject({ notes: [expect.stringContaining('refused')] })
  })

  test('helps where our own client and the host have nothing in common', async () => {
    const modern = await startSshd(() => ['Ciphers chacha20-poly1305@openssh.com', 'KexAlgorithms sntrup761x25519-sha512@openssh.com'])
    try {
      const reached = {
        port: modern.port,
        privateKeyFiles: [join(modern.root, 'user')],
        hostKeyChecking: 'no',
        knownHostsFiles: [],
      } as const
      const session = await pool().session({ ...endpoint(reached), client: undefined })
      expect(await out(session, 'echo in')).toBe('in\n')
      await session.close()
      await expect(pool().session({ ...endpoint(reached), client: 'library' })).rejects.toThrow('no way of talking in common')
    } finally {
      modern.stop()
    }
  })

  describe('passwords', () => {
    let fleet: Fleet
    beforeAll(async () => {
      fleet = await startFleet(2, sshd.root, { password: 'open sesame' })
    })
    afterAll(() => fleet.stop())
    const at = (index: number, more: Partial<Hop> = {}): Hop =>
      hop({ port: fleet.hosts[index]!.port, user: fleet.user, hostKeyChecking: 'no', knownHostsFiles: [], privateKeyFiles: [], ...more })
    const enters = async (...hops: Hop[]): Promise<string> => {
      const session = await pool().session({ ...endpoint(), hops })
      const said = await out(session, 'echo in')
      await session.close()
      return said
    }

    test('at the host’s question, in no argument and no file', async () => {
      const session = await pool().session({ ...endpoint(), hops: [at(0, { password: 'open sesame' })] })
      expect(programs().join()).not.toContain('sesame')
      await session.close()
      expect(await enters(at(0, { password: 'open sesame', sshArgs: ['-o', 'PreferredAuthentications=keyboard-interactive'] }))).toBe(
        'in\n',
      )
    })

    test('one for each hop', async () => {
      expect(await enters(at(1, { password: 'open sesame' }), at(0, { password: 'open sesame' }))).toBe('in\n')
      expect(await enters(at(1, { privateKeyFiles: [fleet.keyFile] }), at(0, { password: 'open sesame' }))).toBe('in\n')
      expect(await enters(at(1, { password: 'open sesame' }), at(0, { privateKeyFiles: [fleet.keyFile] }))).toBe('in\n')
    })

    test('the host’s is not for the jump host', async () => {
      await expect(enters(at(1), at(0, { password: 'open sesame' }))).rejects.toBeInstanceOf(ConnectionLost)
    })

    test('a wrong one is told at once', async () => {
      const from = performance.now()
      await expect(enters(at(0, { password: 'wrong' }))).rejects.toMatchObject({
        notes: expect.arrayContaining([expect.stringContaining('Permission denied')]),
      })
      expect(performance.now() - from).toBeLessThan(15_000)
      for (const one of pools.splice(0)) await one.closeAll()
      expect([folders(), programs()]).toEqual([[], []])
    })
  })
})
