import { expect, it } from 'vitest'
import { stage } from './harness.ts'

const FILES = {
  'base.j2': 'head {% block head %}base{% endblock %}\n{% block body %}body{% endblock %}\n{{ self.head() }}\n',
  'mid.j2': "{% extends 'base.j2' %}\n{% block body %}mid({{ super() }}){% endblock %}\n",
  'child.j2':
    "{% extends 'mid.j2' %}\ndropped {% for i in [1] %}too{% endfor %}\n{% block head %}child{% endblock %}\n{% block body %}<{{ super() }}>{% endblock %}\n",
  'part.j2': 'part {{ name }} {{ local | default("no local") }}\n',
  'lib.j2': "{% macro tag(x) %}<{{ x }}{{ name | default('-') }}>{% endmacro %}{% set shared = [1] %}{% set _own = 1 %}text\n",
  'must.j2': '{% block must required %}{% endblock %}',
}

const cases: [text: string, expected: string][] = [
  ["{% extends 'child.j2' %}", 'head child<mid(body)>child'],
  ["{% set local = 'L' %}{% include 'part.j2' %}|", 'part N L|'],
  ["{% for local in [1, 2] %}{% include 'part.j2' %};{% endfor %}", 'part N 1;part N 2;'],
  ["{% include 'nope.j2' ignore missing %}|", '|'],
  ["{% include ['nope.j2', 'part.j2'] %}", 'part N no local'],
  ["{% import 'lib.j2' as lib %}{{ lib.tag(1) }}{{ lib.shared }}{{ lib._own is defined }}", '<1->[1]False'],
  ["{% import 'lib.j2' as lib with context %}{{ lib.tag(1) }}", '<1N>'],
  ["{% from 'lib.j2' import tag as t, shared %}{{ t(2) }}{{ shared }}", '<2->[1]'],
  ["{% import 'lib.j2' as lib %}{{ lib }}", 'text'],
  ["{% set only = false %}{% if only %}{% extends 'base.j2' %}{% endif %}alone", 'alone'],
  ["{% extends 'must.j2' %}{% block must %}there{% endblock %}", 'there'],
]

it.each(cases)('%s', (text, expected) => {
  const { templar, scope } = stage({ vars: { name: 'N' }, files: FILES })
  expect(templar.renderFile({ name: 'top.j2', text }, scope)).toBe(expected)
})

it.each([
  ["{% include 'nope.j2' %}", 'nope.j2'],
  ["{% extends 'must.j2' %}", "Required block 'must' not found"],
  ["{% extends 'base.j2' %}{% extends 'base.j2' %}", 'extended multiple times'],
  ["{% from 'lib.j2' import nope %}{{ nope }}", "the template 'lib.j2' (imported on line 1) does not export the requested name 'nope'"],
])('%s fails', (text, message) => {
  const { templar, scope } = stage({ vars: { name: 'N' }, files: FILES })
  expect(() => templar.renderFile({ name: 'top.j2', text }, scope)).toThrow(message)
})
