/** Which tags let a task run, and what listings show. */
import { expect, test } from 'vitest'
import { listingLines, listPlaybook, tagsAllow } from '../../../src/playbook/index.ts'
import { load } from './load.ts'

const TABLE: readonly [tags: string, only: string, skip: string, runs: boolean][] = [
  ['', 'all', '', true],
  ['a', 'all', '', true],
  ['a', 'a,b', '', true],
  ['a', 'b', '', false],
  ['', 'b', '', false],
  ['always', 'b', '', true],
  ['always,a', 'b', '', true],
  ['never', 'all', '', false],
  ['never,a', 'a', '', true],
  ['never,a', 'never', '', true],
  ['never', 'tagged', '', false],
  ['a', 'tagged', '', true],
  ['', 'tagged', '', false],
  ['', 'untagged', '', true],
  ['a', 'untagged', '', false],
  ['always', 'untagged', '', true],
  ['always,never', 'all', '', true],
  ['a', 'all', 'a', false],
  ['a,b', 'a', 'b', false],
  ['always', 'all', 'always', false],
  ['always', 'all', 'all', true],
  ['always', 'all', 'all,always', false],
  ['a', 'all', 'all', false],
  ['a', 'all', 'tagged', false],
  ['', 'all', 'tagged', true],
  ['', 'all', 'untagged', false],
  ['always', 'all', 'tagged', false],
]
const words = (text: string): string[] => (text === '' ? [] : text.split(','))

test.each(TABLE)('[%s] --tags %s --skip-tags [%s]: %s', (tags, only, skip, runs) => {
  expect(tagsAllow(words(tags), { only: words(only), skip: words(skip) })).toBe(runs)
})

const FILES = {
  'site.yml': `
- hosts: a:b
  tags: [z, y]
  vars: {which: [t1, t2]}
  roles: [r]
  tasks:
    - {name: "named {{ x }}", ping: , tags: [b, a]}
    - ping:
    - {name: hidden, ping: , tags: never}
    - {name: templated, ping: , tags: "{{ which }}"}
    - include_role: {name: r}
      name: role
    - block: [{name: in block, ping: }]
      rescue: [{name: rescue, ping: }]
- name: "for {{ who | default('all') }}"
  hosts: "{{ who | default('all') }}"
  gather_facts: no
`,
  'roles/r/tasks/main.yml': '- name: t\n  ping:\n- include_role: {name: r}\n  name: again\n- ping:\n',
}

const lines = (what: object, filter = { only: ['all'], skip: [] as string[] }): string[] => {
  const { playbook, context } = load(FILES)
  return listingLines(listPlaybook({ ...playbook, path: 'site.yml' }, { context, filter, tasks: false, tags: false, ...what }))
}

test('--list-tasks', () => {
  expect(lines({ tasks: true }).join('\n')).toBe(`
playbook: site.yml

  play #1 (a:b): a:b\tTAGS: [z,y]
    tasks:
      r : t\tTAGS: [y, z]
      again\tTAGS: [y, z]
      ping\tTAGS: [y, z]
      named {{ x }}\tTAGS: [a, b, y, z]
      ping\tTAGS: [y, z]
      templated\tTAGS: [t1, t2, y, z]
      role\tTAGS: [y, z]
      in block\tTAGS: [y, z]

  play #2 (all): for all\tTAGS: []
    tasks:`)
})

test('--list-tags and --list-tasks with --tags', () => {
  const shown = lines({ tasks: true, tags: true }, { only: ['a', 'never'], skip: [] })
  expect(shown.slice(3, 8)).toEqual([
    '  play #1 (a:b): a:b\tTAGS: [z,y]',
    '    tasks:',
    '      named {{ x }}\tTAGS: [a, b, y, z]',
    '      hidden\tTAGS: [never, y, z]',
    '      TASK TAGS: [a, b, never, y, z]',
  ])
})

test('--list-hosts', () => {
  expect(lines({ hosts: (patterns: readonly string[]) => (patterns[0] === 'all' ? ['h1', 'h2'] : []) }).slice(3)).toEqual([
    '  play #1 (a:b): a:b\tTAGS: [z,y]',
    "    pattern: ['a:b']",
    '    hosts (0):',
    '',
    '  play #2 (all): for all\tTAGS: []',
    "    pattern: ['all']",
    '    hosts (2):',
    '      h1',
    '      h2',
  ])
})
