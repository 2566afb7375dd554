import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Become } from '../../src/become/index.ts'
import {
  BecomeFailed,
  ConnectionLost,
  createPool,
  type Endpoint,
  type Hop,
  type Pool,
  type Session,
  ShellDied,
  TimedOut,
} from '../../src/connect/index.ts'
import { sh, textOf, userScript } from '../../src/remote/index.ts'

/** The numbers of two hosts of the lab; these tests make users there and cut the second one's link for a while. */
const [first = '1', second = '2'] = (process.env['LAB_HOSTS'] ?? '1,2').split(',')
const key = `${process.env['LAB'] ?? '/tmp/tsspray-lab'}/key`
const address = (host: string): string => `10.77.0.${10 + Number(host)}`
const reachable = existsSync(key) && spawnSync('bash', ['-c', `exec 3<>/dev/tcp/${address(first)}/22`], { timeout: 3000 }).status === 0

const pools: Pool[] = []
const pool = (): Pool => {
  const one = createPool()
  pools.push(one)
  return one
}
const hop = (host: string, user: string): Hop => ({
  host: address(host),
  port: 22,
  user,
  privateKeyFiles: [key],
  hostKeyChecking: 'no',
  knownHostsFiles: [],
})
const endpoint = (host: string, user: string, over: readonly Hop[] = []): Endpoint => ({
  kind: 'ssh',
  name: `node${host}`,
  hops: [...over, hop(host, user)],
  connectTimeoutSeconds: 10,
  retries: 0,
  keepaliveSeconds: 2,
  configFiles: [],
})
const out = async (session: Session, text: string, options = {}): Promise<string> =>
  textOf((await session.run(userScript(text), options)).stdout)

const root: Become = { method: 'sudo', user: 'root' }

/** Users with a password, some under rules that sudoers can have. */
const prepare = `
for u in labpw labtty; do
  id $u >/dev/null 2>&1 || useradd -m -s /bin/bash $u
  echo "$u:s3cret" | chpasswd
  mkdir -p -m 700 /home/$u/.ssh
  cp /root/.ssh/authorized_keys /home/$u/.ssh/
  chown -R $u: /home/$u/.ssh
done
printf 'labpw ALL=(ALL) ALL\\nlabtty ALL=(ALL) NOPASSWD:ALL\\nDefaults:labtty requiretty\\nDefaults:labpw timestamp_timeout=0\\n' >/etc/sudoers.d/labconnect
`
const tidy = 'for u in labpw labtty; do pkill -u $u; sleep 0.2; userdel -r $u; done 2>/dev/null; rm -f /etc/sudoers.d/labconnect'

