/** YAML → the parts of the model: order, inheritance, variables, files. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Keywords, Task } from '../../../src/playbook/index.ts'
import { type Files, load, order, plain, playOf, tasksOf, written } from './load.ts'

const named = (tasks: readonly Task[], name: string): Task => tasks.find((task) => plain(task.name) === name)!
const keyword = (task: Task, name: keyof Keywords): unknown => plain(task.keywords[name] as never)

describe('the order in which a play runs', () => {
  const files: Files = {
    'site.yml': `
- hosts: all
  post_tasks: [{name: post, ping: }]
  tasks: [{name: t1, ping: }, {block: [{name: t2, ping: }], rescue: [{name: t3, ping: }], always: [{name: t4, ping: }]}, {name: t5, ping: }]
  pre_tasks: [{name: pre, ping: }]
  roles: [a, b]
  handlers: [{name: own, ping: }]`,
    'roles/a/meta/main.yml': 'dependencies: [c]',
    'roles/a/tasks/main.yml': '- {name: in a, ping: }',
    'roles/a/handlers/main.yml': '- {name: of a, ping: }',
    'roles/b/tasks/main.yml': '- import_role: {name: d}\n- {name: in b, ping: }',
    'roles/c/tasks/main.yml': '- {name: in c, ping: }',
    'roles/c/handlers/main.yml': '- {name: of c, ping: }',
    'roles/d/tasks/main.yml': '- {name: in d, ping: }',
    'roles/d/handlers/main.yml': '- {name: of d, ping: }',
  }
  const { play } = load(files)
  test('tasks', () => {
    const all = [
      'pre',
      'flush',
      'in c',
      'end c',
      'in a',
      'end a',
      'in d',
      'end d',
      'in b',
      'end b',
      't1',
      't2',
      't3',
      't4',
      't5',
      'flush',
      'post',
      'flush',
    ]
    expect(order(play.steps)).toEqual(all)
  })
  test('handlers: of roles, of the play, of imported roles', () => expect(order(play.handlers)).toEqual(['of c', 'of a', 'own', 'of d']))
  test('roles seen play-wide', () => expect(play.roles.map((role) => role.name)).toEqual(['a', 'b', 'd']))
})

test('a list of blocks: bare tasks in a row share one that nobody wrote', () => {
  const { play } = load({ 'site.yml': playOf('- ping:\n- ping:\n- name: b\n  block: [{ping: }]\n- ping:') })
  expect(play.steps.slice(1, -2).map((block) => [block.name, block.block.length])).toEqual([
    [undefined, 2],
    ['b', 1],
    [undefined, 1],
  ])
})

describe('what is inherited', () => {
  const { tasks, play } = load({
    'site.yml': `
- hosts: all
  become: yes
  become_user: root
  environment: {E: play}
  module_defaults: {copy: {mode: a}}
  tags: [p]
  vars: {v: play}
  tasks:
    - block:
        - name: inner
          ping:
          become_user: me
          when: [c3, c4]
          tags: t,u
          environment: "{{ env }}"
          notify: h2
          vars: {v: task}
          delegate_to: x
        - name: plain
          ping:
          ignore_errors:
        - import_tasks: more.yml
          when: c5
          tags: [i]
          become: no
          vars: {v: import}
      become_user: other
      when: c1
      tags: [b]
      notify: [h1]
      ignore_errors: yes
      environment: [{E: block}]
      module_defaults: [{copy: {mode: b}}, {file: {mode: c}}]
      vars: {v: block}`,
    'more.yml': '- name: imported\n  ping:\n  when: c6\n  tags: [m]\n',
  })
  const table: readonly [task: string, name: keyof Keywords, value: unknown][] = [
    ['inner', 'become', true],
    ['inner', 'becomeUser', 'me'],
    ['plain', 'becomeUser', 'other'],
    ['inner', 'when', ['c1', 'c3', 'c4']],
    ['inner', 'tags', ['p', 'b', 't', 'u']],
    ['inner', 'environment', [{ E: 'play' }, { E: 'block' }, '{{ env }}']],
    ['inner', 'moduleDefaults', [{ copy: { mode: 'a' } }, { copy: { mode: 'b' } }, { file: { mode: 'c' } }]],
    ['inner', 'notify', ['h2']],
    ['plain', 'notify', ['h1']],
    ['inner', 'delegateTo', 'x'],
    ['plain', 'delegateTo', undefined],
    ['inner', 'ignoreErrors', true],
    ['plain', 'ignoreErrors', null],
    ['imported', 'become', false],
    ['imported', 'when', ['c1', 'c5', 'c6']],
    ['imported', 'tags', ['p', 'b', 'i', 'm']],
  ]
  test.each(table)('%s: %s', (name, which, value) => expect(keyword(named(tasks, name), which)).toEqual(value))
  test('variables, the strongest first', () => {
    const layers = (name: string): unknown => named(tasks, name).vars.map((vars) => vars.get('v'))
    expect(layers('inner')).toEqual(['task', 'block'])
    expect(layers('imported')).toEqual(['import', 'block'])
    expect(play.vars.get('v')).toBe('play')
  })
})

describe('role entries', () => {
  const { tasks, play } = load({
    'site.yml': `
- hosts: all
  become: no
  roles:
    - role: outer
      become: yes
      when: w1
      tags: [t1]
      vars: {v: entry}
      p: param`,
    'roles/outer/meta/main.yml': "dependencies:\n  - role: dep\n    when: w2\n    tags: t2, t3\n    q: '{{ p }}'\n",
    'roles/outer/tasks/main.yml': '- name: task\n  ping:\n  when: w4\n',
    'roles/dep/tasks/main.yml': '- name: deep\n  ping:\n  when: w3\n',
    'roles/dep/defaults/main.yml': 'd: 1',
  })
  const deep = named(tasks, 'deep')
  test('conditions and tags come from the outermost in', () => {
    expect(keyword(deep, 'when')).toEqual(['w1', 'w2', 'w3'])
    expect(keyword(deep, 'tags')).toEqual(['t1', 't2', 't3'])
    expect(keyword(deep, 'become')).toBe(true)
    expect(keyword(named(tasks, 'task'), 'when')).toEqual(['w1', 'w4'])
  })
  test('parameters and variables', () => {
    const outer = play.roles[0]!
    expect([...outer.params]).toEqual([['p', 'param']])
    expect([...outer.entryVars]).toEqual([['v', 'entry']])
    expect(plain(new Map(deep.role!.params) as never)).toEqual({ q: '{{ p }}' })
  })
  test('who led here', () => {
    expect(deep.role?.parents.map((role) => role.name)).toEqual(['outer'])
    expect(deep.roleParents?.map((role) => role.name)).toEqual(['outer'])
    expect(play.roles[0]?.dependencies).toEqual([deep.role])
    expect(deep.role?.defaults()).toEqual([new Map([['d', 1]])])
  })
})

test('fields of a task', () => {
  const { tasks } = load({
    'site.yml': playOf(`
- name: all of it
  command: x
  register: r
  until: r is ok
  retries: 3
  delay: "{{ d }}"
  changed_when: [a, false]
  failed_when: "'x' in y"
  async: 10
  poll: 0
  with_items: "{{ list }}"
  loop_control: {loop_var: i, index_var: n, label: "{{ i }}", pause: 1, extended: yes, break_when: i == 2}`),
  })
  const [task] = written(tasks)
  const { register, retries, delay, async, poll, loop } = task!
  expect({ register, retries, delay: plain(delay), async, poll }).toEqual({
    register: 'r',
    retries: 3,
    delay: '{{ d }}',
    async: 10,
    poll: 0,
  })
  expect(plain([...task!.until!])).toEqual(['r is ok'])
  expect(plain([...task!.changedWhen!])).toEqual(['a', false])
  expect(plain([...task!.failedWhen!])).toEqual(["'x' in y"])
  expect([loop?.with, plain(loop?.value)]).toEqual(['items', '{{ list }}'])
  expect([loop?.control.loopVar, loop?.control.indexVar, plain(loop?.control.label), loop?.control.pause, loop?.control.extended]).toEqual([
    'i',
    'n',
    '{{ i }}',
    1,
    true,
  ])
  expect(plain([...loop!.control.breakWhen!])).toEqual(['i == 2'])
})

test('fields of a play', () => {
  const { play } = load({
    'site.yml': `
- name: "{{ title }}"
  hosts: [a, "{{ b }}"]
  gather_facts: no
  gather_subset: "!all"
  gather_timeout: 5
  fact_path: /f
  serial: [1, 30%]
  strategy: free
  order: shuffle
  max_fail_percentage: 20
  force_handlers: yes
  any_errors_fatal: "{{ aef }}"
  vars_files: [one.yml, [two.yml, three.yml]]
  vars_prompt:
    - {name: p, prompt: ask, private: no, default: "{{ d }}", encrypt: sha512_crypt, confirm: yes, salt_size: 7, unsafe: yes}
    - name: q
  user: me`,
  })
  expect([plain(play.name), plain(play.hosts)]).toEqual(['{{ title }}', ['a', '{{ b }}']])
  expect([play.gatherFacts, play.gatherSubset, play.gatherTimeout, play.factPath]).toEqual([false, '!all', 5, '/f'])
  expect([play.serial, play.strategy, play.order, play.maxFailPercentage, play.forceHandlers]).toEqual([
    [1, '30%'],
    'free',
    'shuffle',
    20,
    true,
  ])
  expect([plain(play.keywords.anyErrorsFatal), play.keywords.remoteUser]).toEqual(['{{ aef }}', 'me'])
  expect(play.varsFiles).toEqual(['one.yml', ['two.yml', 'three.yml']])
  expect(play.varsPrompt.map((p) => ({ ...p, default: plain(p.default) }))).toEqual([
    {
      name: 'p',
      prompt: 'ask',
      private: false,
      default: '{{ d }}',
      encrypt: 'sha512_crypt',
      confirm: true,
      saltSize: 7,
      salt: undefined,
      unsafe: true,
    },
    {
      name: 'q',
      prompt: 'q',
      private: true,
      default: undefined,
      encrypt: undefined,
      confirm: false,
      saltSize: undefined,
      salt: undefined,
      unsafe: false,
    },
  ])
})

test('one prompt may be a dict', () => {
  expect(load({ 'site.yml': '- hosts: all\n  vars_prompt: {name: x, prompt: sure}' }).play.varsPrompt.map((p) => p.name)).toEqual(['x'])
})

test('conditions are templates with their place, also where they are plain words', () => {
  const text = playOf('- ping:\n  when: a == 1')
  const [task] = written(load({ 'site.yml': text }).tasks)
  const condition = task!.keywords.when[0] as { text: string; span: { start: number; end: number } }
  expect([condition.text, text.slice(condition.span.start, condition.span.end)]).toEqual(['a == 1', 'a == 1'])
})

test('the files that led to a task', () => {
  const { folder, tasks } = load({
    'site.yml': playOf('- import_tasks: sub/one.yml'),
    'sub/one.yml': '- import_tasks: deep/two.yml',
    'sub/deep/two.yml': '- ping:',
  })
  const [task] = written(tasks)
  expect(task?.file).toBe(join(folder, 'sub/deep/two.yml'))
  expect(task?.fileChain).toEqual([join(folder, 'sub'), folder])
})

test('handlers: imports are opened, topics are known by the name of the role, too', () => {
  const { play } = load({
    'site.yml': '- hosts: all\n  roles: [r]\n',
    'roles/r/handlers/main.yml': '- import_tasks: more.yml\n  when: outer\n- name: last\n  ping:\n  listen: [topic]\n',
    'roles/r/handlers/more.yml': '- name: first\n  ping:\n  when: inner\n',
  })
  const handlers = tasksOf(play.handlers)
  expect(handlers.map((task) => [task.name, task.isHandler, plain(task.listen as never), keyword(task, 'when')])).toEqual([
    ['first', true, [], ['outer', 'inner']],
    ['last', true, ['topic', 'r : topic'], []],
  ])
})

test('ids are unique', () => {
  const { tasks } = load({ 'site.yml': '- hosts: all\n  roles: [r, r]\n', 'roles/r/tasks/main.yml': '- ping:\n- ping:\n' })
  expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length)
})
