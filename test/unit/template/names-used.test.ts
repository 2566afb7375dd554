import { expect, test } from 'vitest'
import { namesUsed } from '../../../src/template/index.ts'

test.each<[string, boolean, string[]]>([
  ['{{ a }} and {{ b.c[d] }}', false, ['a', 'b', 'd']],
  ['a == 1 and b', true, ['a', 'b']],
  ['{{ a | default(b) }}', false, ['b']],
  ['{{ a.b.c | d("x") }}', false, []],
  ['a is defined and a > 1', true, []],
  ['a is not defined or b is undefined', true, []],
  ['{% set x = y %}{{ x }}', false, ['y']],
  ['{% for k, v in d.items() if v %}{{ k }}{{ loop.index }}{% endfor %}', false, ['d']],
  ['{% macro m(a, b=c) %}{{ a }}{{ varargs }}{% endmacro %}{{ m(1) }}', false, ['c']],
  ['{% from "x" import y as z %}{{ z }}{{ y }}', false, ['y']],
  ["{{ lookup('env', e) }}{{ range(n) | list }}", false, ['e', 'n']],
  ['{{ "{{" }}{# comment #}{{ omit }}', false, []],
  ['{{ not closed', false, []],
  ['{{ x if y else none }}{{ true }}', false, ['x', 'y']],
])('%s', (text, bare, names) => expect([...namesUsed(text, bare).needed].sort()).toEqual(names))