describe.skipIf(!reachable)('a host of the lab', () => {
  beforeAll(async () => {
    const session = await pool().session(endpoint(first, 'root'))
    expect((await session.run(userScript(prepare))).code).toBe(0)
  })
  afterAll(async () => {
    const session = await pool().session(endpoint(first, 'root'))
    await session.run(userScript(tidy))
    for (const one of pools) await one.closeAll()
  })

  describe.each([
    ['as who logged in', 'root', undefined],
    ['by sudo', 'admin', root],
    ['as another than root', 'admin', { method: 'sudo', user: 'labpw' }],
    ['on a terminal that sudo demands', 'labtty', root],
    ['with a password', 'labpw', { ...root, password: 's3cret' }],
  ] as const)('%s', (_, login, become) => {
    let session: Session
    const as = { become }
    beforeAll(async () => {
      session = await pool().session(endpoint(first, login))
    })
    afterAll(() => session.close())

    test('who and where', async () => {
      expect(await out(session, 'id -un; echo $HOME', as)).toBe(
        become === undefined || become.user === 'root' ? 'root\n/root\n' : 'labpw\n/home/labpw\n',
      )
    })

    test('both streams, the code, no final newline', async () => {
      const output = await session.run(userScript('printf out; printf err >&2; exit 3'), as)
      expect([textOf(output.stdout), textOf(output.stderr), output.code]).toEqual(['out', 'err', 3])
    })

    test.each([
      ["echo 'open", 2],
      ['( echo', 2],
      ['exec false', 1],
      ['set -e; cd /; export a=1; false; echo no', 1],
    ])('%s ends with %i and does no harm', async (script, code) => {
      expect((await session.run(userScript(script), as)).code).toBe(code)
      expect(await out(session, 'echo "<$a>"; cat', as)).toBe('<>\n')
    })

    test('bytes in, bytes out', async () => {
      const stdin = Buffer.from([...Array(256).keys(), 13, 10, 0, 4, 3, 26])
      expect(Buffer.from((await session.run(userScript('cat'), { ...as, stdin })).stdout).equals(stdin)).toBe(true)
    })

    test('much output', async () => {
      expect((await session.run(userScript('head -c 20000000 /dev/zero'), as)).stdout.length).toBe(20_000_000)
    })

    test('files', async () => {
      const scratch = await session.scratch(become)
      for (const size of [100, 3_000_000]) {
        const content = Buffer.alloc(size, 'line\r\n\0')
        await session.put(`${scratch}/file`, content, as)
        expect(await out(session, `stat -c '%U %a' ${scratch}/file`, as)).toBe(`${become?.user ?? 'root'} 600\n`)
        expect(Buffer.from(await session.get(`${scratch}/file`, as)).equals(content)).toBe(true)
      }
    })

    test('a time limit ends what was started', async () => {
      await expect(session.run(userScript('sleep 4242 & sleep 4243'), { ...as, timeoutSeconds: 0.5 })).rejects.toBeInstanceOf(TimedOut)
      // sshd passes no signals to what root runs without becoming someone
      if (become !== undefined) {
        await expect(session.run(userScript('sleep 4242; :'), { ...as, ownChannel: true, timeoutSeconds: 1.5 })).rejects.toBeInstanceOf(
          TimedOut,
        )
      }
      await expect.poll(() => out(session, "ps -e -o args= | grep -c '^sleep 424[23]'", as), { timeout: 10_000 }).toBe('0\n')
    })

    test('a killed shell', async () => {
      await expect(session.run(userScript('kill -9 $$; sleep 5'), as)).rejects.toBeInstanceOf(ShellDied)
      expect(await out(session, 'echo back', as)).toBe('back\n')
    })

    test('what is left in the background', async () => {
      expect(await out(session, '(sleep 1; echo late) & echo now', as)).toBe('now\n')
      expect(await out(session, 'sleep 1.5; echo next', as)).toBe('next\n')
    })

    test('a terminal of its own ends, whether the script reads or not', { timeout: 120_000 }, async () => {
      for (let i = 0; i < 15; i++) {
        expect(await out(session, 'cat; echo end', { ...as, tty: true })).toBe('end\r\n')
        expect(await out(session, 'echo quick', { ...as, tty: true })).toBe('quick\r\n')
      }
    })

    test('a terminal of its own, and the login shell', async () => {
      expect(await out(session, '[ -t 1 ] && echo yes', { ...as, tty: true })).toBe('yes\r\n')
      const output = await session.run(userScript('echo "$A"; echo e >&2; exit 5'), {
        ...as,
        ownChannel: true,
        env: new Map([['A', "it's"]]),
      })
      expect(textOf(output.stdout)).toMatch(/^it's\r?\n/)
      expect(output.code).toBe(5)
    })

    test('the scratch folder goes at close', async () => {
      const scratch = await session.scratch(become)
      await session.close()
      expect(await out(session, `[ -e ${scratch} ] || echo gone`, as)).toBe('gone\n')
    })
  })

  test('su, whose prompt is not ours', async () => {
    const session = await pool().session(endpoint(first, 'admin'))
    expect(await out(session, 'id -un', { become: { method: 'su', user: 'labpw', password: 's3cret' } })).toBe('labpw\n')
    await expect(session.run(sh`id`, { become: { method: 'su', user: 'labpw', password: 'wrong' } })).rejects.toBeInstanceOf(BecomeFailed)
  })

  test('a wrong password, and none, are told at once', async () => {
    const session = await pool().session(endpoint(first, 'labpw'))
    const from = performance.now()
    await expect(session.run(sh`id`, { become: { ...root, password: 'wrong' } })).rejects.toThrow('the password is wrong')
    await expect(session.run(sh`id`, { become: root })).rejects.toBeInstanceOf(BecomeFailed)
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(await out(session, 'id -un', { become: { ...root, password: 's3cret' } })).toBe('root\n')
  })

  test('no password is seen in the process list', async () => {
    const session = await pool().session(endpoint(first, 'labpw'))
    expect(await out(session, 'grep -ls s3cret /proc/[0-9]*/cmdline; :', { become: { ...root, password: 's3cret' } })).toBe('')
  })

  test('behind a jump host', async () => {
    const session = await pool().session(endpoint(second, 'admin', [hop(first, 'admin')]))
    expect(await out(session, 'hostname; echo "${SSH_CONNECTION%% *}"')).toBe(`node${second}\n${address(first)}\n`)
  })

  test('whose sshd session is killed', async () => {
    const session = await pool().session(endpoint(first, 'root'))
    await expect(session.run(userScript('kill -9 $(ps -o ppid= -p $(ps -o ppid= -p $$)); sleep 20'))).rejects.toBeInstanceOf(ConnectionLost)
    expect(await out(session, 'echo back')).toBe('back\n')
  })

  test('whose link is cut: lost in a few seconds, and found again', async () => {
    const session = await pool().session(endpoint(second, 'root'))
    await out(session, ':')
    const link = (state: string): unknown => execFileSync('ip', ['link', 'set', `v${second}`, state])
    link('down')
    try {
      await expect(session.run(userScript('echo hi'))).rejects.toBeInstanceOf(ConnectionLost)
      await expect(session.run(userScript('echo hi'))).rejects.toBeInstanceOf(ConnectionLost)
    } finally {
      link('up')
    }
    await expect.poll(() => out(session, 'echo back').catch(() => ''), { timeout: 20_000 }).toBe('back\n')
  })

  test('latency', async () => {
    const session = await pool().session(endpoint(first, 'root'))
    const times: number[] = []
    for (let i = 0; i < 300; i++) {
      const from = performance.now()
      await session.run(sh`echo hi`)
      times.push(performance.now() - from)
    }
    times.sort((a, b) => a - b)
    console.log(`echo hi: p50 ${times[150]!.toFixed(2)} ms, p90 ${times[270]!.toFixed(2)} ms`)
    expect(times[150]).toBeLessThan(20)
  })
})
