import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filtered, gathering, globPattern, smallFacts } from '../../../src/facts/index.ts'
import { chooseCollectors } from '../../../src/facts/subsets.ts'
import { CAN_HIDE, hideProgramsFor, layTools, toolsOf } from '../../harness/busybox.ts'

const minimal =
  'platform distribution lsb selinux apparmor fips python caps pkg_mgr service_mgr cmdline date_time env ssh_pub_keys user dns local'
    .split(' ')
    .sort()

describe('gather_subset', () => {
  const names = (...subset: string[]): string[] =>
    chooseCollectors(subset)
      .map((one) => one.name)
      .sort()
  test('all is everything', () =>
    expect(names('all')).toEqual(expect.arrayContaining([...minimal, 'network', 'hardware', 'virtual', 'systemd', 'iscsi'])))
  test('nothing is all', () => expect(names()).toEqual(names('all')))
  test.each([[['min']], [['!all']], [['distribution']]])('%s is the minimum', (subset) => expect(names(...subset)).toEqual(minimal))
  test('a subset brings what it needs', () => expect(names('!all', '!min', 'network')).toEqual(['distribution', 'network', 'platform']))
  test('a fact stands for its subset', () => expect(names('!all', '!min', 'mounts')).toEqual(['hardware', 'platform']))
  test('all but one', () => expect(names('all', '!hardware')).toEqual(names('all').filter((name) => name !== 'hardware')))
  test('asked for by name beats taken away', () => expect(names('!all', '!min', '!network', 'network')).toContain('network'))
  test('taking away what is unknown is nothing', () => expect(names('min', '!nonsense')).toEqual(minimal))
  test('facter is known and empty', () => expect(names('!all', '!min', 'facter')).toEqual([]))
  test('unknown', () =>
    expect(() => names('nonsense')).toThrow(
      "Bad subset 'nonsense' given to Ansible. gather_subset options allowed: all, all_ipv4_addresses",
    ))
})

describe('filter', () => {
  const facts = { ansible_distribution: 'a', ansible_dns: 'b', ansible_eth0: 'c', gather_subset: 'd' }
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], Object.keys(facts)],
    [['*'], Object.keys(facts)],
    [['ansible_d*'], ['ansible_distribution', 'ansible_dns']],
    [['dns'], ['ansible_dns']],
    [
      ['eth?', 'dns'],
      ['ansible_dns', 'ansible_eth0'],
    ],
    [['ansible_[!d]*'], ['ansible_eth0']],
    [['nothing'], []],
  ]
  test.each(cases)('%s', (filter, names) => expect(Object.keys(filtered(facts, filter))).toEqual(names))
})

test.each([
  ['1.1*', '1.1-1', true],
  ['1.1*', '1x1-1', false],
  ['a[bc]', 'ac', true],
  ['a?', 'a', false],
])('glob %s of %s', (glob, text, matches) => expect(globPattern(glob).test(text)).toBe(matches))

const shells: readonly (readonly string[])[] = [['dash'], ['bash'], ['busybox', 'sh']]
const available = (shell: readonly string[]): boolean => {
  try {
    execFileSync(shell[0]!, [...shell.slice(1), '-c', 'true'])
    return true
  } catch {
    return false
  }
}

describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))('the whole script in $name', ({ shell, name }) => {
  const run = (script: string, env: NodeJS.ProcessEnv = process.env): string =>
    execFileSync(shell[0]!, [...shell.slice(1), '-c', script], { encoding: 'utf8', maxBuffer: 1e8, env })
  test.skipIf(!available(shell))(`gathers in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'facts-'))
    try {
      writeFileSync(join(folder, 'ini.fact'), '[s]\na=1\n')
      writeFileSync(join(folder, 'run.fact'), '#!/bin/sh\necho \'{"a b": 1}\'\n')
      writeFileSync(join(folder, 'bad.fact'), '#!/bin/sh\necho no >&2; exit 4\n')
      for (const program of ['run.fact', 'bad.fact']) chmodSync(join(folder, program), 0o755)
      const gather = gathering({ subset: ['all'], filter: [], factPath: folder, timeoutSeconds: 10 })
      const { facts } = gather.parse(run(gather.script.text, { ...process.env, TWO_LINES: 'a\nb=c' }))
      expect(facts).toMatchObject({ ansible_system: 'Linux', gather_subset: ['all'], module_setup: true })
      expect(facts.ansible_local).toEqual({
        ini: { s: { a: '1' } },
        run: { 'a b': 1 },
        bad: `Failure executing fact script (${folder}/bad.fact), rc: 4, err: no`,
      })
      expect(facts.ansible_env).toMatchObject({ TWO_LINES: 'a\nb=c' })
      expect((facts.ansible_env as Record<string, string>).LC_ALL).toBe(process.env.LC_ALL)
      expect(Object.keys(facts).length).toBeGreaterThan(60)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  test.skipIf(!available(shell))('the small look agrees with the great one', () => {
    const gather = gathering({ subset: ['min'], filter: [], factPath: '/nonexistent', timeoutSeconds: 10 })
    const { facts } = gather.parse(run(gather.script.text))
    const small = smallFacts.parse(run(smallFacts.script.text))
    const names = [
      'os_family',
      'distribution',
      'distribution_version',
      'pkg_mgr',
      'service_mgr',
      'user_id',
      'user_dir',
      'kernel',
      'architecture',
      'system',
    ]
    for (const fact of names) expect([fact, small[fact]]).toEqual([fact, facts[`ansible_${fact}`]])
  })
})

test.skipIf(!existsSync('/usr/bin/python3'))('the Python that is named for a host is the one that is told of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facts-'))
  try {
    symlinkSync('/usr/bin/python3', join(folder, 'my python'))
    const told = (named: string) => {
      const { script, parse } = gathering({
        subset: ['!all', '!min', 'python'],
        filter: [],
        factPath: '/',
        timeoutSeconds: 10,
        python: named,
      })
      return parse(execFileSync('sh', ['-c', script.text], { encoding: 'utf8' })).facts['ansible_python']
    }
    expect(told(join(folder, 'my python'))).toMatchObject({ executable: join(folder, 'my python') })
    expect(told('/no/such')).toMatchObject({ executable: '/usr/bin/python3' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.skipIf(!CAN_HIDE)('where BusyBox is all there is, the same is gathered but for what other programs tell', () => {
  const root = mkdtempSync('/tmp/facts-')
  try {
    layTools(root)
    writeFileSync(
      join(root, 'facts.sh'),
      gathering({ subset: ['all'], filter: [], factPath: '/nonexistent', timeoutSeconds: 10 }).script.text,
    )
    const hide = hideProgramsFor(root, process.execPath)
    const bare = ['unshare', '-m', 'sh', '-c', [...hide, `PATH='${toolsOf(root)}' exec sh '${root}/facts.sh'`].join('&&')]
    const [theirs, ours] = [['sh', `${root}/facts.sh`], bare].map(([program, ...words]) => {
      const told = execFileSync(program!, words, { encoding: 'utf8', maxBuffer: 1e8 })
      return gathering({ subset: ['all'], filter: [], factPath: '/nonexistent', timeoutSeconds: 10 }).parse(told).facts as Record<
        string,
        unknown
      >
    })
    // lsb_release, python3, LVM's tools and capsh are none of BusyBox; the others are another each time
    const other =
      /_(lsb|python|python_version|lvm|system_capabilities.*|fqdn|domain|date_time|env|mounts|memory_mb|.*free_mb|uptime_seconds|loadavg)$/
    const alike = (facts: Record<string, unknown>) => Object.fromEntries(Object.entries(facts).filter(([name]) => !other.test(name)))
    expect(alike(ours!)).toEqual(alike(theirs!))
    const devices = (facts: Record<string, unknown>) =>
      (facts['ansible_mounts'] as { mount: string; fstype: string; uuid: string }[]).map(({ mount, fstype, uuid }) => ({
        mount,
        fstype,
        uuid,
      }))
    // what hides the programs is a mount, too
    expect(devices(ours!)).toEqual(expect.arrayContaining(devices(theirs!)))
  } finally {
    rmSync(root, { recursive: true })
  }
})
