import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runModule } from '../../../harness/local-host.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'system-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const text = (name: string): string => readFileSync(at(name), 'utf8')
const program = (name: string, body: string): void => {
  mkdirSync(at('bin'), { recursive: true })
  writeFileSync(join(at('bin'), name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}
const withPrograms = () => ({ path: `${at('bin')}:${process.env.PATH}` })

describe.each([['dash'], ['bash'], ['busybox sh']])('in %s', (name) => {
  const shell = name.split(' ')

  test('mount writes fstab, once, with a copy, keeping its mode', async () => {
    writeFileSync(at('fstab'), '/dev/sda1 / ext4 defaults 0 1\n', { mode: 0o640 })
    const args = { path: '/srv/case none', src: 'tmpfs', fstype: 'tmpfs', state: 'present', fstab: at('fstab'), backup: true }
    const first = await runModule('mount', args, { shell })
    expect(first.result).toMatchObject({ changed: true, name: '/srv/case none', opts: 'defaults', dump: '0', passno: '0', boot: 'yes' })
    expect(readFileSync(String(first.result.backup_file), 'utf8')).toBe('/dev/sda1 / ext4 defaults 0 1\n')
    expect(text('fstab')).toBe('/dev/sda1 / ext4 defaults 0 1\ntmpfs /srv/case\\040none tmpfs defaults 0 0\n')
    expect(statSync(at('fstab')).mode & 0o777).toBe(0o640)
    expect((await runModule('mount', args, { shell })).result.changed).toBe(false)
    expect(
      (await runModule('mount', { path: '/srv/case none', state: 'absent', fstab: at('fstab') }, { shell, check: true })).result.changed,
    ).toBe(true)
    expect((await runModule('mount', { path: '/srv/case none', state: 'absent', fstab: at('fstab') }, { shell })).result.changed).toBe(true)
    expect(text('fstab')).toBe('/dev/sda1 / ext4 defaults 0 1\n')
  })

  test('sysctl mends one line, follows a link and leaves the rest', async () => {
    program('sysctl', 'case "$*" in "-e -n a.b") echo 5 ;; -p*) echo loaded ;; *) exit 1 ;; esac')
    writeFileSync(at('real.conf'), '# head\n a.b = 4\nc.d=1\na.b=9\n')
    symlinkSync(at('real.conf'), at('link.conf'))
    const args = { name: 'a.b', value: '5', sysctl_file: at('link.conf'), reload: false }
    expect((await runModule('sysctl', args, { shell, ...withPrograms() })).result).toEqual({ changed: true, failed: false })
    expect(text('real.conf')).toBe('# head\na.b=5\nc.d=1\n')
    expect((await runModule('sysctl', args, { shell, ...withPrograms() })).result.changed).toBe(false)
    expect(
      (await runModule('sysctl', { ...args, value: undefined as never, state: 'absent' }, { shell, ...withPrograms() })).result.changed,
    ).toBe(true)
    expect(text('real.conf')).toBe('# head\nc.d=1\n')
  })

  test('cron writes a file of its own with a user column', async () => {
    const args = { name: 'j', cron_file: at('jobs'), user: 'root', job: "echo 'a b' 50\\%", special_time: 'daily' }
    expect((await runModule('cron', args, { shell })).result).toMatchObject({ changed: true, jobs: ['j'], envs: [], cron_file: at('jobs') })
    expect(text('jobs')).toBe("#Ansible: j\n@daily root echo 'a b' 50\\%\n")
    expect((await runModule('cron', args, { shell })).result.changed).toBe(false)
    expect((await runModule('cron', { name: 'j', cron_file: at('jobs'), state: 'absent' }, { shell })).result).toMatchObject({
      changed: true,
      state: 'absent',
    })
    expect(() => text('jobs')).toThrow()
  })

  test('a crontab goes through crontab', async () => {
    program(
      'crontab',
      `[ "$1" = -u ] && shift 2\ncase "$1" in -l) [ -f '${at('tab')}' ] || exit 1; cat '${at('tab')}' ;; -) cat >'${at('tab')}' ;; esac`,
    )
    const job = { name: 'x', job: '/bin/true', minute: '5' }
    expect((await runModule('cron', job, { shell, ...withPrograms() })).result).toMatchObject({ changed: true, jobs: ['x'] })
    expect(text('tab')).toBe('#Ansible: x\n5 * * * * /bin/true\n')
    expect((await runModule('cron', { ...job, user: 'kim' }, { shell, ...withPrograms() })).result.changed).toBe(false)
  })

  test('limits', async () => {
    writeFileSync(at('limits'), '# x\n* soft core 0 # why\n')
    const args = { domain: '*', limit_type: 'soft', limit_item: 'core', value: '10', dest: at('limits') }
    expect((await runModule('pam_limits', { ...args, use_min: true }, { shell })).result.changed).toBe(false)
    expect((await runModule('pam_limits', args, { shell })).result).toMatchObject({ changed: true, msg: '*\tsoft\tcore\t10\t# why\n' })
    expect(text('limits')).toBe('# x\n*\tsoft\tcore\t10\t# why\n')
    expect((await runModule('pam_limits', { ...args, value: 'many' }, { shell })).result.failed).toBe(true)
  })
})

describe('services without systemd', () => {
  const openrc = () => {
    writeFileSync(at('state'), 'stopped')
    program(
      'rc-service',
      `case "$2" in status) grep -q started '${at('state')}' || exit 3 ;; start|restart) echo started >'${at('state')}' ;; stop) echo stopped >'${at('state')}' ;; esac`,
    )
  }
  test('a service that is not there', async () => {
    openrc()
    const { result } = await runModule(
      'service',
      { name: 'no-such-service', state: 'started' },
      { ...withPrograms(), facts: { service_mgr: 'openrc' } },
    )
    expect(result).toMatchObject({ failed: true, msg: 'Could not find the requested service no-such-service: host' })
  })
})

test('package goes to the manager of the host, and says so when there is none', async () => {
  const none = await runModule('package', { name: 'x', state: 'present' }, { facts: { pkg_mgr: 'unknown' } })
  expect(none.result).toMatchObject({ failed: true })
  program('apk', 'case "$1 $2" in "info -e") exit 0 ;; esac')
  const apk = await runModule('package', { name: 'x', state: 'present' }, { ...withPrograms(), facts: { pkg_mgr: 'apk' } })
  expect(apk.result).toMatchObject({ changed: false, msg: 'package(s) already installed' })
})

test('getent', async () => {
  const one = await runModule('getent', { database: 'passwd', key: 'root' })
  expect(one.result).toMatchObject({
    changed: false,
    ansible_facts: { getent_passwd: { root: ['x', '0', '0', 'root', '/root', expect.any(String)] } },
  })
  expect((await runModule('getent', { database: 'passwd', key: 'no-such-user', fail_key: false })).result).toMatchObject({
    ansible_facts: { getent_passwd: { 'no-such-user': null } },
    failed: false,
  })
})

describe('systemd without a manager', () => {
  const args = { name: 'x', state: 'started' }
  test('in a chroot or offline it warns', async () => {
    program('systemctl', 'case "$1" in is-enabled) echo enabled ;; *) exit 1 ;; esac')
    const { result } = await runModule('systemd', args, { ...withPrograms(), env: { SYSTEMD_OFFLINE: '1' } })
    expect(result).toMatchObject({
      changed: false,
      failed: false,
      state: 'started',
      warnings: [expect.stringContaining('systemd is offline')],
    })
  })
  test('elsewhere it fails', async () => {
    program('systemctl', 'case "$1" in is-enabled) echo enabled ;; *) exit 1 ;; esac')
    expect((await runModule('systemd', args, withPrograms())).result).toMatchObject({ failed: true, msg: 'Service is in unknown state' })
  })
})

describe('systemd with a manager', () => {
  const unit = (active: string, enabled: string, load = 'loaded') =>
    program(
      'systemctl',
      `echo "$*" >>'${at('log')}'\ncase "$1" in show) printf 'LoadState=${load}\\nActiveState=${active}\\n' ;; is-enabled) echo ${enabled}; [ ${enabled} != disabled ] ;; show-environment) ;; esac`,
    )
  const did = () =>
    text('log')
      .split('\n')
      .filter((line) => !/^(show|is-enabled|show-environment)/.test(line) && line !== '')
  type Case = readonly [string, string, string, Record<string, string | boolean>, boolean, string[]]
  const cases: readonly Case[] = [
    ['runs already', 'active', 'enabled', { state: 'started', enabled: true }, false, []],
    ['is starting', 'activating', 'enabled', { state: 'started' }, false, []],
    ['stands', 'inactive', 'disabled', { state: 'started', enabled: true }, true, ['enable u', 'start u']],
    ['is stopping', 'deactivating', 'enabled', { state: 'stopped' }, true, ['stop u']],
    ['failed', 'failed', 'enabled', { state: 'stopped' }, false, []],
    ['is to be reloaded but stands', 'inactive', 'enabled', { state: 'reloaded' }, true, ['start u']],
    ['is to be restarted', 'active', 'enabled', { state: 'restarted' }, true, ['restart u']],
    ['is static', 'active', 'static', { enabled: true }, false, []],
    ['is indirect', 'active', 'indirect', { enabled: true }, true, ['enable u']],
    ['is to be masked', 'active', 'enabled', { masked: true }, true, ['mask u']],
    [
      'the manager is told first',
      'active',
      'enabled',
      { state: 'started', daemon_reload: true, no_block: true },
      false,
      ['--no-block daemon-reload'],
    ],
  ]
  test.each(cases)('%s', async (_name, active, enabled, args, changed, commands) => {
    writeFileSync(at('log'), '')
    unit(active, enabled)
    if (args.no_block) program('systemctl', readFileSync(join(at('bin'), 'systemctl'), 'utf8').replace('case "$1"', 'case "$2"'))
    const { result } = await runModule('systemd_service', { name: 'u', ...args }, withPrograms())
    expect([result.failed, result.changed]).toEqual([false, changed])
    expect(did().filter((line) => !/^--no-block (show|is-enabled)/.test(line))).toEqual(commands)
  })
  test('check mode does nothing but tells', async () => {
    writeFileSync(at('log'), '')
    unit('inactive', 'disabled')
    const { result } = await runModule(
      'systemd',
      { name: 'u', state: 'started', enabled: true, daemon_reload: true },
      { ...withPrograms(), check: true },
    )
    expect(result).toMatchObject({ changed: true, enabled: true, state: 'started', status: { ActiveState: 'inactive' } })
    expect(did()).toEqual([])
  })
  test('a unit that is not there', async () => {
    writeFileSync(at('log'), '')
    unit('inactive', 'disabled', 'not-found')
    expect((await runModule('systemd', { name: 'u', state: 'stopped' }, withPrograms())).result.msg).toBe(
      'Could not find the requested service u: host',
    )
    expect((await runModule('systemd', { name: 'u*', state: 'stopped' }, withPrograms())).result.msg).toContain(
      "found '*' in service name: u*",
    )
  })
})
