import { describe, expect, test } from 'vitest'
import { Look } from '../../../../src/facts/index.ts'
import { accountOf, findGroup, groupsOf } from '../../../../src/modules/system/accounts.ts'
import {
  envNames,
  jobLine,
  jobNames,
  ownLines,
  renderCrontab,
  withEnv,
  withJob,
  withoutEnv,
  withoutJob,
} from '../../../../src/modules/system/crontab.ts'
import { withEntry, withoutEntry } from '../../../../src/modules/system/fstab.ts'
import { type RuleArgs, params as ruleParams, ruleWords } from '../../../../src/modules/system/iptables-rule.ts'
import { mountSources } from '../../../../src/modules/system/mounted.ts'
import { parseKey, parseOptions, renderKey, withKeys } from '../../../../src/modules/system/ssh-keys.ts'
import { parseShow, readUnit } from '../../../../src/modules/system/systemd-unit.ts'
import { looksUnhashed } from '../../../../src/modules/system/user-params.ts'

describe('systemctl show', () => {
  test('values over several lines end with their brace', () => {
    const text =
      'Type=simple\nExecStart={ path=/bin/sh ; argv[]=/bin/sh -c a\nb ; pid=0 }\nExecStop={ path=/x }\nEnvironment=A=1 B=2\nstray\nId=x.service\n'
    expect(parseShow(text)).toEqual({
      Type: 'simple',
      ExecStart: '{ path=/bin/sh ; argv[]=/bin/sh -c a\nb ; pid=0 }',
      ExecStop: '{ path=/x }',
      Environment: 'A=1 B=2',
      Id: 'x.service',
    })
  })
  const unit = (sections: Record<string, string>) =>
    readUnit(
      new Look(
        Object.entries(sections)
          .map(([name, text]) => `\u001e${name}\n${text}\n`)
          .join(''),
      ),
      'x',
    )
  test('there, not there, only an init script, offline', () => {
    expect(unit({ show: 'LoadState=loaded', enabled: '0 enabled' })).toMatchObject({ isUnit: true, enabledWord: 'enabled', enabledCode: 0 })
    expect(unit({ show: 'LoadState=not-found', enabled: '1 ' })).toMatchObject({ isUnit: false, isInitScript: false })
    expect(unit({ show: '', enabled: '1 ', 'e:/etc/init.d/x': '', 'e:initlinks': '' })).toMatchObject({
      isUnit: false,
      isInitScript: true,
      initEnabled: true,
    })
    expect(unit({ show: '', enabled: '0 static' })).toMatchObject({ isUnit: true })
    expect(unit({ show: '', enabled: '1 ', files: 'x.service disabled' })).toMatchObject({ isUnit: true })
  })
})

describe('fstab', () => {
  const text = '# head\n/dev/sda1 / ext4 defaults 0 1\ntmpfs /srv/a\\040b tmpfs rw\n/dev/sdb none swap sw 0 0\n'
  const entry = { src: 'tmpfs', name: '/srv/a b', fstype: 'tmpfs', opts: 'rw', dump: '0', passno: '0' }
  test('an entry with fewer fields is the same', () => expect(withEntry(text, entry)).toBeUndefined())
  test('another option', () => expect(withEntry(text, { ...entry, opts: 'ro' })).toBe(text.replace('tmpfs rw\n', 'tmpfs ro 0 0\n')))
  test('new, after a line without an end', () =>
    expect(withEntry('/dev/sda1 / ext4', { ...entry, name: '/x' })).toBe('/dev/sda1 / ext4\ntmpfs /x tmpfs rw 0 0\n'))
  test('a swap area is told by its source', () => {
    const swap = { src: '/dev/sdc', name: 'none', fstype: 'swap', opts: 'sw', dump: '0', passno: '0' }
    expect(withEntry(text, swap)).toBe(`${text}/dev/sdc none swap sw 0 0\n`)
    expect(withoutEntry(text, 'none', '/dev/sdb')).toBe(text.replace('/dev/sdb none swap sw 0 0\n', ''))
    expect(withoutEntry(text, 'none', '/dev/sdc')).toBeUndefined()
  })
  test('gone', () => expect(withoutEntry(text, '/', undefined)).toBe(text.replace('/dev/sda1 / ext4 defaults 0 1\n', '')))
})

