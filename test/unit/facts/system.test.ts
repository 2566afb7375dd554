import { describe, expect, test } from 'vitest'
import { local } from '../../../src/facts/collectors/local.ts'
import { pkgMgr, serviceMgr } from '../../../src/facts/collectors/managers.ts'
import { dateTime, sshPubKeys, user } from '../../../src/facts/collectors/people.ts'
import { platform } from '../../../src/facts/collectors/platform.ts'
import { caps, cmdline, dns, env, lsb, selinux } from '../../../src/facts/collectors/system.ts'
import { virtual } from '../../../src/facts/collectors/virtual.ts'
import { lookOf, type Parts } from './looks.ts'

describe('package manager', () => {
  const cases: readonly (readonly [string, string, Parts, string])[] = [
    ['Debian', 'Debian', { exists: ['/usr/bin/apt-get', '/usr/bin/dnf-3'] }, 'apt'],
    ['RHEL 9', 'RedHat', { exists: ['/usr/bin/yum', '/usr/bin/dnf'], sections: { 'k:/usr/bin/dnf': 'dnf-3' } }, 'dnf'],
    ['Fedora 41', 'RedHat', { exists: ['/usr/bin/dnf'], sections: { 'k:/usr/bin/dnf': 'dnf5' } }, 'dnf5'],
    ['CentOS 7', 'RedHat', { exists: ['/usr/bin/yum'] }, 'yum'],
    ['ostree', 'RedHat', { exists: ['/usr/bin/dnf', '/run/ostree-booted'] }, 'atomic_container'],
    ['SUSE', 'Suse', { exists: ['/usr/bin/zypper'] }, 'zypper'],
    ['Alpine', 'Alpine', { exists: ['/sbin/apk'] }, 'apk'],
    ['Arch', 'Archlinux', { exists: ['/usr/bin/pacman'] }, 'pacman'],
    ['none', 'Flatcar', {}, 'unknown'],
  ]
  test.each(cases)('%s', (_name, family, parts, expected) =>
    expect(pkgMgr.parse(lookOf(parts), { os_family: family })).toEqual({ pkg_mgr: expected }),
  )
})

describe('service manager', () => {
  const cases: readonly (readonly [string, Parts, string])[] = [
    ['systemd', { files: { '/proc/1/comm': 'systemd\n' } }, 'systemd'],
    ['a shell in a container', { files: { '/proc/1/comm': 'bash\n' }, exists: ['/etc/init.d'] }, 'sysvinit'],
    ['openrc', { files: { '/proc/1/comm': 'init\n' }, exists: ['/sbin/openrc'] }, 'openrc'],
    ['runit', { files: { '/proc/1/comm': 'runit-init\n' } }, 'runit'],
    ['nothing', {}, 'service'],
  ]
  test.each(cases)('%s', (_name, parts, expected) => expect(serviceMgr.parse(lookOf(parts), {})).toEqual({ service_mgr: expected }))
})

describe('platform', () => {
  const uname = (name: string) => `Linux ${name} 6.1.0-28-amd64 #1 SMP PREEMPT_DYNAMIC x86_64`
  const names = (parts: Parts) => {
    const { fqdn, hostname, domain, nodename } = platform.parse(lookOf(parts), {})
    return [nodename, hostname, fqdn, domain]
  }
  test('a name with a domain among its aliases', () =>
    expect(names({ sections: { uname: uname('n1') }, commands: { reverse: '10.0.0.1  n1 n1.example.org' } })).toEqual([
      'n1',
      'n1',
      'n1.example.org',
      'example.org',
    ]))
  test('a name that nobody knows', () =>
    expect(names({ sections: { uname: uname('n1.local') } })).toEqual(['n1.local', 'n1', 'n1.local', 'local']))
  test('bits', () =>
    expect(platform.parse(lookOf({ sections: { uname: uname('x') }, commands: { bits: '32' } }), {})).toMatchObject({
      userspace_bits: '32',
      userspace_architecture: 'i386',
    }))
})

