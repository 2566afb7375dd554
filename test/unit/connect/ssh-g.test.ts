import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Settings } from '../../../src/connect/ssh/settings.ts'
import { plan } from '../../../src/connect/ssh/settings.ts'

/** What we read from a configuration, beside what ssh itself says it reads (`ssh -G`). */
const missing = spawnSync('ssh', ['-V']).status !== 0

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ssh-g-')))
  mkdirSync(join(folder, 'conf.d'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const around = { home: homedir(), localUser: userInfo().username, localHost: hostname(), uid: userInfo().uid, env: process.env }

/** The last machine of our plan, and the names of those before it. */
function ours(config: string, host: string, args: readonly string[]): { settings: Settings; jumps: string } {
  const chain = plan(
    {
      kind: 'ssh',
      name: host,
      hops: [
        { host, port: 0, user: '', privateKeyFiles: [], hostKeyChecking: 'yes', knownHostsFiles: ['~/.ssh/known_hosts'], sshArgs: args },
      ],
      connectTimeoutSeconds: 10,
      retries: 0,
      keepaliveSeconds: 15,
      configFiles: [config],
    },
    around,
  )
  return { settings: chain.at(-1)!, jumps: chain.slice(0, -1).map((each) => each.host).join(',') } // biome-ignore format: short
}

function theirs(config: string, host: string, args: readonly string[]): Map<string, string[]> {
  const ran = spawnSync('ssh', ['-G', '-F', config, ...args, host], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (ran.status !== 0) throw new Error(ran.stderr)
  const found = new Map<string, string[]>()
  for (const line of ran.stdout.split('\n')) {
    const [name = '', ...rest] = line.split(' ')
    found.set(name, [...(found.get(name) ?? []), rest.join(' ')])
  }
  return found
}

const checks = { true: 'yes', yes: 'yes', ask: 'yes', false: 'no', no: 'no', 'accept-new': 'accept-new' } as Record<string, string>
const USUAL_KEYS = /\/id_(rsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss|dsa)$/

/** ssh's own table in the words of ours; only what it was told, for some of its defaults are not ours. */
const compared: Readonly<
  Record<string, (said: (name: string) => string | undefined, settings: Settings, jumps: string) => [unknown, unknown]>
> = {
  hostname: (said, s) => [s.host, said('hostname')],
  user: (said, s) => [s.user, said('user')],
  port: (said, s) => [s.port, Number(said('port'))],
  stricthostkeychecking: (said, s) => [s.checking, checks[said('stricthostkeychecking')!]],
  identitiesonly: (said, s) => [s.identitiesOnly, said('identitiesonly') === 'yes'],
  forwardagent: (said, s) => [s.forwardAgent, said('forwardagent') !== 'no'],
  serveraliveinterval: (said, s) => [s.keepaliveSeconds, Number(said('serveraliveinterval')) || 15],
  serveralivecountmax: (said, s) => [s.keepaliveCount, Number(said('serveralivecountmax'))],
  connectionattempts: (said, s) => [s.attempts, Number(said('connectionattempts'))],
  hostkeyalias: (said, s) => [s.hostKeyAlias, said('hostkeyalias')],
  bindaddress: (said, s) => [s.bindAddress, said('bindaddress')],
  compression: (said, s) => [s.compression, said('compression') === 'yes'],
  addressfamily: (said, s) => [s.family, { inet: 4, inet6: 6 }[said('addressfamily')!]],
  knownhosts: (said, s) => [
    s.knownHostsFiles.filter((file) => !file.endsWith('known_hosts2')),
    `${said('userknownhostsfile')} ${said('globalknownhostsfile')}`
      .split(' ')
      .filter((file) => !file.endsWith('known_hosts2') && file !== 'none')
      .map((file) => file.replace(/^~/, homedir())),
  ],
  proxycommand: (said, s) => [s.proxyCommand === undefined ? undefined : 'a command', said('proxycommand') && 'a command'],
  proxyjump: (said, _, jumps) => [jumps, (said('proxyjump') ?? '').replace(/[^,@]*@/g, '').replace(/:\d+/g, '')],
}

interface Case {
  readonly name: string
  readonly config: string
  readonly host?: string
  readonly args?: readonly string[]
}

const cases: readonly Case[] = [
  { name: 'nothing', config: '' },
  {
    name: 'Host, patterns, exceptions',
    config: 'Host a* !ab\n  Port 1\nHost !web1 *\n  Port 2\nHost web? other\n  Port 3\nHost *\n  Port 4',
  },
  { name: 'several hosts', config: 'Host one web1\nUser x\nHost two\nUser y', host: 'web1' },
  { name: 'a name in capitals', config: 'Host web1\nPort 5\nHost WEB1\nPort 6', host: 'WEB1' },
  { name: 'HostName with a token', config: 'Host *\nHostName %h.example.org\nPort 7' },
  { name: 'the first wins', config: 'User a\nHost *\nUser b\nPort 8\nPort 9' },
  { name: 'equals signs, tabs and quotes', config: 'Host "web1"\n\tUser = "x"\n\tPort=10\n\tHostName="h"' },
  { name: 'comments', config: '# Port 1\nHost web1 # and\n  Port 11 # eleven\n  User x #y\n' },
  { name: 'Match host, after HostName', config: 'Host web1\nHostName real\nMatch host real\nPort 12\nMatch host web1\nPort 13' },
  { name: 'Match originalhost', config: 'Host web1\nHostName real\nMatch originalhost web*,!web2\nPort 14' },
  { name: 'Match user of the command line', config: 'Match user x\nPort 15', args: ['-l', 'x'] },
  { name: 'Match user of the file', config: 'User x\nMatch user x\nPort 16\nMatch !user x\nPort 17' },
  { name: 'Match localuser', config: `Match localuser ${userInfo().username}\nPort 18` },
  { name: 'Match all', config: 'Host no\nPort 1\nMatch all\nPort 19' },
  { name: 'Match exec', config: 'Match exec "test %h = web1 -a %n = web1 -a %p = 22"\nPort 20\nMatch exec "false"\nUser no' },
  { name: 'Match several', config: 'Match host web1 user nobody\nPort 1\nMatch host web1 !user nobody\nPort 21' },
  {
    name: 'Match final',
    config: 'Match final host web1.example\nPort 22\nUser f\nHost web1\nHostName web1.example\nMatch !final all\nUser g',
  },
  {
    name: 'Host in the final pass',
    config: 'Match final all\nCompression yes\nHost web1.example\nPort 23\nHost web1\nHostName web1.example',
  },
  { name: 'Include', config: 'Include FOLDER/conf.d/*.conf\nPort 99' },
  { name: 'Include in a block', config: 'Host no\nInclude FOLDER/conf.d/*.conf\nHost web1\nPort 24' },
  { name: 'Include in a block that holds', config: 'Host web*\nInclude FOLDER/conf.d/*.conf\nUser z' },
  { name: 'Include of nothing', config: 'Include FOLDER/none/*\nPort 25' },
  { name: 'times', config: 'ServerAliveInterval 1m30s\nServerAliveCountMax 7\nConnectTimeout 2m' },
  { name: 'yes and no', config: 'IdentitiesOnly yes\nForwardAgent yes\nCompression yes' },
  { name: 'agents of their own', config: 'ForwardAgent /some/socket' },
  ...['yes', 'no', 'ask', 'off', 'accept-new'].map((word) => ({ name: `checking: ${word}`, config: `StrictHostKeyChecking ${word}` })),
  { name: 'known hosts', config: 'UserKnownHostsFile /a /b ~/c\nGlobalKnownHostsFile /d' },
  { name: 'no known hosts', config: 'UserKnownHostsFile none\nGlobalKnownHostsFile none' },
  { name: 'addresses', config: 'AddressFamily inet6\nBindAddress ::1\nConnectionAttempts 4\nHostKeyAlias alias' },
  { name: 'keys', config: 'IdentityFile /k1\nIdentityFile ~/k2\nHost *\nIdentityFile /k3' },
  { name: 'jumps', config: 'Host web1\nProxyJump x@one:1,two' },
  { name: 'no jump', config: 'Host web1\nProxyJump none\nHost *\nProxyJump bastion' },
  { name: 'a command before a jump', config: 'ProxyCommand nc %h %p\nProxyJump bastion' },
  { name: 'a jump before a command', config: 'ProxyJump bastion\nProxyCommand nc %h %p' },
  { name: 'a command', config: 'ProxyCommand nc -X 5 "a b" %h %p # not a comment' },
  { name: 'no command', config: 'ProxyCommand none\nHost *\nProxyCommand nc %h %p' },
  {
    name: 'words of the command line',
    config: 'Port 1\nUser a',
    args: ['-p', '26', '-o', 'User=b', '-oCompression=yes', '-C', '-A', '-4'],
  },
  { name: 'jumps of the command line', config: 'Host web1\nProxyJump other', args: ['-J', 'one,two'] },
]

describe.skipIf(missing)('is read as ssh reads it', () => {
  test.each(cases)('$name', ({ config, host = 'web1', args = [] }) => {
    writeFileSync(join(folder, 'conf.d', 'a.conf'), 'Host web1\nPort 31\n')
    writeFileSync(join(folder, 'conf.d', 'b.conf'), 'Port 32\nUser b\nMatch host web1\nCompression yes\n')
    const file = join(folder, 'config')
    writeFileSync(file, `${config.replaceAll('FOLDER', folder)}\n`)
    const { settings, jumps } = ours(file, host, args)
    const table = theirs(file, host, args)
    const said = (name: string): string | undefined => table.get(name)?.[0]
    const pairs = Object.entries(compared).map(([name, pair]) => [name, ...pair(said, settings, jumps)] as const)
    expect(Object.fromEntries(pairs.map(([name, mine]) => [name, mine]))).toEqual(
      Object.fromEntries(pairs.map(([name, , its]) => [name, its])),
    )
    const keys = (table.get('identityfile') ?? []).map((path) => path.replace(/^~/, homedir())).filter((path) => !USUAL_KEYS.test(path))
    expect(settings.identityFiles.filter((path) => !USUAL_KEYS.test(path))).toEqual(keys)
  })
})
