/** Where roles are found, which of their files count, and when two uses are one. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Files, load, plain, playOf, tasksOf, write, written } from './load.ts'

const titles = (files: Files, extra = {}): unknown[] => written(load(files, extra).tasks).map((task) => plain(task.name))
const task = (name: string): string => `- name: ${name}\n  ping:\n`
const use = (...entries: string[]): string => `- hosts: all\n  roles:\n${entries.map((entry) => `    - ${entry}\n`).join('')}`

describe('a role is looked for', () => {
  const elsewhere = write({ 'r/tasks/main.yml': task('roles path') })
  const collections = write({ 'ansible_collections/ns/coll/roles/r/tasks/main.yml': task('collection') })
  const table: readonly [string, Files, unknown][] = [
    ['in roles/ beside the playbook', { 'site.yml': use('r'), 'roles/r/tasks/main.yml': task('beside') }, 'beside'],
    ['on the roles path', { 'site.yml': use('r') }, 'roles path'],
    ['beside the playbook itself', { 'site.yml': use('q'), 'q/tasks/main.yml': task('here') }, 'here'],
    ['under a name with slashes', { 'site.yml': use('a/b'), 'roles/a/b/tasks/main.yml': task('deep') }, 'deep'],
    ['in a collection', { 'site.yml': use('ns.coll.r') }, 'collection'],
    ['in the collections of the play', { 'site.yml': `- hosts: all\n  collections: [ns.coll]\n  roles: [r]\n` }, 'collection'],
    [
      'in a collection beside the playbook',
      { 'site.yml': use('a.b.r'), 'collections/ansible_collections/a/b/roles/r/tasks/main.yml': task('near') },
      'near',
    ],
    ['by a name made of variables', { 'site.yml': '- hosts: all\n  vars: {which: r}\n  roles: ["{{ which }}"]\n' }, 'roles path'],
  ]
  test.each(table)('%s', (_where, files, title) =>
    expect(titles(files, { rolesPath: [elsewhere], collectionsPaths: [collections] })).toEqual([title]),
  )
  test('beside the role that depends on it', () => {
    const files = { 'site.yml': use('a/x'), 'roles/a/x/meta/main.yml': 'dependencies: [y]', 'roles/a/y/tasks/main.yml': task('sibling') }
    expect(titles(files)).toEqual(['sibling'])
  })
  test('by its path', () => {
    const name = join(elsewhere, 'r')
    expect(load({ 'site.yml': use(name) }).play.roles[0]?.name).toBe(name)
  })
  test('a role of a collection has its full name', () => {
    const role = load({ 'site.yml': use('ns.coll.r') }, { collectionsPaths: [collections] }).play.roles[0]
    expect([role?.name, role?.collection, role?.collections]).toEqual(['ns.coll.r', 'ns.coll', ['ns.coll', 'ansible.builtin']])
  })
})

describe('files of a role', () => {
  const vars = (files: Files): unknown => {
    const role = load({ 'site.yml': use('r'), ...files }).play.roles[0]!
    return role.defaults().map((one) => Object.fromEntries(one))
  }
  test.each([
    ['main.yml', { 'roles/r/defaults/main.yml': 'a: 1' }, [{ a: 1 }]],
    ['main.yaml', { 'roles/r/defaults/main.yaml': 'a: 1' }, [{ a: 1 }]],
    ['main.json', { 'roles/r/defaults/main.json': '{"a": 1}' }, [{ a: 1 }]],
    ['main', { 'roles/r/defaults/main': 'a: 1' }, [{ a: 1 }]],
    ['a file before a folder', { 'roles/r/defaults/main.yml': 'a: 1', 'roles/r/defaults/main/x.yml': 'a: 2' }, [{ a: 1 }]],
    ['none', { 'roles/r/tasks/main.yml': '' }, []],
  ])('%s', (_what, files, expected) => expect(vars(files as Files)).toEqual(expected))
  test('a folder: its files and folders in order, the last is the strongest', () => {
    const files = { 'b.yml': 'v: b', 'a.yml': 'v: a', 'c/d.yml': 'v: d', '.hidden.yml': 'v: no', 'old.yml~': 'v: no', 'readme.md': 'v: no' }
    const all = Object.fromEntries(Object.entries(files).map(([name, text]) => [`roles/r/defaults/main/${name}`, text]))
    expect(vars(all)).toEqual([{ v: 'd' }, { v: 'b' }, { v: 'a' }])
  })
  test('other files by name', () => {
    const { tasks, play } = load({
      'site.yml': playOf('- import_role: {name: r, tasks_from: other, vars_from: v.yml, defaults_from: d, handlers_from: h}'),
      'roles/r/tasks/other.yml': task('other'),
      'roles/r/vars/v.yml': 'a: 1',
      'roles/r/defaults/d/one.yml': 'b: 2',
      'roles/r/handlers/h.yml': task('handler'),
    })
    expect(written(tasks).map((one) => one.name)).toEqual(['other'])
    const role = play.roles[0]!
    expect([role.vars(), role.defaults()]).toEqual([[new Map([['a', 1]])], [new Map([['b', 2]])]])
    expect(tasksOf(play.handlers).map((one) => one.name)).toEqual(['handler'])
  })
})

describe('two uses are the same role object', () => {
  const roles = (...entries: string[]): number => {
    const { play } = load({
      'site.yml': use(...entries),
      'roles/r/tasks/main.yml': task('t'),
      'roles/a/meta/main.yml': 'dependencies: [r]',
    })
    const all = tasksOf(play.steps).flatMap((one) => (one.role?.name === 'r' ? [one.role] : []))
    return new Set(all).size
  }
  test.each([
    ['the same name twice', ['r', 'r'], 1],
    ['as a dependency, too', ['r', 'a'], 1],
    ['equal parameters', ['{role: r, p: [1, {x: y}]}', '{role: r, p: [1, {x: y}]}'], 1],
    ['other parameters', ['{role: r, p: 1}', '{role: r, p: 2}'], 2],
    ['a text and a number', ['{role: r, p: 1}', '{role: r, p: "1"}'], 2],
    ['other conditions', ['{role: r, when: a}', 'r'], 2],
    ['other tags', ['{role: r, tags: a}', 'r'], 2],
    ['other variables', ['{role: r, vars: {a: 1}}', 'r'], 2],
    ['keywords that do not count', ['{role: r, become: yes}', 'r'], 1],
  ])('%s', (_what, entries, count) => expect(roles(...entries)).toBe(count))
})

test('a role that may run again is an object of its own for each way to it, and still the same role', () => {
  const { tasks, play } = load({
    'site.yml': playOf(
      '- import_role: {name: r, allow_duplicates: no}\n- import_role: {name: r}\n- import_role: {name: r, allow_duplicates: no, public: no}',
    ),
    'roles/r/tasks/main.yml': task('t'),
  })
  const used = written(tasks).map((one) => one.role!)
  expect([used[0] === used[1], used[0]?.same === used[1]?.same, used[0] === used[2]]).toEqual([false, true, true])
  expect(used.map((role) => role.allowDuplicates)).toEqual([false, true, false])
  expect(play.roles.length).toBe(3)
})

test.each([
  ['public by itself', 'name: r', {}, 1],
  ['not public', 'name: r, public: no', {}, 0],
  ['private by a setting', 'name: r', { privateRoleVars: true }, 0],
  ['public against the setting', 'name: r, public: yes', { privateRoleVars: true }, 1],
  ['public by a template', 'name: r, public: "{{ 1 > 2 }}"', {}, 0],
])('an imported role seen play-wide: %s', (_story, args, extra, count) => {
  const { play } = load({ 'site.yml': playOf(`- import_role: {${args}}`), 'roles/r/tasks/main.yml': task('t') }, extra)
  expect(play.roles.length).toBe(count)
})

describe('argument_specs', () => {
  const spec = 'argument_specs:\n  main:\n    short_description: what it does\n    options: {a: {type: str}}\n  other: {options: {}}\n'
  test.each([['meta/argument_specs.yml'], ['meta/main.yml']])('in %s: a task that checks them comes first', (file) => {
    const { tasks } = load({ 'site.yml': use('{role: r, p: 1}'), [`roles/r/${file}`]: spec, 'roles/r/tasks/main.yml': task('t') })
    const [check, own] = written(tasks)
    expect([check?.name, check?.action.resolved, check?.keywords.tags]).toEqual([
      "Validating arguments against arg spec 'main' - what it does",
      'ansible.builtin.validate_argument_spec',
      ['always'],
    ])
    expect(plain(check!.action.args as never)).toMatchObject({ argument_spec: { a: { type: 'str' } }, provided_arguments: { p: 1 } })
    expect(own?.name).toBe('t')
  })
  test('of another entry point, or not at all', () => {
    const files = { 'roles/r/meta/argument_specs.yml': spec, 'roles/r/tasks/other.yml': task('t'), 'roles/r/tasks/main.yml': task('m') }
    const names = (args: string): unknown[] => titles({ 'site.yml': playOf(`- import_role: {name: r, ${args}}`), ...files })
    expect(names('tasks_from: other')).toEqual(["Validating arguments against arg spec 'other'", 't'])
    expect(names('tasks_from: other, rolespec_validate: no')).toEqual(['t'])
  })
})