test('command line: repeated words become lists', () =>
  expect(cmdline.parse(lookOf({ files: { '/proc/cmdline': 'ro console=tty0 console=ttyS0 quiet root="UUID=a b"\n' } }), {})).toEqual({
    cmdline: { ro: true, console: 'ttyS0', quiet: true, root: '"UUID=a b"' },
    proc_cmdline: { ro: true, console: ['tty0', 'ttyS0'], quiet: true, root: '"UUID=a b"' },
  }))

test('resolver', () =>
  expect(
    dns.parse(
      lookOf({ files: { '/etc/resolv.conf': '# x\nnameserver 10.0.0.2\nnameserver 10.0.0.3\nsearch a.b c\noptions ndots:2 rotate\n' } }),
      {},
    ),
  ).toEqual({
    dns: { nameservers: ['10.0.0.2', '10.0.0.3'], search: ['a.b', 'c'], options: { ndots: '2', rotate: true } },
  }))

test('environment with lines and equal signs in values', () =>
  expect(env.parse(lookOf({ sections: { env: 'A=1\u001fB=x\ny\u001fC=d=e\u001f' } }), {})).toEqual({
    env: { A: '1', B: 'x\ny', C: 'd=e' },
  }))

test('capabilities', () => {
  const of = (line: string) => caps.parse(lookOf({ commands: { capsh: `${line}\nBounding set =x` } }), {})
  expect(of('Current: =ep')).toEqual({ system_capabilities_enforced: 'False', system_capabilities: [] })
  expect(of('Current: = cap_chown,cap_kill+ep')).toEqual({
    system_capabilities_enforced: 'True',
    system_capabilities: ['cap_chown', 'cap_kill+ep'],
  })
  expect(caps.parse(lookOf({}), {})).toEqual({ system_capabilities_enforced: 'N/A', system_capabilities: 'N/A' })
})

test('lsb from the command, else from the file', () => {
  const command =
    'No LSB modules are available.\nDistributor ID:\tDebian\nDescription:\tDebian GNU/Linux 12 (bookworm)\nRelease:\t12\nCodename:\tbookworm'
  expect(lsb.parse(lookOf({ commands: { lsb: command } }), {})).toEqual({
    lsb: { id: 'Debian', description: 'Debian GNU/Linux 12 (bookworm)', release: '12', codename: 'bookworm', major_release: '12' },
  })
  expect(lsb.parse(lookOf({ files: { '/etc/lsb-release': 'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=22.04\n' } }), {})).toEqual({
    lsb: { id: 'Ubuntu', release: '22.04', major_release: '22' },
  })
})

test('SELinux', () => {
  const files = {
    '/sys/fs/selinux/enforce': '1',
    '/sys/fs/selinux/policyvers': '33',
    '/etc/selinux/config': 'SELINUX=permissive\nSELINUXTYPE=targeted\n',
  }
  expect(selinux.parse(lookOf({ files }), {})).toEqual({
    selinux: { status: 'enabled', policyvers: 33, config_mode: 'permissive', mode: 'enforcing', type: 'targeted' },
    selinux_python_present: true,
  })
  expect(selinux.parse(lookOf({}), {})).toMatchObject({ selinux: { status: 'disabled' } })
})

test('user', () =>
  expect(
    user.parse(lookOf({ sections: { ids: '1000 1001' }, commands: { passwd: 'kim:x:1000:1001:Kim,,,:/home/kim:/bin/bash' } }), {}),
  ).toMatchObject({
    user_id: 'kim',
    user_uid: 1000,
    user_gid: 1001,
    user_gecos: 'Kim,,,',
    user_dir: '/home/kim',
    user_shell: '/bin/bash',
    effective_user_id: 1000,
  }))

test('host keys of the first folder that has some', () =>
  expect(
    sshPubKeys.parse(
      lookOf({ files: { '/etc/ssh/ssh_host_rsa_key.pub': 'ssh-rsa AAAA root@x', '/etc/ssh_host_dsa_key.pub': 'ssh-dss BBBB' } }),
      {},
    ),
  ).toEqual({
    ssh_host_key_rsa_public: 'AAAA',
    ssh_host_key_rsa_public_keytype: 'ssh-rsa',
  }))

