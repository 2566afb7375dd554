import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConnectionLost, createPool, type Endpoint, type Hop, type Pool } from '../../../src/connect/index.ts'
import { textOf, userScript } from '../../../src/remote/index.ts'
import { noSshd, type Sshd, startSshd, user } from '../../harness/sshd.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let sshd: Sshd
const pools: Pool[] = []
const KINDS = ['ed25519', 'ecdsa', 'rsa']

describe.skipIf(noSshd)('certificates', () => {
  beforeAll(async () => {
    sshd = await startSshd((made) => {
      made.key('ca', '-t', 'ed25519')
      execFileSync('ssh-keygen', [
        '-q',
        '-s',
        join(made.root, 'ca'),
        '-I',
        'host',
        '-h',
        '-n',
        '127.0.0.1,name',
        join(made.root, 'host_ed25519.pub'),
      ])
      return [`TrustedUserCAKeys ${made.root}/ca.pub`, `HostCertificate ${made.root}/host_ed25519-cert.pub`, 'MaxAuthTries 20']
    })
    for (const kind of KINDS) {
      sshd.key(kind, '-t', kind)
      sign(kind, user)
    }
    sshd.key('other', '-t', 'ed25519')
    sshd.key('stranger', '-t', 'ed25519')
    sign('stranger', 'nobody')
  })
  afterAll(async () => {
    for (const pool of pools) await pool.closeAll()
    sshd?.stop()
  })

  const sign = (name: string, principal: string): unknown =>
    execFileSync('ssh-keygen', ['-q', '-s', at('ca'), '-I', name, '-n', principal, '-V', '+1h', at(`${name}.pub`)])
  const at = (name: string): string => join(sshd.root, name)
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text)
    return at(name)
  }
  const endpoint = (hop: Partial<Hop>, more: Partial<Endpoint> = {}): Endpoint => ({
    kind: 'ssh',
    name: 'real',
    hops: [{ host: '127.0.0.1', port: sshd.port, user, privateKeyFiles: [], hostKeyChecking: 'no', knownHostsFiles: [], ...hop }],
    connectTimeoutSeconds: 5,
    retries: 0,
    keepaliveSeconds: 5,
    configFiles: [],
    ...more,
  })
  const ways: string[] = []
  const enters = async (hop: Partial<Hop>, more: Partial<Endpoint> = {}): Promise<string> => {
    ways.length = 0
    const pool = createPool({ home: sshd.root, tellWay: (text) => ways.push(text) })
    pools.push(pool)
    const session = await pool.session(endpoint(hop, more))
    const output = textOf((await session.run(userScript('echo in'))).stdout)
    await pool.closeAll()
    return output
  }
  const withAgent = async (keys: readonly string[], work: (socket: string) => Promise<void>): Promise<void> => {
    const socket = at('agent')
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
    try {
      await expect.poll(() => existsSync(socket)).toBe(true)
      for (const key of keys) execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
      await work(socket)
    } finally {
      agent.kill()
      rmSync(socket, { force: true })
    }
  }

  describe('of users', () => {
    test.each(KINDS)('beside the key: %s', async (kind) => {
      expect(await enters({ privateKeyFiles: [at(kind)] })).toBe('in\n')
      expect(ways).toEqual([])
    })

    test.each(KINDS)('held by an agent: %s', async (kind) => {
      await withAgent([at(kind)], async (agent) => {
        expect(await enters({ agent })).toBe('in\n')
        expect(await enters({ agent, sshArgs: ['-o', 'IdentitiesOnly=yes', '-i', at(`${kind}.pub`)] })).toBe('in\n')
        const only = ['-o', 'IdentitiesOnly=yes', '-i', at('other.pub')]
        await expect(enters({ agent, sshArgs: only })).rejects.toBeInstanceOf(ConnectionLost)
      })
    })

    test.each(KINDS)('in a file, for a key that an agent holds: %s', async (kind) => {
      copyFileSync(at(kind), at('bare'))
      await withAgent([at('bare')], async (agent) => {
        await expect(enters({ agent })).rejects.toBeInstanceOf(ConnectionLost)
        expect(await enters({ agent, sshArgs: ['-o', `CertificateFile=${at(kind)}-cert.pub`] })).toBe('in\n')
      })
    })

    test('that stand elsewhere', async () => {
      copyFileSync(at('ed25519'), at('bare'))
      await expect(enters({ privateKeyFiles: [at('bare')] })).rejects.toBeInstanceOf(ConnectionLost)
      const config = write('config', `CertificateFile ${at('other-cert.pub')}\nCertificateFile ${at('ed25519-cert.pub')}\n`)
      expect(await enters({ privateKeyFiles: [at('bare')] }, { configFiles: [config] })).toBe('in\n')
    })

    test('for another user', async () => {
      await expect(enters({ privateKeyFiles: [at('stranger')] })).rejects.toMatchObject({
        notes: expect.arrayContaining([`tried: the certificate of key ${at('stranger')}, key ${at('stranger')}`]),
      })
    })

    test('an agent that is gone stops nobody', async () => {
      expect(await enters({ agent: at('nowhere'), privateKeyFiles: [at('user')] })).toBe('in\n')
      await expect(enters({ agent: at('nowhere') })).rejects.toMatchObject({
        notes: expect.arrayContaining([expect.stringContaining(`the agent at ${at('nowhere')}: `)]),
      })
    })
  })

  describe('of hosts', () => {
    const knows = (name: string, text: string, more: Partial<Hop> = {}) =>
      ({ privateKeyFiles: [at('user')], hostKeyChecking: 'yes', knownHostsFiles: [write(name, text)], ...more }) as const
    const ca = (names: string, key = 'ca'): string => `@cert-authority ${names} ${sshd.publicKey(key)}\n`

    test('are verified by the system’s ssh, where an authority is known and no key', async () => {
      expect(await enters(knows('k1', ca('[127.0.0.*]:*')))).toBe('in\n')
      expect(ways).toEqual(['<127.0.0.1> REACHED BY THE PROGRAM ssh: its key is not known, but an authority that signs keys of hosts'])
      expect(await enters(knows('k2', ca('*'), { hostKeyChecking: 'accept-new' }))).toBe('in\n')
      expect(ways.length).toBe(1)
    })

    test('are not needed where the key is known, or nobody asks', async () => {
      const known = `[127.0.0.1]:${sshd.port} ${sshd.publicKey('host_ed25519')}\n`
      expect(await enters(knows('k3', ca('*') + known))).toBe('in\n')
      expect(await enters(knows('k4', ca('*'), { hostKeyChecking: 'no' }))).toBe('in\n')
      expect(ways).toEqual([])
    })

    test('help where another key is known', async () => {
      const changed = `[127.0.0.1]:${sshd.port} ${sshd.publicKey('other')}\n`
      expect(await enters(knows('k5', ca('*') + changed))).toBe('in\n')
      expect(ways.length).toBe(1)
    })

    test.each([
      ['by another authority', () => ca('*', 'other')],
      ['by an authority that is revoked', () => `${ca('*')}@revoked * ${sshd.publicKey('ca')}\n`],
      ['by an authority for other hosts', () => ca('[10.*]:*')],
      ['by an authority that is not for this one', () => ca(`*,![127.0.0.1]:${sshd.port}`)],
    ])('%s are refused', async (_, text) => {
      await expect(enters(knows('k6', text()))).rejects.toBeInstanceOf(ConnectionLost)
    })

    test('a revoked key is refused by our own client, too', async () => {
      const revoked = `@revoked * ${sshd.publicKey('host_ed25519')}\n`
      const known = `[127.0.0.1]:${sshd.port} ${sshd.publicKey('host_ed25519')}\n`
      await expect(enters(knows('k7', known + revoked))).rejects.toThrow('revokes')
      await expect(enters(knows('k8', revoked, { hostKeyChecking: 'no' }))).rejects.toThrow('revokes')
      await expect(enters(knows('k9', revoked + ca('*')))).rejects.toBeInstanceOf(ConnectionLost)
    })

    test('under another name', async () => {
      expect(await enters(knows('k10', ca('name'), { sshArgs: ['-o', 'HostKeyAlias=name'] }))).toBe('in\n')
      expect(await enters(knows('k11', `name ${sshd.publicKey('host_ed25519')}\n`, { sshArgs: ['-o', 'HostKeyAlias=name'] }))).toBe('in\n')
      await expect(enters(knows('k12', ca('wrong'), { sshArgs: ['-o', 'HostKeyAlias=wrong'] }))).rejects.toBeInstanceOf(ConnectionLost)
    })

    test('hashed names', async () => {
      const file = write('k13', ca(`[127.0.0.1]:${sshd.port}`))
      execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' })
      expect(await enters({ ...knows('k14', ''), knownHostsFiles: [file] })).toBe('in\n')
      expect([readFileSync(file, 'utf8').includes('@cert-authority'), ways.length]).toEqual([true, 1])
    })

    test('who is refused is told why the program was taken', async () => {
      await expect(enters(knows('k16', ca('*', 'other')))).rejects.toMatchObject({
        notes: expect.arrayContaining(['the system’s ssh was taken: its key is not known, but an authority that signs keys of hosts']),
      })
    })

    test('where our own client is asked for, it refuses', async () => {
      await expect(enters(knows('k15', ca('*')), { client: 'library' })).rejects.toThrow('is not known')
    })
  })
})
