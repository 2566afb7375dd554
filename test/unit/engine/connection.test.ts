import { describe, expect, it } from 'vitest'
import type { Value } from '../../../src/base/index.ts'
import { becomeOf, type ConnectionDefaults, type ConnectionKeywords, endpointOf, splitWords } from '../../../src/engine/connection.ts'

const defaults: ConnectionDefaults = {
  connection: 'ssh',
  remoteUser: undefined,
  port: undefined,
  privateKeyFile: undefined,
  password: undefined,
  hostKeyChecking: true,
  timeoutSeconds: 10,
  retries: 0,
  sshArgs: '',
  sshCommonArgs: '',
  sshExtraArgs: '',
  become: false,
  becomeMethod: 'sudo',
  becomeUser: 'root',
  becomePassword: undefined,
  becomeFlags: undefined,
  becomeExe: undefined,
  agent: undefined,
  home: '/home/me',
}

const nothing: ConnectionKeywords = {
  connection: undefined,
  port: undefined,
  remoteUser: undefined,
  become: undefined,
  becomeMethod: undefined,
  becomeUser: undefined,
  becomeFlags: undefined,
  becomeExe: undefined,
}

const endpoint = (
  vars: Record<string, Value>,
  keywords: Partial<ConnectionKeywords> = {},
  more: Partial<ConnectionDefaults> = {},
  implicit = false,
  host = 'web1',
) => endpointOf(host, implicit, (name) => vars[name], { ...nothing, ...keywords }, { ...defaults, ...more })

describe('where a task is sent', () => {
  const cases: readonly [string, ReturnType<typeof endpoint>, Record<string, unknown>][] = [
    ['the name itself', endpoint({}), { host: 'web1', port: 0, user: '' }],
    [
      'ansible_host, port and user',
      endpoint({ ansible_host: '10.0.0.1', ansible_port: 2222, ansible_user: 'admin' }),
      { host: '10.0.0.1', port: 2222, user: 'admin' },
    ],
    [
      'the older names',
      endpoint({ ansible_ssh_host: 'h', ansible_ssh_port: '22', ansible_ssh_user: 'u' }),
      { host: 'h', port: 22, user: 'u' },
    ],
    ['variables beat keywords', endpoint({ ansible_user: 'v' }, { remoteUser: 'k' }), { user: 'v' }],
    ['keywords beat the command line', endpoint({}, { remoteUser: 'k' }, { remoteUser: 'c' }), { user: 'k' }],
    ['the command line beats nothing', endpoint({}, {}, { remoteUser: 'c' }), { user: 'c' }],
    ['a key below home', endpoint({ ansible_ssh_private_key_file: '/k' }), { privateKeyFiles: ['/k'] }],
    ['host keys are checked', endpoint({}), { hostKeyChecking: 'yes' }],
    ['but for hosts that say no', endpoint({ ansible_host_key_checking: 'false' }), { hostKeyChecking: 'no' }],
    [
      'arguments of ssh as words',
      endpoint({ ansible_ssh_common_args: "-o ProxyCommand='ssh -W %h:%p b'" }),
      { sshArgs: ['-o', 'ProxyCommand=ssh -W %h:%p b'] },
    ],
  ]
  it.each(cases)('%s', (_name, found, wanted) => {
    expect(found.hops[0]).toMatchObject(wanted)
  })

  it('is this machine for local connections and the implicit localhost', () => {
    expect(endpoint({ ansible_connection: 'local' }).kind).toBe('local')
    expect(endpoint({}, {}, {}, true, 'localhost').kind).toBe('local')
    expect(endpoint({}, { connection: 'local' }).kind).toBe('local')
    expect(endpoint({ ansible_connection: 'ssh' }, { connection: 'local' }).kind).toBe('ssh')
  })

  it.each([
    ['ssh', {}, undefined, undefined],
    ['smart', {}, undefined, undefined],
    ['paramiko_ssh', {}, undefined, undefined],
    ['ansible.builtin.paramiko_ssh', {}, undefined, undefined],
    ['ssh2', {}, 'library', undefined],
    ['openssh', {}, 'program', undefined],
    ['openssh', { ansible_ssh_executable: '/opt/ssh' }, 'program', '/opt/ssh'],
    ['ssh', { ansible_ssh_executable: '~/bin/ssh' }, 'program', `${process.env['HOME']}/bin/ssh`],
  ] as const)('whose ssh: %s with %j', (kind, vars, client, executable) => {
    const found = endpoint({ ansible_connection: kind, ...vars })
    expect([found.kind, found.client, found.executable]).toEqual(['ssh', client, executable])
  })

  it('refuses a connection it does not know', () => {
    expect(() => endpoint({ ansible_connection: 'winrm' })).toThrow(/'winrm' is not known/)
  })
})

describe('whom a task becomes', () => {
  const become = (vars: Record<string, Value>, keywords: Partial<ConnectionKeywords> = {}, more: Partial<ConnectionDefaults> = {}) =>
    becomeOf((name) => vars[name], { ...nothing, ...keywords }, { ...defaults, ...more })
  const cases: readonly [string, ReturnType<typeof become>, unknown][] = [
    ['nobody', become({}), undefined],
    ['root by keyword', become({}, { become: true }), { method: 'sudo', user: 'root' }],
    ['by the text yes', become({}, { become: 'yes' }), { method: 'sudo' }],
    ['variables beat keywords', become({ ansible_become: false }, { become: true }), undefined],
    ['another user', become({ ansible_become: true, ansible_become_user: 'etcd' }), { user: 'etcd' }],
    ['the method’s own variables first', become({ ansible_become: true, ansible_sudo_user: 'a', ansible_become_user: 'b' }), { user: 'a' }],
    ['a method by its full name', become({}, { become: true, becomeMethod: 'ansible.builtin.su' }), { method: 'su' }],
    ['the password of the command line', become({}, { become: true }, { becomePassword: 'p' }), { password: 'p' }],
  ]
  it.each(cases)('%s', (_name, found, wanted) => {
    if (wanted === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(wanted as object)
  })
})

describe('words of an option text', () => {
  it.each([
    ['-o A=1  -v', ['-o', 'A=1', '-v']],
    ["-o 'a b'", ['-o', 'a b']],
    ['"a \\"b\\"" c\\ d', ['a "b"', 'c d']],
    ["''", ['']],
    ['', []],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })
})
