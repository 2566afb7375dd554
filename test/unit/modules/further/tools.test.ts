import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/index.ts'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tools-'))
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const has = (program: string): boolean => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; command -v ${program}`]).status === 0
const text = (name: string): string => readFileSync(at(name), 'utf8')
/** A program that writes down how it is called and does what the body says. */
const program = (name: string, body = ''): void =>
  writeFileSync(
    at(`bin/${name}`),
    `#!/bin/sh\nprintf '%s' "${name}" >>'${at('log')}'; for w; do printf ' [%s]' "$w" >>'${at('log')}'; done; echo >>'${at('log')}'\n${body}\n`,
    { mode: 0o755 },
  )
/** The calls since the last look. */
const calls = (): string[] => {
  const all = existsSync(at('log')) ? text('log').trim().split('\n') : []
  rmSync(at('log'), { force: true })
  return all
}

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const shell = name.split(' ')
  const run = async (module: string, args: JsonObject, more: object = {}) =>
    (await runModule(module, args, { shell, path: `${at('bin')}:${process.env['PATH']}`, ...more })).result
  const thrice = async (module: string, args: JsonObject) => [
    (await run(module, args, { check: true })).changed,
    (await run(module, args)).changed,
    (await run(module, args)).changed,
  ]

  test('interfaces_file', async () => {
    writeFileSync(at('i'), 'auto lo\niface eth0 inet static\n    address 10.0.0.1\n    up echo a\n\niface eth0 inet6 auto\n')
    const file = { dest: at('i'), iface: 'eth0', address_family: 'inet' }
    expect(await thrice('interfaces_file', { ...file, option: 'address', value: "1'$(x)" })).toEqual([true, true, false])
    expect(await thrice('interfaces_file', { ...file, option: 'mtu', value: '9000' })).toEqual([true, true, false])
    expect(await thrice('interfaces_file', { ...file, option: 'up', value: 'echo b' })).toEqual([true, true, false])
    expect(text('i')).toBe(
      "auto lo\niface eth0 inet static\n    address 1'$(x)\n    up echo a\n    up echo b\n    mtu 9000\n\niface eth0 inet6 auto\n",
    )
    expect(await thrice('interfaces_file', { ...file, option: 'up', state: 'absent' })).toEqual([true, true, false])
    expect(await run('interfaces_file', { dest: at('i') })).toMatchObject({
      changed: false,
      ifaces: { eth0: { address_family: 'inet6', method: 'auto', up: [] } },
    })
    expect(await run('interfaces_file', { ...file, iface: 'none', option: 'a', value: '1' })).toMatchObject({
      failed: true,
      msg: 'Error: interface none not found',
    })
  })

  test('kernel_blacklist', async () => {
    const args = { name: 'a.b', blacklist_file: at('bl') }
    expect(await thrice('kernel_blacklist', args)).toEqual([true, true, false])
    expect(text('bl')).toBe('blacklist a.b\n')
    expect(await thrice('kernel_blacklist', { ...args, state: 'absent' })).toEqual([true, true, false])
  })

  test('ssh_config', async () => {
    writeFileSync(at('c'), '# top\nHost a b\n  HostName=x\n  IdentityFile ~/1\n  IdentityFile ~/2\n\nHost c\n    User  kim\n')
    const args = { ssh_config_file: at('c'), host: 'c', hostname: "h'$(x)", forward_agent: true }
    expect(await thrice('ssh_config', args)).toEqual([true, true, false])
    expect(text('c')).toBe(
      "# top\nHost a b\n    hostname x\n    identityfile ~/1\n    identityfile ~/2\n\nHost c\n    user kim\n    hostname h'$(x)\n    forwardagent yes\n",
    )
    expect(await run('ssh_config', { ssh_config_file: at('c'), host: 'new', port: '22' })).toMatchObject({
      changed: true,
      hosts_added: ['new'],
    })
    expect(await thrice('ssh_config', { ssh_config_file: at('c'), host: 'c', state: 'absent' })).toEqual([true, true, false])
  })

  test('cronvar', async () => {
    program(
      'crontab',
      `[ "$1" = -u ] && shift 2; case $1 in -l) [ -f '${at('tab')}' ] && cat '${at('tab')}' || exit 1 ;; *) cat >'${at('tab')}' ;; esac`,
    )
    expect((await run('cronvar', { name: 'MAILTO', value: "a'$(x)" })).changed).toBe(true)
    expect((await run('cronvar', { name: 'MAILTO', value: "a'$(x)" })).changed).toBe(false)
    expect(await run('cronvar', { name: 'B', value: '1', insertafter: 'MAILTO' })).toMatchObject({ changed: true, vars: ['MAILTO', 'B'] })
    expect(text('tab')).toBe("MAILTO=a'$(x)\nB=1\n")
    expect(await run('cronvar', { name: 'B', state: 'absent' })).toMatchObject({ changed: true, vars: ['MAILTO'] })
    expect(await run('cronvar', { name: 'X', value: '1', cron_file: at('cf') })).toMatchObject({ changed: true, cron_file: at('cf') })
  })

  test('xattr and capabilities', async () => {
    writeFileSync(at('f'), '')
    program('getfattr', `echo '# file: f'; echo 'user.foo="bar"'`)
    program('setfattr')
    expect(await run('xattr', { path: at('f'), key: 'foo' })).toMatchObject({ changed: false, xattr: { 'user.foo': 'bar' } })
    expect(await run('xattr', { path: at('f'), key: 'foo', value: 'bar' })).toMatchObject({ changed: false })
    calls()
    expect(await run('xattr', { path: at('f'), key: 'foo', value: "b'$(x)", follow: false })).toMatchObject({
      changed: true,
      msg: "user.foo set to b'$(x)",
    })
    expect(calls().at(-1)).toBe(`setfattr [-h] [-n] [user.foo] [-v] [b'$(x)] [${at('f')}]`)
    program('getcap', `echo "$2 cap_net_admin,cap_net_raw=ep"`)
    program('setcap')
    expect(await run('capabilities', { path: at('f'), capability: 'cap_net_raw=ep' })).toMatchObject({ changed: false })
    expect(await run('capabilities', { path: at('f'), capability: 'cap_net_raw', state: 'absent' }, { check: true })).toMatchObject({
      changed: true,
    })
    calls()
    expect(await run('capabilities', { path: at('f'), capability: 'cap_net_raw', state: 'absent' })).toMatchObject({ changed: true })
    expect(calls().at(-1)).toBe(`setcap [cap_net_admin=ep] [${at('f')}]`)
  })

  test('firewalld asks and says each kind by its own words', async () => {
    program(
      'firewall-cmd',
      `case "$*" in --state) ;; --get-default-zone) echo public ;; *--get-zones) echo public home ;; *--get-target) echo default ;; *--query-*) [ -f '${at('yes')}' ] ;; esac`,
    )
    const base = { permanent: true, immediate: true, state: 'enabled' }
    const changes = async (args: JsonObject) => {
      const { changed, msg } = await run('firewalld', args)
      return [changed, msg, ...calls().filter((line) => /--(add|remove|change|new|delete|set)-/.test(line))]
    }
    expect(await changes({ ...base, service: 'https' })).toEqual([
      true,
      'Permanent and Non-Permanent(immediate) operation, Changed service https to enabled',
      'firewall-cmd [--permanent] [--zone=public] [--add-service=https]',
      'firewall-cmd [--zone=public] [--add-service=https]',
    ])
    expect(await changes({ state: 'enabled', port: '80/tcp', timeout: 9, zone: 'home' })).toEqual([
      true,
      'Non-permanent operation, Changed port 80/tcp to enabled',
      'firewall-cmd [--zone=home] [--add-port=80/tcp] [--timeout=9]',
    ])
    expect(await changes({ state: 'enabled', permanent: true, masquerade: 'no' })).toEqual([false, 'Permanent operation'])
    expect(await changes({ state: 'present', permanent: true, zone: 'new' })).toEqual([
      true,
      'Permanent operation, Added zone new, Changed zone new to present',
      'firewall-cmd [--permanent] [--new-zone=new]',
    ])
    expect(await changes({ state: 'enabled', permanent: true, zone: 'home', target: 'DROP' })).toEqual([
      true,
      'Permanent operation, Set zone home target to DROP',
      'firewall-cmd [--permanent] [--zone=home] [--set-target=DROP]',
    ])
    writeFileSync(at('yes'), '')
    expect(await changes({ ...base, rich_rule: "rule a'b" })).toEqual([false, 'Permanent and Non-Permanent(immediate) operation'])
    expect(await changes({ state: 'disabled', permanent: true, port_forward: [{ port: '1', proto: 'tcp', toport: '2' }] })).toEqual([
      true,
      'Permanent operation, Changed port_forward port=1:proto=tcp:toport=2:toaddr= to disabled',
      'firewall-cmd [--permanent] [--zone=public] [--remove-forward-port=port=1:proto=tcp:toport=2]',
    ])
    expect(await run('firewalld', { state: 'present', service: 'x' })).toMatchObject({ failed: true })
  })

  test('lvg and lvol', async () => {
    program('pvs', `[ -f '${at('vg')}' ] && echo '  ${at('d1')};vg0'; :`)
    program(
      'vgs',
      `case "$*" in *vg_extent_size*) echo '  vg0;100.00;60.00;4.00' ;; *) [ -f '${at('vg')}' ] && echo '  vg0;1;1'; : ;; esac`,
    )
    program('lvs', `echo '  root;40.00;-wi-a-----'; echo '  [pool_tdata];4.00;Twi-ao----'`)
    for (const tool of ['pvcreate', 'vgextend', 'vgreduce', 'vgremove', 'lvcreate', 'lvextend', 'lvreduce', 'lvchange', 'lvremove'])
      program(tool)
    program('vgcreate', `: >'${at('vg')}'`)
    for (const disk of ['d1', 'd2']) writeFileSync(at(disk), '')
    const changing = () => calls().filter((line) => !/^(pvs|vgs|lvs) /.test(line))
    expect(await thrice('lvg', { vg: 'vg0', pvs: [at('d1')], pesize: '8' })).toEqual([true, true, false])
    expect(changing()).toEqual([`pvcreate [-f] [${at('d1')}]`, `vgcreate [-s] [8] [vg0] [${at('d1')}]`])
    expect((await run('lvg', { vg: 'vg0', pvs: [at('d2')] })).changed).toBe(true)
    expect(changing()).toEqual([`pvcreate [-f] [${at('d2')}]`, `vgextend [vg0] [${at('d2')}]`, `vgreduce [--force] [vg0] [${at('d1')}]`])
    expect(await run('lvg', { vg: 'vg0', state: 'absent' })).toMatchObject({ failed: true })
    expect(await run('lvg', { vg: 'vg0', pvs: [at('none')] })).toMatchObject({ failed: true, msg: `Device ${at('none')} not found.` })
    const ask = async (args: JsonObject) => [(await run('lvol', { vg: 'vg0', ...args })).changed, ...changing()]
    expect(await ask({ lv: 'new', size: '1G', opts: '-r 16' })).toEqual([true, 'lvcreate [--yes] [-n] [new] [-L] [1G] [-r] [16] [vg0]'])
    expect(await ask({ lv: 'new', size: '50%FREE' })).toEqual([true, 'lvcreate [--yes] [-n] [new] [-l] [50%FREE] [vg0]'])
    expect(await ask({ lv: 'root', size: '40' })).toEqual([false])
    expect(await ask({ lv: 'root', size: '48', resizefs: true })).toEqual([true, 'lvextend [--resizefs] [-L] [48m] [vg0/root]'])
    expect(await ask({ lv: 'root', size: '+50%FREE' })).toEqual([true, 'lvextend [-l] [+50%FREE] [vg0/root]'])
    expect(await ask({ lv: 'root', size: '8', shrink: false })).toEqual([false])
    expect(await ask({ lv: 'root', size: '8', force: true })).toEqual([true, 'lvreduce [--force] [-L] [8m] [vg0/root]'])
    expect(await ask({ lv: 'root', active: false })).toEqual([true, 'lvchange [-an] [vg0/root]'])
    expect(await ask({ lv: 'root', snapshot: 's', size: '4' })).toEqual([true, 'lvcreate [--yes] [-L] [4m] [-s] [-n] [s] [vg0/root]'])
    expect(await ask({ lv: 'root', state: 'absent', force: true })).toEqual([true, 'lvremove [--force] [vg0/root]'])
    expect(await run('lvol', { vg: 'vg0', lv: 'root', size: '8' })).toMatchObject({ failed: true })
    expect(await run('lvol', { vg: 'vg0', lv: 'new' })).toMatchObject({ failed: true, msg: 'No size given.' })
  })

  test('what SELinux is told by semanage', async () => {
    program(
      'semanage',
      `case "$*" in 'fcontext -l -n') printf '/srv(/.*)?      all files          system_u:object_r:var_t:s0 \\n/run = /var/run\\n' ;; 'port -l -n') echo 'http_port_t                    tcp      80, 81, 8000-8010' ;; 'permissive -l -n') echo httpd_t ;; esac`,
    )
    const ask = async (module: string, args: JsonObject) => [
      (await run(module, args, { check: true })).changed,
      (await run(module, args)).changed,
      ...calls().filter((line) => !line.includes('[-l]')),
    ]
    const context = { target: '/srv(/.*)?', ignore_selinux_state: true }
    expect(await ask('sefcontext', { ...context, setype: 'var_t' })).toEqual([false, false])
    expect(await ask('sefcontext', { ...context, setype: 'web_t', reload: false })).toEqual([
      true,
      true,
      'semanage [fcontext] [-m] [-N] [-t] [web_t] [-f] [a] [-r] [s0] [-s] [system_u] [/srv(/.*)?]',
    ])
    expect(await ask('sefcontext', { ...context, state: 'absent' })).toEqual([true, true, 'semanage [fcontext] [-d] [-f] [a] [/srv(/.*)?]'])
    expect(await ask('sefcontext', { target: '/run', substitute: '/other', ignore_selinux_state: true })).toEqual([
      true,
      true,
      'semanage [fcontext] [-m] [-e] [/other] [/run]',
    ])
    const port = { setype: 'http_port_t', proto: 'tcp', ignore_selinux_state: true }
    expect(await ask('seport', { ...port, ports: ['81', '8000-8010'] })).toEqual([false, false])
    expect(await ask('seport', { ...port, ports: '9' })).toEqual([
      true,
      true,
      'semanage [port] [-a] [-t] [http_port_t] [-r] [s0] [-p] [tcp] [9]',
    ])
    expect(await ask('seport', { ...port, ports: '80', state: 'absent' })).toEqual([true, true, 'semanage [port] [-d] [-p] [tcp] [80]'])
    expect(await ask('selinux_permissive', { name: 'httpd_t', permissive: true })).toEqual([false, false])
    expect(await ask('selinux_permissive', { name: 'httpd_t', permissive: false })).toEqual([
      true,
      true,
      'semanage [permissive] [-d] [httpd_t]',
    ])
  })

  test('snap, yarn, bundler, pipx, zypper_repository, dnf_config_manager', async () => {
    const last = () => calls().at(-1)
    program(
      'snap',
      `case $1 in list) [ "$2" = there ] || exit 1; printf 'Name V R T P Notes\\nthere 1 2 x y disabled\\n' ;; get) echo '{"a":{"b":true}}' ;; esac`,
    )
    expect(await run('snap', { name: ['there'] })).toMatchObject({ changed: false, channel: 'stable' })
    expect(await run('snap', { name: ['there', 'new'], classic: true })).toMatchObject({
      changed: true,
      snaps_installed: ['new'],
      cmd: 'snap install --classic new',
    })
    expect(await run('snap', { name: 'there', options: ['a.b=True', 'a.c=2'] })).toMatchObject({
      changed: true,
      options_changed: ['there:a.c=2'],
    })
    expect(await run('snap', { name: 'there', state: 'enabled' })).toMatchObject({ changed: true, snaps_enabled: ['there'] })
    expect(await run('snap', { name: 'none', state: 'absent' })).toMatchObject({ changed: false })
    mkdirSync(at('app'))
    for (const file of ['package.json', 'yarn.lock']) writeFileSync(at(`app/${file}`), '{}')
    program('yarn', `case $1 in list) echo '{"type":"tree","data":{"trees":[{"name":"@s/a@1.0.0"}]}}' ;; esac`)
    expect(await run('yarn', { path: at('app'), name: '@s/a' })).toMatchObject({ changed: false })
    expect(await run('yarn', { path: at('app'), name: 'b', version: '2', production: true })).toMatchObject({ changed: true })
    expect(last()).toBe('yarn [add] [b@2] [--production]')
    expect(await run('yarn', { path: at('app'), name: '@s/a', state: 'absent' }, { check: true })).toMatchObject({ changed: true })
    program('bundle', 'echo Installing x')
    expect(await run('bundler', { chdir: folder, exclude_groups: ['a', 'b'], user_install: false })).toMatchObject({
      changed: true,
      state: 'present',
    })
    expect(last()).toBe('bundle [install] [--without] [a:b] [--system]')
    program(
      'pipx',
      `case $1 in list) echo '{"venvs":{"tox":{"metadata":{"main_package":{"package_version":"3"},"injected_packages":{}}}}}' ;; esac`,
    )
    expect(await run('pipx', { name: 'tox', executable: at('bin/pipx') })).toMatchObject({
      changed: false,
      application: { tox: { version: '3' } },
    })
    expect(await run('pipx', { name: 'nox', source: "a'$(x)", executable: at('bin/pipx') })).toMatchObject({
      changed: true,
      cmd: [at('bin/pipx'), 'install', "a'$(x)"],
    })
    program(
      'zypper',
      `case "$*" in *--xmlout*) echo '<stream><repo-list><repo alias="a" name="A" priority="99" enabled="1" autorefresh="1" gpgcheck="1"><url>http://x/y</url></repo></repo-list></stream>' ;; --version) echo 'zypper 1.14.1' ;; esac`,
    )
    expect(await run('zypper_repository', { name: 'a', repo: 'http://x/y/' })).toMatchObject({ changed: false })
    calls()
    expect(await run('zypper_repository', { name: 'a', repo: 'http://x/z', disable_gpg_check: true, priority: 5 })).toMatchObject({
      changed: true,
    })
    expect(calls().slice(-2)).toEqual([
      'zypper [--quiet] [--non-interactive] [removerepo] [http://x/y]',
      'zypper [--quiet] [--non-interactive] [addrepo] [--check] [--priority] [5] [--no-gpgcheck] [--refresh] [http://x/z] [a]',
    ])
    program(
      'dnf',
      `case "$*" in repolist*) printf 'Repo-id            : a\\nRepo-status        : %s\\n' "$(cat '${at('state')}')" ;; *enabled*) printf enabled >'${at('state')}' ;; esac`,
    )
    writeFileSync(at('state'), 'disabled')
    expect(await thrice('dnf_config_manager', { name: ['a'] })).toEqual([true, true, false])
    expect(await run('dnf_config_manager', { name: ['none'] })).toMatchObject({ failed: true })
  })

  test.runIf(has('script'))('expect answers questions on a terminal', async () => {
    writeFileSync(at('q'), 'printf "Name: "; read n; printf "Pass word: "; read p; tty -s && echo "got $n/$p"; exit ${1:-0}\n')
    const args = { command: `sh ${at('q')}`, responses: { Name: 'kim', '(?i)pass word': "s3'$(x)" } }
    expect(await run('expect', args)).toMatchObject({ changed: true, rc: 0, stdout: "Name: Pass word: got kim/s3'$(x)" })
    expect(await run('expect', { ...args, command: `sh ${at('q')} 3` })).toMatchObject({ failed: true, rc: 3, msg: 'non-zero return code' })
    expect(await run('expect', { ...args, responses: { ': $': ['a'] } })).toMatchObject({
      failed: true,
      msg: "No remaining responses for ': $', output was 'b'Pass word: ''",
    })
    expect(await run('expect', { ...args, responses: {}, timeout: 1 })).toMatchObject({
      failed: true,
      rc: null,
      msg: 'command exceeded timeout',
    })
    expect(await run('expect', { ...args, creates: at('q') })).toMatchObject({ changed: false, rc: 0 })
    expect(await run('expect', { ...args, command: 'no-such-program' })).toMatchObject({ failed: true })
  })
})

