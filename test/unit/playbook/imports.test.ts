/** Static imports of tasks, roles and playbooks, and includes at run time. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Raw } from '../../../src/base/index.ts'
import { findIncludedFile, loadIncludedFile, loadIncludedRole, loadIncludedTasks, type Task } from '../../../src/playbook/index.ts'
import { type Files, load, order, plain, playOf, tasksOf, written } from './load.ts'

const task = (name: string): string => `- name: ${name}\n  ping:\n`
const titles = (files: Files, extra = {}): unknown[] => written(load(files, extra).tasks).map((one) => plain(one.name))
const whens = (one: Task): unknown => plain([...one.keywords.when])

describe('import_tasks finds its file', () => {
  const role = { 'site.yml': '- hosts: all\n  roles: [r]\n' }
  const table: readonly [string, Files][] = [
    ['beside the playbook', { 'site.yml': playOf('- import_tasks: a.yml'), 'a.yml': task('x') }],
    ['by file=', { 'site.yml': playOf('- import_tasks: {file: a.yml}'), 'a.yml': task('x') }],
    ['in quotes', { 'site.yml': playOf('- import_tasks: "\'a.yml\'"'), 'a.yml': task('x') }],
    [
      'beside the importing file',
      { 'site.yml': playOf('- import_tasks: s/a.yml'), 's/a.yml': '- import_tasks: b.yml', 's/b.yml': task('x') },
    ],
    [
      'beside the playbook from a deeper file',
      { 'site.yml': playOf('- import_tasks: s/a.yml'), 's/a.yml': '- import_tasks: b.yml', 'b.yml': task('x') },
    ],
    ['in tasks/ of the role', { ...role, 'roles/r/tasks/main.yml': '- import_tasks: a.yml', 'roles/r/tasks/a.yml': task('x') }],
    [
      'below tasks/',
      {
        ...role,
        'roles/r/tasks/main.yml': '- import_tasks: s/a.yml',
        'roles/r/tasks/s/a.yml': '- import_tasks: b.yml',
        'roles/r/tasks/s/b.yml': task('x'),
      },
    ],
    ['out of the role', { ...role, 'roles/r/tasks/main.yml': '- import_tasks: ../../q/tasks/a.yml', 'roles/q/tasks/a.yml': task('x') }],
    [
      'by play variables',
      { 'site.yml': `- hosts: all\n  vars: {n: a}\n  tasks:\n    - import_tasks: "{{ n }}.yml"\n`, 'a.yml': task('x') },
    ],
    [
      'by vars_files',
      {
        'site.yml': `- hosts: all\n  vars_files: [v.yml]\n  tasks:\n    - import_tasks: "{{ n }}.yml"\n`,
        'v.yml': 'n: a',
        'a.yml': task('x'),
      },
    ],
    ['by its own variables', { 'site.yml': playOf('- import_tasks: "{{ n }}.yml"\n  vars: {n: a}'), 'a.yml': task('x') }],
    [
      'by defaults of the role',
      {
        ...role,
        'roles/r/defaults/main.yml': 'n: a',
        'roles/r/tasks/main.yml': '- import_tasks: "{{ n }}.yml"',
        'roles/r/tasks/a.yml': task('x'),
      },
    ],
    [
      'by defaults of the roles of the play',
      {
        'site.yml': `- hosts: all\n  roles: [r]\n  tasks:\n    - import_tasks: "{{ n }}.yml"\n`,
        'roles/r/defaults/main.yml': 'n: a',
        'a.yml': task('x'),
      },
    ],
    ['by playbook_dir', { 'site.yml': playOf('- import_tasks: "{{ playbook_dir }}/a.yml"'), 'a.yml': task('x') }],
    ['as include of old', { 'site.yml': playOf('- include: a.yml'), 'a.yml': task('x') }],
  ]
  test.each(table)('%s', (_how, files) => expect(titles(files)).toEqual(['x']))
  test('extra variables win', () => {
    const files = { 'site.yml': `- hosts: all\n  vars: {n: no}\n  tasks:\n    - import_tasks: "{{ n }}.yml"\n`, 'a.yml': task('x') }
    expect(titles(files, { extraVars: new Map<string, Raw>([['n', 'a']]) })).toEqual(['x'])
  })
  test('an empty file is told', () => {
    expect(load({ 'site.yml': playOf('- import_tasks: a.yml'), 'a.yml': '---\n' }).warnings.join()).toMatch(/a\.yml is empty/)
  })
  test('include of old with a template or a loop stays an include', () => {
    const one = written(load({ 'site.yml': playOf('- include: "{{ x }}.yml"\n- include: a.yml\n  with_items: [1]') }).tasks)
    expect(one.map((t) => t.action.resolved)).toEqual(['ansible.builtin.include_tasks', 'ansible.builtin.include_tasks'])
  })
})

describe('import_playbook', () => {
  const { playbook, folder } = load({
    'site.yml':
      '- import_playbook: sub/{{ which }}.yml\n  vars: {which: two, v: imported}\n  tags: [i]\n  when: [c1]\n- name: last\n  hosts: all\n',
    'sub/two.yml': `
- name: first
  hosts: all
  vars: {v: own, w: own}
  tags: own
  pre_tasks: [{name: pre, ping: , when: c2}]
  roles: [{role: r, when: c3}]
  handlers: [{name: h, ping: }]
- import_playbook: three.yml
  when: c4`,
    'sub/three.yml': '- name: second\n  hosts: all\n  tasks: [{name: t, ping: }]\n',
    'sub/roles/r/tasks/main.yml': task('in r'),
    'sub/roles/r/handlers/main.yml': task('hr'),
  })
  test('its plays stand in its place', () => {
    expect(playbook.plays.map((play) => [play.name, play.path])).toEqual([
      ['first', join(folder, 'sub/two.yml')],
      ['second', join(folder, 'sub/three.yml')],
      ['last', join(folder, 'site.yml')],
    ])
  })
  test('its variables beat those of the plays; tags and conditions are added', () => {
    const [first, second, last] = playbook.plays
    expect(Object.fromEntries(first!.vars)).toEqual({ which: 'two', v: 'imported', w: 'own' })
    expect([first?.tags, second?.tags, last?.tags]).toEqual([['own', 'i'], ['i'], []])
    expect(written(tasksOf(first!.steps)).map((one) => [one.name, whens(one)])).toEqual([
      ['pre', ['c1', 'c2']],
      ['in r', ['c1', 'c3']],
    ])
    expect(written(tasksOf(second!.steps)).map(whens)).toEqual([['c1', 'c4']])
    expect(plain([...first!.keywords.when])).toEqual(['c1'])
    expect(tasksOf(first!.handlers).map((one) => [one.name, whens(one)])).toEqual([
      ['hr', ['c1', 'c3']],
      ['h', []],
    ])
  })
})

describe('includes at run time', () => {
  const files: Files = {
    'site.yml': `
- hosts: all
  vars: {p: play}
  tasks:
    - block:
        - include_tasks: {file: sub/a.yml, apply: {tags: [applied], become: yes, vars: {ap: 1}}}
          when: own
          tags: own
          vars: {v: include}
        - include_role: {name: r, apply: {tags: applied}}
          vars: {v: include}
      when: outer
      tags: outer
      vars: {b: block}`,
    'sub/a.yml': '- name: included\n  ping:\n  vars: {t: task}\n- include_tasks: b.yml\n',
    'sub/b.yml': task('nested'),
    'roles/r/meta/main.yml': 'dependencies: [{role: d, when: dw}]',
    'roles/r/tasks/main.yml': `${task('in r')}- include_role: {name: q}\n- include_tasks: more.yml\n`,
    'roles/r/tasks/more.yml': task('more'),
    'roles/r/handlers/main.yml': task('hr'),
    'roles/d/tasks/main.yml': task('in d'),
    'roles/q/tasks/main.yml': task('in q'),
  }
  const { folder, tasks, play, context } = load(files)
  const [tasksInclude, roleInclude] = written(tasks)
  const item = new Map<string, Raw>([['item', 1]])
  const request = { name: 'r', public: false, allowDuplicates: true, rolespecValidate: true }

  test('tasks inherit what surrounds the include and what apply says, not its own keywords', () => {
    const [included] = tasksOf(loadIncludedTasks(join(folder, 'sub/a.yml'), tasksInclude!, item, context))
    expect([whens(included!), plain([...included!.keywords.tags]), included?.keywords.become]).toEqual([
      ['outer'],
      ['outer', 'applied'],
      true,
    ])
    expect(included?.vars.map((vars) => [...vars.keys()])).toEqual([['t'], ['ap'], ['b']])
    expect(included?.includeVars.map((vars) => [...vars])).toEqual([[['item', 1]], [['v', 'include']]])
  })
  test('the file of a nested include is found beside the including file', () => {
    const nested = tasksOf(loadIncludedTasks(join(folder, 'sub/a.yml'), tasksInclude!, item, context))[1]!
    expect(findIncludedFile('b.yml', nested).path).toBe(join(folder, 'sub/b.yml'))
    expect(findIncludedFile('nowhere.yml', nested).exists).toBe(false)
    expect(tasksOf(loadIncludedTasks(join(folder, 'sub/b.yml'), nested, item, context)).map((one) => one.name)).toEqual(['nested'])
  })
  test('a handler of a role finds files in handlers/ and in tasks/', () => {
    const { play: withHandler, folder: at } = load({
      'site.yml': '- hosts: all\n  roles: [r]\n',
      'roles/r/handlers/main.yml': '- include_tasks: one.yml\n',
      'roles/r/handlers/one.yml': task('one'),
      'roles/r/tasks/two.yml': task('two'),
    })
    const [handler] = tasksOf(withHandler.handlers)
    const found = ['one.yml', 'two.yml'].map((name) => findIncludedFile(name, handler!).path)
    expect(found).toEqual([join(at, 'roles/r/handlers/one.yml'), join(at, 'roles/r/tasks/two.yml')])
  })
  test('a role brings its dependencies, tasks and handlers', () => {
    const { role, steps, handlers } = loadIncludedRole(request, roleInclude!, item, play, context)
    expect([role.name, role.public, role.allowDuplicates, plain(new Map(role.entryVars) as never)]).toEqual([
      'r',
      false,
      true,
      { v: 'include', item: 1 },
    ])
    expect(order(steps)).toEqual(['in d', 'end d', 'in r', 'include_role', 'include_tasks', 'end r'])
    expect(tasksOf(handlers).map((one) => one.name)).toEqual(['hr'])
    const [inD, inR] = written(tasksOf(steps))
    expect([whens(inD!), whens(inR!)]).toEqual([['dw', 'outer'], ['outer']])
    expect(plain([...inR!.keywords.tags])).toEqual(['outer', 'applied'])
  })
  test('a role within a role knows who led to it', () => {
    const inner = written(tasksOf(loadIncludedRole(request, roleInclude!, item, play, context).steps)).find(
      (one) => one.action.name === 'include_role',
    )!
    const { role, steps } = loadIncludedRole({ ...request, name: 'q' }, inner, new Map(), play, context)
    expect(role.parents.map((one) => one.name)).toEqual(['r'])
    expect(plain(tasksOf(steps)[0]!.includeVars[0]!.get('ansible_parent_role_names'))).toEqual(['r'])
  })
  test('what is wrong in an included file is said then', () => {
    expect(() => loadIncludedTasks(join(folder, 'roles/r/meta/main.yml'), tasksInclude!, item, context)).toThrow(
      'a list of tasks must be here',
    )
  })
  test.each([
    ['a file', () => loadIncludedTasks(join(folder, 'no.yml'), tasksInclude!, item, context), /^Could not find or access '.*no\.yml'/],
    ['a role', () => loadIncludedRole({ ...request, name: 'no' }, roleInclude!, item, play, context), /^the role 'no' was not found in /],
  ])('%s that is missing is one problem of kind file: the task fails, no more', (_what, include, message) => {
    expect(include).toThrow(expect.objectContaining({ kind: 'file', message: expect.stringMatching(message) }))
  })
  test('handlers and roles of imports in an included file are told', () => {
    const { folder: at, tasks: all } = load({
      'site.yml': playOf('- include_tasks: a.yml'),
      'a.yml': '- import_role: {name: r}',
      'roles/r/tasks/main.yml': task('t'),
      'roles/r/handlers/main.yml': task('h'),
    })
    const { steps, handlers, roles } = loadIncludedFile(join(at, 'a.yml'), written(all)[0]!, new Map())
    expect([order(steps), tasksOf(handlers).map((one) => one.name), roles.map((role) => role.name)]).toEqual([['t', 'end r'], ['h'], ['r']])
  })
})