test('date: the zone with the greater offset is summer, south of the equator too', () => {
  const date = (zones: string) =>
    dateTime.parse(
      lookOf({ sections: { date: `2026|11|Monday|1|48|30|13|05|09|CET|+0100\n2026-11-30T12:05:09\n${zones}\n1796040309 012345678` } }),
      {},
    )
  expect(date('CET|+0100|CEST|+0200').date_time).toMatchObject({
    iso8601_micro: '2026-11-30T12:05:09.012345Z',
    iso8601_basic_short: '20261130T130509',
    tz_dst: 'CEST',
    time: '13:05:09',
    epoch: '1796040309',
  })
  expect(date('AEDT|+1100|AEST|+1000').date_time).toMatchObject({ tz_dst: 'AEDT' })
})

describe('local facts', () => {
  const of = (sections: Record<string, string>) => {
    const look = lookOf({ sections })
    return [(local.parse(look, {}).local ?? {}) as object, local.warnings!(look).length]
  }
  test('JSON, INI and texts that are neither', () =>
    expect(
      of({
        'lf:/etc/ansible/facts.d/b.fact': '{"x": [1]}',
        'lf:/etc/ansible/facts.d/a.fact': '[s]\nKey = v\n[t]\nk: w',
        'lf:/etc/ansible/facts.d/c.fact': 'garbage',
      }),
    ).toEqual([
      {
        a: { s: { key: 'v' }, t: { k: 'w' } },
        b: { x: [1] },
        c: 'error loading facts as JSON or ini - please check content: /etc/ansible/facts.d/c.fact',
      },
      1,
    ]))
  test('a program that fails', () =>
    expect(of({ 'lf:/d/p.fact': '', 'lx:/d/p.fact': '3\noops' })).toEqual([
      { p: 'Failure executing fact script (/d/p.fact), rc: 3, err: oops\n' },
      1,
    ]))
})

describe('virtualization', () => {
  const dmi = '/sys/devices/virtual/dmi/id'
  const cases: readonly (readonly [string, Parts, unknown])[] = [
    ['bare metal', {}, ['NA', 'NA', [], []]],
    ['KVM guest', { files: { [`${dmi}/product_name`]: 'KVM' } }, ['kvm', 'guest', ['kvm'], []]],
    [
      'a guest that can host',
      { files: { [`${dmi}/sys_vendor`]: 'QEMU', '/proc/modules': 'kvm 1 0\n' } },
      ['kvm', 'guest', ['kvm'], ['kvm']],
    ],
    ['VMware', { files: { [`${dmi}/product_name`]: 'VMware20,1' } }, ['VMware', 'guest', ['VMware'], []]],
    ['docker', { exists: ['/.dockerenv'] }, ['docker', 'guest', ['container', 'docker'], []]],
    ['podman', { sections: { environ1: 'PATH=/bin\ncontainer=podman' } }, ['podman', 'guest', ['container', 'podman'], []]],
    [
      'systemd-nspawn',
      { files: { '/run/systemd/container': 'systemd-nspawn' } },
      ['systemd-nspawn', 'guest', ['container', 'systemd-nspawn'], []],
    ],
    ['hypervisor', { exists: ['/dev/kvm'] }, ['kvm', 'host', [], ['kvm']]],
    ['Xen dom0', { files: { '/proc/xen/capabilities': 'control_d' }, exists: ['/proc/xen'] }, ['xen', 'host', [], ['xen']]],
  ]
  test.each(cases)('%s', (_name, parts, expected) => {
    const facts = virtual.parse(lookOf(parts), {})
    expect([facts.virtualization_type, facts.virtualization_role, facts.virtualization_tech_guest, facts.virtualization_tech_host]).toEqual(
      expected,
    )
  })
})