test('keys, requests and what is told of them', async () => {
  const run = async (module: string, args: JsonObject, more: object = {}) =>
    (await runModule(`community.crypto.${module}`, args, more)).result
  const openssl = (...words: string[]): string =>
    execFileSync('openssl', words, { encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'key')
  openssl(
    'req',
    '-new',
    '-key',
    'key',
    '-subj',
    '/CN=a',
    '-addext',
    'nameConstraints=critical,permitted;DNS:.b,excluded;IP:10.0.0.0/255.0.0.0',
    '-out',
    'csr',
  )
  openssl('req', '-x509', '-new', '-key', 'key', '-subj', '/CN=a', '-out', 'crt')
  const pub = { path: at('pub'), privatekey_path: at('key') }
  expect((await run('openssl_publickey', pub, { check: true })).changed).toBe(true)
  expect(existsSync(at('pub'))).toBe(false)
  expect((await run('openssl_publickey', pub)).changed).toBe(true)
  expect((await run('openssl_publickey', pub)).changed).toBe(false)
  expect(text('pub')).toBe(openssl('pkey', '-in', 'key', '-pubout'))
  const told = { type: 'ECC', public_data: { curve: 'secp256r1', exponent_size: 256 } }
  expect(await run('openssl_publickey_info', { path: at('pub') })).toMatchObject(told)
  expect(await run('openssl_privatekey_info', { path: at('key'), check_consistency: true })).toMatchObject({
    ...told,
    key_is_consistent: true,
  })
  expect(await run('openssl_privatekey_info', { path: at('csr') })).toMatchObject({
    failed: true,
    can_load_key: true,
    can_parse_key: false,
  })
  expect((await run('openssl_publickey', { ...pub, format: 'OpenSSH' })).changed).toBe(true)
  copyFileSync(at('key'), at('ssh'))
  execFileSync('chmod', ['600', at('ssh')])
  expect(text('pub')).toBe(execFileSync('ssh-keygen', ['-y', '-f', at('ssh')], { encoding: 'utf8' }).trim())
  expect(await run('openssl_csr_info', { path: at('csr') })).toMatchObject({
    signature_valid: true,
    subject: { commonName: 'a' },
    name_constraints_permitted: ['DNS:.b'],
    name_constraints_excluded: ['IP:10.0.0.0/8'],
    name_constraints_critical: true,
  })
  const { signature } = await run('openssl_signature', { path: at('csr'), privatekey_path: at('key') })
  const check = { certificate_path: at('crt'), signature: signature! }
  expect(await run('openssl_signature_info', { path: at('csr'), ...check })).toMatchObject({ valid: true })
  expect(await run('openssl_signature_info', { path: at('key'), ...check })).toMatchObject({ valid: false })
  const dh = { path: at('dh'), size: 512 }
  expect((await run('openssl_dhparam', dh, { check: true })).changed).toBe(true)
  expect((await run('openssl_dhparam', dh)).changed).toBe(true)
  expect((await run('openssl_dhparam', dh)).changed).toBe(false)
  writeFileSync(at('index'), 'R\t300101000000Z\t240101000000Z,keyCompromise\t0A\tunknown\t/CN=x\n')
  writeFileSync(at('number'), '01\n')
  writeFileSync(at('cnf'), `[ca]\ndefault_ca=d\n[d]\ndatabase=${at('index')}\ncrlnumber=${at('number')}\ndefault_md=sha256\n`)
  openssl('ca', '-config', 'cnf', '-gencrl', '-keyfile', 'key', '-cert', 'crt', '-crldays', '9', '-out', 'crl')
  expect(await run('x509_crl_info', { path: at('crl') })).toMatchObject({
    format: 'pem',
    digest: 'ecdsa-with-SHA256',
    issuer: { commonName: 'a' },
    revoked_certificates: [{ serial_number: 10, reason: 'key_compromise', revocation_date: '20240101000000Z', issuer: null }],
  })
})

test('requests and certificates without files, and those that servers show', async () => {
  const run = async (module: string, args: JsonObject, more: object = {}) =>
    (await runModule(`community.crypto.${module}`, args, more)).result
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', at('key')])
  const ask = { privatekey_path: at('key'), common_name: "a'$(x)", subject_alt_name: ['DNS:b'] }
  expect(await run('openssl_csr_pipe', ask, { check: true })).toMatchObject({ changed: true, csr: null })
  const { csr } = await run('openssl_csr_pipe', ask)
  expect(await run('openssl_csr_pipe', { ...ask, content: csr! })).toMatchObject({ changed: false, csr })
  expect(await run('openssl_csr_pipe', { ...ask, content: csr!, common_name: 'c' })).toMatchObject({
    changed: true,
    subject: [['CN', 'c']],
  })
  const sign = { provider: 'selfsigned', privatekey_path: at('key'), csr_content: csr! }
  const { certificate, notAfter } = await run('x509_certificate_pipe', sign)
  expect(notAfter).toMatch(/^\d{14}Z$/)
  expect(await run('x509_certificate_pipe', { ...sign, content: certificate! })).toMatchObject({ changed: false, certificate })
  writeFileSync(at('crt'), String(certificate))
  const server = createServer({ key: text('key'), cert: String(certificate) })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const get = { host: '127.0.0.1', port, asn1_base64: true }
  const shown = await run('get_certificate', get)
  expect(shown).toMatchObject({ changed: false, cert: certificate, subject: { CN: "a'$(x)" }, expired: false, version: 2 })
  expect(shown['extensions']).toContainEqual({ critical: false, asn1_data: 'MAOCAWI=', name: 'subjectAltName' })
  expect(await run('get_certificate', { ...get, ca_cert: at('crt') })).toMatchObject({ cert: certificate })
  server.close()
  expect(await run('get_certificate', { ...get, port: 1 })).toMatchObject({ failed: true })
})

test('archives of keys and certificates', async () => {
  const run = async (args: JsonObject, more: object = {}) => (await runModule('openssl_pkcs12', args, more)).result
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', at('key')])
  for (const name of ['a', 'b'])
    execFileSync('openssl', ['req', '-x509', '-new', '-key', at('key'), '-subj', `/CN=${name}`, '-out', at(name)], { stdio: 'ignore' })
  const args = { path: at('p12'), privatekey_path: at('key'), certificate_path: at('a'), friendly_name: "n'$(x)", passphrase: "p w'$" }
  expect(await run(args, { check: true })).toMatchObject({ changed: true, filename: at('p12') })
  expect(existsSync(at('p12'))).toBe(false)
  expect(await run(args)).toMatchObject({ changed: true, mode: '0400' })
  expect(await run(args)).toMatchObject({ changed: false, mode: '0400' })
  const more = { ...args, other_certificates: [at('b')] }
  expect((await run(more, { check: true })).changed).toBe(true)
  expect((await run(more)).changed).toBe(true)
  expect((await run(more)).changed).toBe(false)
  expect((await run({ ...more, friendly_name: 'z' }, { check: true })).changed).toBe(true)
  const parse = { action: 'parse', src: at('p12'), path: at('pem'), passphrase: "p w'$" }
  expect((await run(parse)).changed).toBe(true)
  expect((await run(parse)).changed).toBe(false)
  expect(text('pem')).toBe(`${text('key')}${text('a')}${text('b')}`)
  expect(await run({ ...parse, passphrase: 'wrong' })).toMatchObject({ failed: true })
  expect((await run({ path: at('p12'), state: 'absent' })).changed).toBe(true)
})
