import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RawVars } from '../../../src/base/index.ts'
import { loadSettings } from '../../../src/config/index.ts'
import { loadInventory } from '../../../src/inventory/index.ts'
import { createTemplar } from '../../../src/template/index.ts'

const templar = createTemplar({ native: false, extensions: [] })

interface Given {
  readonly files?: Readonly<Record<string, string>>
  readonly sources: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly extraVars?: RawVars
  readonly facts?: RawVars
}

async function load({ files = {}, sources, env = {}, extraVars, facts }: Given) {
  const cwd = mkdtempSync(join(tmpdir(), 'plugins-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const told: string[] = []
  const settings = loadSettings({ cwd, env, home: '/nowhere', systemFile: '/nowhere/ansible.cfg' })
  const tell = (message: string): void => void told.push(message)
  const given = { cwd, settings, documents: {}, warn: tell, tellDetail: tell, templar, extraVars, factsOf: facts && (() => facts) }
  const inventory = await loadInventory(sources, given)
  return { inventory, told: told.join('\n') }
}

const HOST = 'h1 tags={"name":"web","empty":""} roles=["db",""] os=""\n'
const keyed = (entry: string, more = ''): string => `plugin: constructed\n${more}keyed_groups:\n  - ${entry}\n`

describe('constructed', () => {
  const cases: readonly (readonly [what: string, file: string, groups: string])[] = [
    ['a name that begins with the separator', keyed('{key: inventory_hostname}'), '_h1'],
    ['one without it', keyed('{key: inventory_hostname}', 'leading_separator: false\n'), 'h1'],
    ['a dict keeps it inside', keyed("{key: \"{'a': 'b'}\"}", 'leading_separator: false\n'), 'a_b'],
    ['an empty value', keyed("{key: \"{'a': ''}\", prefix: p}"), 'p_a_'],
    ['one without a trailing separator', keyed("{key: \"{'a': ''}\", prefix: p, trailing_separator: false}"), 'p_a'],
    ['a default value in a dict', keyed("{key: \"{'a': ''}\", prefix: p, default_value: d}"), 'p_a_d'],
    ['a default value in a list', keyed("{key: \"['x', '']\", prefix: p, default_value: d}"), 'p_d p_x'],
    ['a default value for an empty text', keyed('{key: "\'\'", prefix: p, default_value: d}'), 'p_d'],
    ['an empty text', keyed('{key: "\'\'", prefix: p}'), ''],
    ['what is composed is seen by conditions', 'plugin: constructed\ncompose: {a: 1 + 1}\ngroups: {two: a == "2"}\n', 'two'],
    ['but not by what is composed after it', 'plugin: constructed\ncompose: {a: 1 + 1, b: a}\ngroups: {seen: b is defined}\n', ''],
    ['unsafe names', keyed('{key: "\'a b-c\'", prefix: p}'), 'p_a_b_c'],
    ['facts of a cache', 'plugin: constructed\ngroups: {linux: ansible_system == "Linux"}\n', 'linux'],
  ]
  test.each(cases)('%s', async (_what, file, groups) => {
    const { inventory } = await load({
      files: { 'hosts.ini': HOST, 'constructed.yml': file },
      sources: ['hosts.ini', 'constructed.yml'],
      facts: new Map([['ansible_system', 'Linux']]),
    })
    expect(
      inventory
        .groupsOf('h1')
        .filter((name) => !['all', 'ungrouped'].includes(name))
        .sort()
        .join(' '),
    ).toBe(groups)
  })

  test('sees variables of the command line only where it asks for them', async () => {
    const composed = async (file: string, env = {}): Promise<unknown> => {
      const { inventory } = await load({
        files: { 'constructed.yml': `plugin: constructed\n${file}compose: {example: "'hello' + given"}\n` },
        sources: ['h1,', 'constructed.yml'],
        extraVars: new Map([['given', 'hey']]),
        env,
      })
      return inventory.host('h1')?.vars.get('example')
    }
    expect(await composed('')).toBeUndefined()
    expect(await composed('use_extra_vars: true\n')).toBe('hellohey')
    expect(await composed('', { ANSIBLE_INVENTORY_USE_EXTRA_VARS: '1' })).toBe('hellohey')
  })

  test('sees files of variables beside earlier sources where it asks for them', async () => {
    const files = { 'one/hosts': '[g]\nh1\n', 'one/group_vars/g.yml': 'hola: lola\n', 'two/c.yml': keyed('{key: hola, prefix: c}') }
    const groups = async (more: string) => {
      const { inventory } = await load({ files: { ...files, 'two/c.yml': more + files['two/c.yml'] }, sources: ['one/hosts', 'two/c.yml'] })
      return inventory.groups()
    }
    expect(await groups('')).not.toContain('c_lola')
    expect(await groups('use_vars_plugins: true\n')).toContain('c_lola')
  })

  test('strictly: what cannot be computed fails the source', async () => {
    const { inventory, told } = await load({
      files: { 'c.yml': 'plugin: constructed\nstrict: true\ncompose: {a: nowhere}\n' },
      sources: ['h1,', 'c.yml'],
    })
    expect(told).toContain('Could not set a for host h1')
    expect(inventory.host('h1')?.vars.has('a')).toBe(false)
  })

  test('by name, where it is what is enabled', async () => {
    const files = { 'c.config': keyed('{key: inventory_hostname}'), 'empty.yml': '', 'other.yml': 'plugin: generator\n' }
    const env = { ANSIBLE_INVENTORY_ENABLED: 'host_list,constructed' }
    const { inventory, told } = await load({ files, sources: ['h1,', 'c.config', 'empty.yml', 'other.yml'], env })
    expect(inventory.groups()).toContain('_h1')
    expect(told).toContain('is empty')
    expect(told).toContain('Incorrect plugin name in file: generator')
  })
})

test('generator: a host for each choice from the layers, with the groups above it', async () => {
  const file = `plugin: generator
hosts:
  name: "{{ do }}_{{ app }}"
  parents:
    - name: "{{ app }}"
      vars: {application: "{{ app }}"}
      parents: [{name: "all_{{ do }}"}]
layers: {do: [build, run], app: [web, api]}
`
  const { inventory } = await load({ files: { 'g.yml': file }, sources: ['g.yml'] })
  expect(inventory.hosts()).toEqual(['build_web', 'build_api', 'run_web', 'run_api'])
  expect(inventory.groupsOf('run_api')).toEqual(['all', 'all_build', 'all_run', 'api'])
  expect(inventory.group('api')?.vars.get('application')).toBe('api')
})

describe('advanced_host_list', () => {
  const env = { ANSIBLE_INVENTORY_ENABLED: 'advanced_host_list' }
  const cases: readonly (readonly [list: string, hosts: string, told: string])[] = [
    ['a[1:3],b:22,a2', 'a1 a2 a3 b', ''],
    ['a[0:4:2],', 'a0 a2 a4', ''],
    ['a[1:],', 'a[1:]', 'leaving unchanged: host range must specify end value'],
    ['a[1:j],', '', 'Failed to parse a[1:j], with advanced_host_list'],
  ]
  test.each(cases)('%s', async (list, hosts, message) => {
    const { inventory, told } = await load({ sources: [list], env })
    expect(inventory.hosts().join(' ')).toBe(hosts)
    expect(told).toContain(message)
  })
})

test('a host whose name is a number is refused in YAML', async () => {
  const { told } = await load({ files: { 'n.yml': 'all: {hosts: {1234: }}\n' }, sources: ['n.yml'] })
  expect(told).toContain('Host pattern 1234 must be a string')
})

test('hash_behaviour=merge: dicts of later sources are added to those of earlier ones', async () => {
  const files = {
    'one.yml': 'all: {hosts: {h1: {d: {a: 1, b: 1}}}, vars: {g: {a: 1, b: 1}}}\n',
    'two.yml': 'all: {hosts: {h1: {d: {a: 2}}}, vars: {g: {a: 2}}}\n',
  }
  const seen = async (env = {}) => {
    const { inventory } = await load({ files, sources: ['one.yml', 'two.yml'], env })
    return [inventory.host('h1')?.vars.get('d'), inventory.group('all')?.vars.get('g')]
  }
  const merged = new Map([
    ['a', 2],
    ['b', 1],
  ])
  expect(await seen()).toEqual([new Map([['a', 2]]), new Map([['a', 2]])])
  expect(await seen({ ANSIBLE_HASH_BEHAVIOUR: 'merge' })).toEqual([merged, merged])
})

test('an empty folder is a source that cannot be read', async () => {
  const files = { 'hosts/h': 'h1\n', 'hosts/empty/group_vars/x': '' }
  expect((await load({ files, sources: ['hosts'] })).told).toMatch(/^Unable to parse \S+empty as an inventory source$/)
  await expect(load({ files, sources: ['hosts'], env: { ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true' } })).rejects.toThrow(
    'Completely failed',
  )
})