test('what is mounted where', () => {
  const info =
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 8:1 /data /mnt/b rw - ext4 /dev/sda1 rw\n31 22 0:5 / /tmp/x\\040y rw - tmpfs tmpfs rw\n32 31 0:5 /in /srv/in rw - tmpfs tmpfs rw\n'
  expect(mountSources(info)).toEqual(
    new Map([
      ['/', '/dev/sda1'],
      ['/mnt/b', '/data'],
      ['/tmp/x y', '/'],
      ['/srv/in', '/tmp/x y/in'],
    ]),
  )
})

describe('crontab', () => {
  const times = { minute: '*/5', hour: '*', day: '*', month: '*', weekday: '*', special: undefined, disabled: false, user: undefined }
  const lines = ['A="1"', '#Ansible: one', '0 1 * * * /bin/one', '# note']
  test.each([
    [times, '*/5 * * * * /x'],
    [{ ...times, special: 'daily', user: 'root' }, '@daily root /x'],
    [{ ...times, disabled: true }, '#*/5 * * * * /x'],
  ])('the line of a job', (schedule, line) => expect(jobLine(schedule, '/x\n')).toBe(line))
  test('jobs', () => {
    expect(withJob(lines, 'one', '0 1 * * * /bin/one')).toBeUndefined()
    expect(withJob(lines, 'one', 'x')).toEqual(['A="1"', '#Ansible: one', 'x', '# note'])
    expect(withJob(lines, 'two', 'y')).toEqual([...lines, '#Ansible: two', 'y'])
    expect(withJob(['0 2 * * * /old'], 'named', '0 2 * * * /old')).toEqual(['#Ansible: named', '0 2 * * * /old'])
    expect(withoutJob(lines, 'one')).toEqual(['A="1"', '# note'])
    expect(withoutJob(lines, 'two')).toBeUndefined()
    expect([jobNames(lines), envNames(lines)]).toEqual([['one'], ['A']])
  })
  test('variables', () => {
    const nowhere = { after: undefined, before: undefined }
    expect(withEnv(lines, 'A', '1', nowhere)).toBeUndefined()
    expect(withEnv(lines, 'A', '2', nowhere)).toEqual(['A="2"', ...lines.slice(1)])
    expect(withEnv(lines, 'B', '2', nowhere)).toEqual(['B="2"', ...lines])
    expect(withEnv(lines, 'B', '2', { ...nowhere, after: 'A' })).toEqual(['A="1"', 'B="2"', ...lines.slice(1)])
    expect(withEnv(lines, 'B', '2', { ...nowhere, before: 'A' })).toEqual(['B="2"', ...lines])
    expect(withEnv(lines, 'B', '2', { ...nowhere, before: 'C' })).toBe('C')
    expect(withoutEnv(lines, 'A')).toEqual(lines.slice(1))
  })
  test('text', () => {
    expect(renderCrontab(['a', '', ''])).toBe('a\n')
    expect(renderCrontab([])).toBe('')
    expect(
      ownLines(
        '# DO NOT EDIT THIS FILE - edit the master and reinstall.\n# (/tmp/crontab.1 installed on Mon)\n# (Cron version -- x)\nA=1\n',
      ),
    ).toEqual({ lines: ['A=1'], text: 'A=1\n' })
  })
})

