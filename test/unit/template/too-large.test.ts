/** Templates that would make more than fits into memory fail, and nothing else does. */
import { expect, test } from 'vitest'
import { Problem } from '../../../src/base/index.ts'
import { stage } from './harness.ts'

const CASES = [
  '[1] * 10**10',
  '"a" * 10**10',
  'range(10**11) | list',
  '"%1000000000d" % 5',
  '"x".center(10**11)',
  '["a"] | batch(10**10, "x") | list',
  '[1, 2] | slice(10**9) | list',
  '{}.fromkeys(range(10**9))',
  'range(10**5) | combinations(5) | list',
  'range(30) | permutations | list',
  'range(10**4) | product(range(10**4)) | list',
]

test.each(CASES)('%s', (text) => {
  expect(() => stage().render(`{{ ${text} }}`)).toThrow('the template makes something too large')
})

test.each(['sha1', 'constructor'])('hash by %s', (name) => {
  const hash = () => stage().render(`{{ 'a' | hash('${name}') }}`)
  if (name === 'sha1') expect(hash()).toBe('86f7e437faa5a7fce15d1ddcb9eaeaea377667b8')
  else expect(hash).not.toThrow('function')
})

const WITHOUT_END = [
  "{% include 'me.j2' %}",
  "{% extends 'up.j2' %}",
  "{% import 'own.j2' as x %}",
  "{% from 'names.j2' import x %}",
  '{{ a }}',
  '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  '{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}',
  '{% set l = [] %}{% do l.append(l) %}{{ l | flatten }}',
  `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`,
  `${'{% if 1 %}'.repeat(20_000)}${'{% endif %}'.repeat(20_000)}`,
  `{{ 1${' if 1'.repeat(20_000)} }}`,
]

test.each(WITHOUT_END.map((text) => [text.slice(0, 60), text]))('what has no end, or goes too deep: %s', (_, text) => {
  const files = {
    'me.j2': "{% include 'me.j2' %}",
    'up.j2': "{% extends 'up.j2' %}",
    'own.j2': "{% import 'own.j2' as x %}",
    'names.j2': "{% from 'names.j2' import x %}",
  }
  expect(() => stage({ files, vars: { a: '{{ b }}', b: '{{ a }}' } }).render(text)).toThrow(Problem)
})
