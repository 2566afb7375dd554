import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConnectionLost, createPool, type Endpoint, type Hop, type Pool } from '../../../src/connect/index.ts'
import { textOf, userScript } from '../../../src/remote/index.ts'

/** A real OpenSSH server on the loopback, as the user who runs the tests. */
const program = '/usr/sbin/sshd'
const missing = !existsSync(program) || spawnSync('ssh-keygen', ['-?']).error !== undefined
const user = userInfo().username

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let port: number
let sshd: ChildProcess
const pools: Pool[] = []

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return free
}

const newKey = (name: string, ...words: string[]): string => {
  const path = join(root, name)
  execFileSync('ssh-keygen', ['-q', '-f', path, '-C', name, ...(words.includes('-N') ? [] : ['-N', '']), ...words])
  return path
}

describe.skipIf(missing)('a real sshd', () => {
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'sshd-')))
    port = await freePort()
    if (user === 'root') mkdirSync('/run/sshd', { recursive: true })
    for (const type of ['ed25519', 'ecdsa', 'rsa']) newKey(`host_${type}`, '-t', type)
    newKey('ed25519', '-t', 'ed25519')
    newKey('ecdsa', '-t', 'ecdsa', '-b', '384')
    newKey('rsa', '-t', 'rsa', '-b', '2048')
    newKey('rsa_pem', '-t', 'rsa', '-b', '2048', '-m', 'PEM')
    newKey('locked', '-t', 'ed25519', '-N', 'open sesame')
    newKey('locked_pem', '-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'open sesame')
    newKey('stranger', '-t', 'ed25519')
    const known = ['ed25519', 'ecdsa', 'rsa', 'rsa_pem', 'locked', 'locked_pem']
    writeFileSync(join(root, 'authorized'), known.map((name) => readFileSync(join(root, `${name}.pub`), 'utf8')).join(''))
    const config = [
      `Port ${port}`, 'ListenAddress 127.0.0.1', 'UsePAM no', 'StrictModes no', 'PasswordAuthentication no', `AuthorizedKeysFile ${root}/authorized`, `PidFile ${root}/pid`,
      'MaxSessions 2', 'MaxStartups 4:100:4', ...['ed25519', 'ecdsa', 'rsa'].map((type) => `HostKey ${root}/host_${type}`),
    ] // biome-ignore format: a list
    writeFileSync(join(root, 'sshd_config'), `${config.join('\n')}\n`)
    sshd = spawn(program, ['-D', '-e', '-f', join(root, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
    await new Promise<void>((resolve, reject) => {
      let said = ''
      sshd.stderr!.on('data', (chunk: Buffer) => {
        said += chunk
        if (said.includes('listening')) resolve()
      })
      sshd.on('exit', () => reject(new Error(said)))
    })
  })
  afterAll(async () => {
    for (const pool of pools) await pool.closeAll()
    sshd?.kill()
    rmSync(root, { recursive: true, force: true })
  })

  const endpoint = (hop: Partial<Hop>): Endpoint => ({
    kind: 'ssh',
    name: 'real',
    hops: [{ host: '127.0.0.1', port, user, privateKeyFiles: [join(root, 'ed25519')], hostKeyChecking: 'no', knownHostsFiles: [], ...hop }],
    connectTimeoutSeconds: 5,
    retries: 0,
    keepaliveSeconds: 5,
    configFiles: [],
  })
  const pool = (): Pool => {
    const one = createPool({ home: root })
    pools.push(one)
    return one
  }
  const enters = async (hop: Partial<Hop>): Promise<string> => {
    const one = pool()
    const session = await one.session(endpoint(hop))
    const output = textOf((await session.run(userScript('echo in'))).stdout)
    await one.closeAll()
    return output
  }

  test.each(['ed25519', 'ecdsa', 'rsa', 'rsa_pem'])('lets in by an %s key', async (name) => {
    expect(await enters({ privateKeyFiles: [join(root, name)] })).toBe('in\n')
  })

  test.each(['locked', 'locked_pem'])('lets in by a %s key', async (name) => {
    expect(await enters({ privateKeyFiles: [join(root, name)], passphrase: 'open sesame' })).toBe('in\n')
    const file = join(root, name)
    await expect(enters({ privateKeyFiles: [file] })).rejects.toMatchObject({
      notes: expect.arrayContaining([`key ${file}: is encrypted, and no passphrase is given`]),
    })
    await expect(enters({ privateKeyFiles: [file], passphrase: 'no' })).rejects.toMatchObject({
      notes: expect.arrayContaining([`key ${file}: is encrypted, and the passphrase does not fit`]),
    })
  })

  test('one key after the other', async () => {
    expect(await enters({ privateKeyFiles: ['stranger', 'ed25519'].map((name) => join(root, name)) })).toBe('in\n')
    await expect(enters({ privateKeyFiles: [join(root, 'stranger')] })).rejects.toThrow(`does not let us in as ${user}`)
  })

  test('an agent', async () => {
    const socket = join(root, 'agent')
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
    try {
      await expect.poll(() => existsSync(socket)).toBe(true)
      for (const name of ['stranger', 'rsa'])
        execFileSync('ssh-add', ['-q', join(root, name)], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
      expect(await enters({ privateKeyFiles: [], agent: socket })).toBe('in\n')
      const only = ['-o', 'IdentitiesOnly=yes', '-i', join(root, 'stranger')]
      await expect(enters({ privateKeyFiles: [], agent: socket, sshArgs: only })).rejects.toBeInstanceOf(ConnectionLost)
      const session = await pool().session(endpoint({ agent: socket, forwardAgent: true }))
      expect(textOf((await session.run(userScript('ssh-add -L | wc -l'))).stdout).trim()).toBe('2')
      await session.close()
    } finally {
      agent.kill()
    }
  })

  test.each(['ed25519', 'ecdsa', 'rsa'])('the host is asked for the key that is known: %s', async (type) => {
    const file = join(root, `known_${type}`)
    const [kind, key] = readFileSync(join(root, `host_${type}.pub`), 'utf8').split(' ')
    appendFileSync(file, `[127.0.0.1]:${port} ${kind} ${key}\n`)
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' })
    expect(readFileSync(file, 'utf8')).toMatch(/^\|1\|/)
    expect(await enters({ hostKeyChecking: 'yes', knownHostsFiles: [file] })).toBe('in\n')
  })

  test('more sessions than it allows wait for one another', async () => {
    const session = await pool().session(endpoint({}))
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => session.run(userScript(`sleep 0.1; echo ${i}`), { ownChannel: i % 2 === 0 })),
    )
    expect(all.map((output) => textOf(output.stdout))).toEqual(Array.from({ length: 8 }, (_, i) => `${i}\n`))
    const scratch = await session.scratch()
    await Promise.all([1, 2, 3].map(() => session.run(userScript('sleep 0.1'), { ownChannel: true })))
    expect(await session.scratch()).toBe(scratch)
    await session.run(userScript('sleep 0.1'), { ownChannel: true })
    await session.close()
    expect(existsSync(scratch)).toBe(false)
  })

  test('more connections than it allows are made by and by', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => pool().session(endpoint({}))))
    expect(await Promise.all(sessions.map(async (session) => textOf((await session.run(userScript('echo in'))).stdout)))).toEqual(
      Array(12).fill('in\n'),
    )
    await Promise.all(sessions.map((session) => session.close()))
  })

  test('a terminal', async () => {
    const session = await pool().session(endpoint({}))
    const output = await session.run(userScript('tty >&2; echo out'), { tty: true })
    expect([textOf(output.stdout), output.stderr.length]).toEqual([expect.stringMatching(/^\/dev\/pts\/\d+\r\nout\r\n$/), 0])
    await session.close()
  })

  test('its session process killed under a script is a lost connection', async () => {
    const session = await pool().session(endpoint({}))
    await expect(session.run(userScript('kill -9 $(ps -o ppid= -p $(ps -o ppid= -p $$)); sleep 20'))).rejects.toBeInstanceOf(ConnectionLost)
    expect(textOf((await session.run(userScript('echo back'))).stdout)).toBe('back\n')
    await session.close()
  })

  test('what killed shells have left is removed over the next connection', async () => {
    const session = await pool().session(endpoint({}))
    const folder = await session.scratch()
    const killed = 'p=$(ps -o ppid= -p $$); kill -9 $(ps -o ppid= -p $p) $p $$; sleep 20'
    await expect(session.run(userScript(killed))).rejects.toBeInstanceOf(ConnectionLost)
    expect(textOf((await session.run(userScript(`ls -d ${folder}`))).stdout)).toBe(`${folder}\n`)
    expect(await session.scratch()).not.toBe(folder)
    await session.close()
    expect(existsSync(folder)).toBe(false)
  })

  test('much output on both streams at once', async () => {
    const session = await pool().session(endpoint({}))
    const output = await session.run(userScript('head -c 20000000 /dev/zero & head -c 20000000 /dev/zero >&2; wait'))
    expect([output.stdout.length, output.stderr.length]).toEqual([20_000_000, 20_000_000])
    await session.close()
  })
})