describe('authorized keys', () => {
  const a = 'ssh-ed25519 AAAA one@x'
  const b = 'from="10.0.0.1,10.0.0.2",no-pty ssh-rsa BBBB two words'
  test('lines', () => {
    expect(renderKey(parseKey(b)!)).toBe(`${b}\n`)
    expect(parseOptions('command="a,b",no-pty')).toEqual(
      new Map([
        ['command', '"a,b"'],
        ['no-pty', undefined],
      ]),
    )
    expect(parseKey('# ssh-rsa AAAA')).toBeUndefined()
    expect(parseKey('nothing at all')).toBeUndefined()
  })
  const keys = (...lines: string[]) => lines.map((line) => parseKey(line)!)
  const text = `# mine\n${a}\n`
  test('there, new, mended, gone, alone', () => {
    expect(withKeys(text, keys(a), true, false)).toBeUndefined()
    expect(withKeys(text, keys(b), true, false)).toBe(`${text}${b}\n`)
    expect(withKeys(text, keys('no-pty ssh-ed25519 AAAA one@x'), true, false)).toBe('# mine\nno-pty ssh-ed25519 AAAA one@x\n')
    expect(withKeys(text, keys(a), false, false)).toBe('# mine\n')
    expect(withKeys(text, keys(b), false, false)).toBeUndefined()
    expect(withKeys(`${text}${b}\n`, keys(b), true, true)).toBe(`${b}\n`)
  })
})

test('accounts', () => {
  const look = new Look(
    '\u001epasswd\nkim:x:1000:1001:Kim:/home/kim:/bin/sh\n\u001eshadow\nkim:!$6$x:19000:0:99999:7::20000:\n\u001egroup\nadm:x:4:kim,lee\nkim:x:1001:\n\u001ee:/home/kim\n\n',
  )
  expect(accountOf(look, 'kim')).toEqual({
    uid: 1000,
    gid: 1001,
    comment: 'Kim',
    home: '/home/kim',
    shell: '/bin/sh',
    password: '!$6$x',
    shadow: [19000, 0, 99999, 7, undefined, 20000, undefined],
    homeExists: true,
  })
  expect(accountOf(look, 'ki')).toBeUndefined()
  expect([findGroup(groupsOf(look), 'adm')?.gid, findGroup(groupsOf(look), '1001')?.name, findGroup(groupsOf(look), '9')]).toEqual([
    4,
    'kim',
    undefined,
  ])
})

test.each([
  ['plain', true],
  ['$6$salt$short', true],
  [`$6$salt$${'a'.repeat(86)}`, false],
  ['!', false],
  ['*', false],
  ['a:b', true],
])('password %s', (password, is) => expect(looksUnhashed(password)).toBe(is))

describe('iptables rules', () => {
  const defaults = Object.fromEntries(Object.entries(ruleParams).map(([name, param]) => [name, (param as { default?: unknown }).default]))
  const words = (args: Partial<RuleArgs>) => ruleWords({ ...defaults, ...args } as RuleArgs).join(' ')
  test.each<[Partial<RuleArgs>, string]>([
    [
      { protocol: 'tcp', destination_port: '80', jump: 'ACCEPT', comment: 'a b' },
      '-p tcp -j ACCEPT --destination-port 80 -m comment --comment a b',
    ],
    [{ source: '!10.0.0.0/8', jump: 'DROP' }, '! -s 10.0.0.0/8 -j DROP'],
    [{ ctstate: ['NEW', 'RELATED'], jump: 'ACCEPT' }, '-j ACCEPT -m conntrack --ctstate NEW,RELATED'],
    [{ match: ['state'], ctstate: ['NEW'] }, '-m state --state NEW'],
    [{ reject_with: 'tcp-reset', protocol: 'tcp' }, '-p tcp -j REJECT --reject-with tcp-reset'],
    [{ destination_ports: ['80', '443'], protocol: 'tcp' }, '-p tcp -m multiport --dports 80,443'],
    [{ limit: '2/second', limit_burst: '20' }, '-m limit --limit 2/second --limit-burst 20'],
    [{ ip_version: 'ipv6', icmp_type: '128', protocol: 'ipv6-icmp' }, '-p ipv6-icmp --icmpv6-type 128'],
    [{ syn: 'negate' }, '! --syn'],
  ])('%o', (args, text) => expect(words(args)).toBe(text))
})
