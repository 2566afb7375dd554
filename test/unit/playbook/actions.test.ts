/** The forms in which a task names its module and arguments. */
import { expect, test } from 'vitest'
import { Template } from '../../../src/base/index.ts'
import { load, plain, playOf, written } from './load.ts'

const CASES: readonly [task: string, name: string, args: unknown, more?: { resolved?: string; delegateTo?: string }][] = [
  ['- ping:', 'ping', {}, { resolved: 'ansible.builtin.ping' }],
  ['- ansible.builtin.ping:', 'ansible.builtin.ping', {}, { resolved: 'ansible.builtin.ping' }],
  ['- ansible.legacy.ping:', 'ansible.legacy.ping', {}, { resolved: 'ansible.builtin.ping' }],
  ['- copy: src=a dest="/b c"', 'copy', { src: 'a', dest: '/b c' }],
  ['- copy: {src: a, dest: /b, mode: 0644}', 'copy', { src: 'a', dest: '/b', mode: 420 }],
  ['- action: copy src=a dest=b', 'copy', { src: 'a', dest: 'b' }],
  ['- action: {module: copy, src: a, dest: b}', 'copy', { src: 'a', dest: 'b' }],
  ['- action: {module: copy src=a, args: {dest: b}}', 'copy', { src: 'a', dest: 'b' }],
  ['- local_action: command echo hi', 'command', { _raw_params: 'echo hi' }, { delegateTo: 'localhost' }],
  ['- local_action: {module: copy, src: a, dest: b}', 'copy', { src: 'a', dest: 'b' }, { delegateTo: 'localhost' }],
  ['- shell: echo a=b creates=/tmp/x', 'shell', { creates: '/tmp/x', _raw_params: 'echo a=b' }],
  ['- shell: echo hi\n  args: {chdir: /tmp, creates: x}', 'shell', { chdir: '/tmp', creates: 'x', _raw_params: 'echo hi' }],
  ['- command:\n    cmd: ls -l\n    chdir: /', 'command', { chdir: '/', _raw_params: 'ls -l' }],
  ['- command:\n    argv: [ls, -l]', 'command', { argv: ['ls', '-l'] }],
  ['- shell: |\n    one\n    two', 'shell', { _raw_params: 'one\ntwo\n' }],
  ['- set_fact: a=1 b="{{ x }}"', 'set_fact', { a: '1', b: '{{ x }}' }],
  ['- debug: "{{ whole }}"', 'debug', '{{ whole }}'],
  ['- debug:\n  args: "{{ whole }}"', 'debug', '{{ whole }}'],
  ['- debug: {msg: x}\n  args: "{{ whole }}"', 'debug', { _variable_params: '{{ whole }}', msg: 'x' }],
  ['- meta: end_play', 'meta', { _raw_params: 'end_play' }, { resolved: 'ansible.builtin.meta' }],
  ['- include_tasks: "{{ x }}.yml"', 'include_tasks', { _raw_params: '{{ x }}.yml' }, { resolved: 'ansible.builtin.include_tasks' }],
  ['- action: "{{ which }} a=b"', '{{ which }}', { a: 'b' }, { resolved: '{{ which }}' }],
]

test.each(CASES)('%s', (task, name, args, more = {}) => {
  const [only] = written(load({ 'site.yml': playOf(task) }).tasks)
  expect(only?.action.name).toBe(name)
  expect(plain(only!.action.args as never)).toEqual(args)
  if (more.resolved) expect(only?.action.resolved).toBe(more.resolved)
  expect(only?.keywords.delegateTo).toBe(more.delegateTo)
})

test.each([
  ['expect', 'ansible.builtin.expect'],
  ['ansible.legacy.expect', 'ansible.builtin.expect'],
  ['synchronize', 'synchronize'],
  ['community.general.somewhere', 'community.general.somewhere'],
])('%s can be read, whether it can be run or not', (name, resolved) => {
  const context = { module: () => undefined, moduleNames: () => [] }
  expect(written(load({ 'site.yml': playOf(`- ${name}: {a: 1}`) }, context).tasks)[0]?.action.resolved).toBe(resolved)
})

test('a template in an argument string knows its place', () => {
  const text = playOf('- copy: src=a dest="/x/{{ name }}"')
  const [only] = written(load({ 'site.yml': text }).tasks)
  const dest = (only!.action.args as ReadonlyMap<string, unknown>).get('dest') as Template
  expect(dest).toBeInstanceOf(Template)
  expect(text.slice(dest.span!.start, dest.span!.end)).toBe('/x/{{ name }}')
})

test('modules of library/ are found beside the playbook and in roles', () => {
  const { tasks } = load({
    'site.yml': '- hosts: all\n  roles: [r]\n  tasks:\n    - mine:\n    - theirs:\n',
    'library/mine.py': '#!/usr/bin/python\n',
    'roles/r/library/theirs.sh': '#!/bin/sh\n',
    'roles/r/tasks/main.yml': '- theirs:\n',
  })
  expect(written(tasks).map(({ action }) => [action.resolved, action.file?.replace(/^.*?(roles|library)\//, '$1/')])).toEqual([
    ['theirs', 'roles/r/library/theirs.sh'],
    ['mine', 'library/mine.py'],
    ['theirs', 'roles/r/library/theirs.sh'],
  ])
})
