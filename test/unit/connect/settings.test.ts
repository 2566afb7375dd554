import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, Hop } from '../../../src/connect/index.ts'
import { plan } from '../../../src/connect/ssh/settings.ts'
import { readSshWords, shellWords } from '../../../src/connect/ssh/words.ts'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'settings-'))
  mkdirSync(join(home, '.ssh', 'conf.d'), { recursive: true })
})
afterAll(() => rmSync(home, { recursive: true }))

const target: Hop = {
  host: 'node1',
  port: 0,
  user: '',
  privateKeyFiles: [],
  hostKeyChecking: 'yes',
  knownHostsFiles: ['~/.ssh/known_hosts'],
}

function planned(hop: Partial<Hop>, config = '', endpoint: Partial<Endpoint> = {}) {
  const file = join(home, '.ssh', 'config')
  writeFileSync(file, config)
  return plan(
    {
      kind: 'ssh',
      name: 'node1',
      hops: [{ ...target, ...hop }],
      connectTimeoutSeconds: 10,
      retries: 0,
      keepaliveSeconds: 15,
      configFiles: [file],
      ...endpoint,
    },
    { home, localUser: 'me', env: { HERE: '/here' } },
  )
}

const way = (hop: Partial<Hop>, config = '') => planned(hop, config).map(({ user, host, port }) => `${user}@${host}:${port}`)

