/** The classes in which the reference keeps texts, as type_debug names them. */
import { expect, it } from 'vitest'
import { stage } from './harness.ts'

const { render } = stage({
  vars: {
    plain: 'text',
    handed: '{{ plain }}',
    made: '{{ plain | upper }}',
    mixed: 'x {{ plain }}',
    json: '{{ items | to_json }}',
    items: ['a', 'b'],
    copied: '{{ items }}',
    told: 'from a host',
    fromTold: 'x {{ told }}',
    day: '2024-01-02',
  },
  told: ['told', 'fromTold'],
})

it.each([
  ['plain', 'AnsibleUnicode'],
  ['handed', 'AnsibleUnicode'],
  ['items[0]', 'AnsibleUnicode'],
  ['items | first', 'AnsibleUnicode'],
  ['nowhere | default(plain)', 'AnsibleUnicode'],
  ["nowhere | default('x')", 'str'],
  ['copied[0]', 'str'],
  ['made', 'str'],
  ['mixed', 'str'],
  ["'x'", 'str'],
  ["plain ~ 'x'", 'str'],
  ['plain | upper', 'str'],
  ['json', 'NativeJinjaText'],
  ['items | to_nice_yaml', 'NativeJinjaText'],
  ['5 | string', 'NativeJinjaText'],
  ["'<' | e", 'Markup'],
  ["'<' | e | upper", 'Markup'],
  ['told', 'AnsibleUnsafeText'],
  ['told | upper', 'AnsibleUnsafeText'],
  ['told[0:2]', 'AnsibleUnsafeText'],
  ["told + 'x'", 'AnsibleUnsafeText'],
  ["told ~ 'x'", 'str'],
  ["told | regex_replace('a', 'b')", 'str'],
  ['fromTold', 'AnsibleUnsafeText'],
  ["lookup('vars', 'plain')", 'AnsibleUnsafeText'],
  ['(plain if true else told)', 'AnsibleUnicode'],
  ['5', 'int'],
  ['items', 'list'],
])('%s is %s', (expression, expected) => {
  expect(render(`{{ (${expression}) | type_debug }}`)).toBe(expected)
})