describe('ssh_config', () => {
  test.each([
    { name: 'nothing said', config: '', is: 'me@node1:22' },
    { name: 'the inventory wins', hop: { user: 'admin', port: 2222 }, config: 'Host *\nUser root\nPort 1', is: 'admin@node1:2222' },
    {
      name: 'Host and its options',
      config: 'Host node*\n  HostName %h.example\n  User=root\n  Port = 2200',
      is: 'root@node1.example:2200',
    },
    { name: 'the first wins', config: 'Host node1\nUser a\nHost *\nUser b\nPort 5', is: 'a@node1:5' },
    { name: 'a pattern that excludes', config: 'Host * !node1\nUser a', is: 'me@node1:22' },
    { name: 'other hosts', config: 'Host node2 node3\nUser a', is: 'me@node1:22' },
    { name: 'before any Host', config: 'User a\nHost x\nUser b', is: 'a@node1:22' },
    { name: 'quotes and case', config: 'HOST "node1"\nuser "the admin"', is: 'the admin@node1:22' },
    { name: 'Match host sees HostName', config: 'Host node1\nHostName real\nMatch host real\nUser a', is: 'a@real:22' },
    { name: 'Match originalhost', config: 'Host node1\nHostName real\nMatch originalhost node1 localuser me\nUser a', is: 'a@real:22' },
    { name: 'Match with a negation', config: 'Match !host node*\nUser a', is: 'me@node1:22' },
    { name: 'Match user', hop: { user: 'admin' }, config: 'Match user admin\nPort 7', is: 'admin@node1:7' },
    { name: 'Match exec', config: 'Match exec "test %n = node1"\nPort 7\nMatch exec false\nUser no', is: 'me@node1:7' },
    { name: 'Match all', config: 'Host other\nUser b\nMatch all\nUser c', is: 'c@node1:22' },
    {
      name: 'words on the command line',
      hop: { sshArgs: ['-l', 'cli', '-o', 'Port=9', '-C', '-o', 'ControlMaster=auto'] },
      config: 'User a',
      is: 'cli@node1:9',
    },
  ])('$name', ({ hop = {}, config, is }) => {
    expect(way(hop, config)).toEqual([is])
  })

  test('Include, with a pattern, where it stands', () => {
    writeFileSync(join(home, '.ssh', 'conf.d', 'a.conf'), 'Host node1\nPort 2')
    writeFileSync(join(home, '.ssh', 'conf.d', 'b.conf'), 'Host node1\nPort 3\nUser b')
    expect(way({}, 'Include conf.d/*.conf\nHost *\nUser z')).toEqual(['b@node1:2'])
    expect(way({}, 'Host other\nInclude conf.d/*.conf\n')).toEqual(['me@node1:22'])
  })

  test('-F names another file, none names none', () => {
    writeFileSync(join(home, 'other'), 'User other')
    expect(way({ sshArgs: ['-F', join(home, 'other')] }, 'User a')).toEqual(['other@node1:22'])
    expect(way({ sshArgs: ['-F', 'none'] }, 'User a')).toEqual(['me@node1:22'])
  })

  test.each([['stray'], ['-o', 'ProxyCommand=ssh', '-W', '%h:%p', 'bastion']])(
    'a word that ssh would take for the host is refused: %s',
    (...sshArgs) => {
      expect(() => planned({ sshArgs })).toThrow(`name a host of their own: ${sshArgs.at(-1)}`)
    },
  )

  test('keys, files and time limits', () => {
    const config =
      'IdentityFile ~/.ssh/id_%h\nIdentitiesOnly yes\nServerAliveInterval 7\nServerAliveCountMax 2\nConnectTimeout 99\nUserKnownHostsFile ~/a "/b c"\nForwardAgent yes'
    expect(planned({ privateKeyFiles: ['/k'], sshArgs: ['-i', '~/cli', '-o', 'ConnectTimeout=3'] }, config)[0]).toMatchObject({
      identityFiles: ['/k', join(home, 'cli'), join(home, '.ssh/id_node1')],
      identitiesOnly: true,
      keepaliveSeconds: 7,
      keepaliveCount: 2,
      connectSeconds: 3,
      knownHostsFiles: [join(home, 'a'), '/b c', '/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
      forwardAgent: true,
    })
  })

  test.each([
    { hop: 'yes', config: '', args: [], is: 'yes' },
    { hop: 'yes', config: 'StrictHostKeyChecking accept-new', args: [], is: 'accept-new' },
    { hop: 'no', config: 'StrictHostKeyChecking yes', args: [], is: 'no' },
    { hop: 'yes', config: '', args: ['-oStrictHostKeyChecking=no'], is: 'no' },
    { hop: 'no', config: '', args: ['-o', 'StrictHostKeyChecking ask'], is: 'yes' },
  ] as const)('host key checking: $hop, “$config”, $args → $is', ({ hop, config, args, is }) => {
    expect(planned({ hostKeyChecking: hop, sshArgs: args }, config)[0]!.checking).toBe(is)
  })
})

test('without a key the usual files are tried, as far as they are there', () => {
  writeFileSync(join(home, '.ssh', 'id_rsa'), '')
  writeFileSync(join(home, '.ssh', 'id_ed25519'), '')
  expect(planned({})[0]!.identityFiles).toEqual([join(home, '.ssh', 'id_ed25519'), join(home, '.ssh', 'id_rsa')])
  expect(planned({ privateKey: 'text' })[0]!.identityFiles).toEqual([])
})

describe('the way to a host', () => {
  test.each([
    { name: '-J', args: ['-J', 'bastion'], is: ['me@bastion:22', 'me@node1:22'] },
    { name: 'several, first to last', args: ['-J', 'u@one:1,ssh://v@two:2'], is: ['u@one:1', 'v@two:2', 'me@node1:22'] },
    { name: '-o ProxyJump', args: ['-o', 'ProxyJump=jump@bastion:2222'], is: ['jump@bastion:2222', 'me@node1:22'] },
    { name: 'an address in brackets', args: ['-J', 'u@[fe80::1]:2222'], is: ['u@fe80::1:2222', 'me@node1:22'] },
    { name: 'none', args: ['-J', 'none'], config: 'ProxyJump bastion', is: ['me@node1:22'] },
    {
      name: 'in the config',
      args: [],
      config: 'Host node*\nProxyJump bastion\nHost bastion\nUser b\nPort 5\nHostName b.example',
      is: ['b@b.example:5', 'me@node1:22'],
    },
    {
      name: 'a jump host behind another',
      args: [],
      config: 'Host node*\nProxyJump inner\nHost inner\nProxyJump outer',
      is: ['me@outer:22', 'me@inner:22', 'me@node1:22'],
    },
    { name: 'ssh -W', args: ['-o', 'ProxyCommand=ssh -W %h:%p -q -p 2022 user@bastion'], is: ['user@bastion:2022', 'me@node1:22'] },
    {
      name: 'options after the destination',
      args: ['-o', 'ProxyCommand=ssh -F /dev/null -W %h:%p -q admin@bastion -p 33 -i /key'],
      is: ['admin@bastion:33', 'me@node1:22'],
    },
    {
      name: 'ssh and nc',
      args: ['-o', `ProxyCommand=ssh -o "StrictHostKeyChecking=no" bastion nc -w 5 %h %p`],
      is: ['me@bastion:22', 'me@node1:22'],
    },
    { name: 'a command stays a command', args: ['-o', 'ProxyCommand=nc %h %p'], is: ['me@node1:22'] },
    { name: 'a command with a pipe', args: ['-o', 'ProxyCommand=ssh -W %h:%p bastion 2>/dev/null'], is: ['me@node1:22'] },
  ])('$name', ({ args, config = '', is }) => {
    expect(way({ sshArgs: args }, config)).toEqual(is)
  })

  test('a jump host gets keys and policy, never the password', () => {
    const [jump] = planned({ sshArgs: ['-J', 'bastion'], password: 'secret', privateKeyFiles: ['/k'], hostKeyChecking: 'accept-new' })
    expect(jump).toMatchObject({ password: undefined, identityFiles: ['/k'], checking: 'accept-new' })
  })

  test('its own options reach an ssh in ProxyCommand', () => {
    const args = ['-o', 'ProxyCommand=ssh -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -i /other -W %h:%p b']
    expect(planned({ sshArgs: args, privateKeyFiles: ['/k'] })[0]).toMatchObject({
      knownHostsFiles: ['/dev/null', '/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
      checking: 'no',
      identityFiles: ['/k', '/other'],
    })
  })

  test('a command is filled in', () => {
    expect(planned({ sshArgs: ['-o', 'ProxyCommand=connect %r@%h:%p %%'], user: 'u' })[0]!.proxyCommand).toBe('connect u@node1:22 %')
  })

  test('a circle is told', () => {
    expect(() => way({}, 'Host node1 a\nProxyJump b\nHost b\nProxyJump a')).toThrow('jump hosts')
    expect(way({}, 'Host *\nProxyJump bastion')).toEqual(['me@bastion:22', 'me@node1:22'])
  })
})

describe('what only the system’s ssh can do', () => {
  test.each([
    { name: 'nothing', config: 'GSSAPIAuthentication yes', why: undefined },
    { name: 'tickets', args: ['-o', 'GSSAPIAuthentication=yes'], why: 'gssapiauthentication is set' },
    { name: 'tickets in a letter', args: ['-K'], why: 'gssapiauthentication is set' },
    { name: 'tickets first', config: 'PreferredAuthentications gssapi-with-mic,publickey', why: /^preferredauthentications/ },
    { name: 'cards', config: 'PKCS11Provider /lib/opensc.so', why: 'pkcs11provider is set' },
    { name: 'no cards', config: 'PKCS11Provider none', why: undefined },
    { name: 'keys from elsewhere', config: 'KnownHostsCommand /bin/keys %H', why: 'knownhostscommand is set' },
    { name: 'of another host', config: 'Host other\nPKCS11Provider /lib/opensc.so', why: undefined },
    { name: 'what is asked for', config: '', endpoint: { client: 'program' as const }, why: 'it is asked for' },
    { name: 'what is not wanted', config: 'PKCS11Provider /lib/x.so', endpoint: { client: 'library' as const }, why: undefined },
  ])('$name', ({ config = '', args = [], endpoint = {}, why }) => {
    const found = planned({ sshArgs: args }, config, endpoint)[0]!.needsProgram
    if (why instanceof RegExp) expect(found).toMatch(why)
    else expect(found).toBe(why)
  })

  test('keys in hardware', () => {
    const path = join(home, 'id_sk')
    writeFileSync(`${path}.pub`, 'sk-ssh-ed25519@openssh.com AAAA')
    expect(planned({ privateKeyFiles: [path] })[0]!.needsProgram).toBe(`${path} is a key in hardware`)
  })
})

test('ways of logging in', () => {
  const methods = (config: string) => planned({}, config)[0]!.methods
  expect(methods('')).toBeUndefined()
  expect(methods('PubkeyAuthentication no')).toEqual(['password', 'keyboard-interactive'])
  expect(methods('PreferredAuthentications password,publickey\nPasswordAuthentication no')).toEqual(['publickey'])
})

test('tokens and variables in names of files', () => {
  const config = 'Host node1\nHostName real\nUser u\nPort 5\nIdentityFile ~/%n/%h-%p-%r-%u-%%\nIdentityFile none\nCertificateFile ${HERE}/c'
  expect(planned({}, config)[0]).toMatchObject({
    identityFiles: [join(home, 'node1/real-5-u-me-%')],
    certificateFiles: ['/here/c'],
  })
})

test('words', () => {
  expect(readSshWords(['-qTp22', '-4', '-oUser=a', '-S', 'none', 'h', '-v', 'cmd', '-x'])).toEqual({
    options: [['port', '22'], ['addressfamily', 'inet'], ['user', 'a']], configFile: undefined, forward: undefined, destination: 'h', command: ['cmd', '-x'],
  }) // biome-ignore format: short
  expect(shellWords(`a 'b c' "d"e\\ f`)).toEqual(['a', 'b c', 'de f'])
  expect([shellWords('a | b'), shellWords('a $b'), shellWords('"a$b"'), shellWords('a 2>x')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
