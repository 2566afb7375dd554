/** Templates that reach for what lies behind the values: they get something undefined or an error, never JavaScript's insides. */
import { describe, expect, it } from 'vitest'
import { OMIT, type Raw, Template } from '../../../src/base/index.ts'
import { createTemplar, type Scope } from '../../../src/template/index.ts'

const variables = new Map<string, Raw>([
  ['text', 'abc'],
  ['number', 5],
  ['list', [1, 2]],
  ['dict', new Map([['k', 'v']])],
  ['omit', OMIT],
])
const scope: Scope = {
  get: (name) => variables.get(name) as never,
  has: (name) => variables.has(name),
  names: () => variables.keys(),
  fromHost: () => false,
  raw: (name) => variables.get(name),
}
const templar = createTemplar({ native: false, extensions: ['jinja2.ext.do'] })

/** Values that a template can hold. */
const HOLDERS = [
  ...[
    'text',
    'number',
    'list',
    'dict',
    'omit',
    "'a'",
    '5',
    '5.5',
    '2 ** 70',
    'true',
    'none',
    '(1, 2)',
    '[]',
    '{}',
    "'a'.encode()",
    'nowhere',
  ],
  ...[
    'range',
    'range(3)',
    'dict',
    'namespace()',
    'namespace(a=1)',
    'joiner()',
    "cycler('a')",
    'lookup',
    'query',
    'self',
    'now()',
    'dict.items()',
    'dict.keys()',
    'list.append',
  ],
  ...["'2024-01-01 00:00:00' | to_datetime", "'x' | e", 'list | map("string")', 'text.upper', 'undef()', 'text.format', '"{}".format'],
]

/** Names under which JavaScript and Python keep what a template must not have. */
const NAMES = [
  ...[
    'constructor',
    'prototype',
    '__proto__',
    '__defineGetter__',
    '__lookupGetter__',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'toJSON',
    'caller',
    'callee',
    'arguments',
  ],
  ...[
    'apply',
    'bind',
    'call',
    'compiled',
    'open',
    'size',
    'entries',
    'set',
    'has',
    'delete',
    'forEach',
    'raise',
    'details',
    'session',
    'environment',
    'scope',
  ],
  ...[
    '__class__',
    '__mro__',
    '__subclasses__',
    '__globals__',
    '__builtins__',
    '__init__',
    '__dict__',
    '__code__',
    '__reduce__',
    '__getattribute__',
    'mro',
    'func_globals',
    'gi_frame',
    '_fields',
  ],
]

describe('members that are out of reach', () => {
  it.each(HOLDERS)('of %s', (holder) => {
    for (const name of NAMES) {
      for (const expression of [`(${holder}).${name}`, `(${holder})['${name}']`, `(${holder}) | attr('${name}')`]) {
        expect({ expression, result: outcome(`{{ (${expression}) | default('nothing') }}`) }).toSatisfy(({ result }) => isHarmless(result))
      }
    }
  })
})

/** Whole attempts, each a way out that some template engine once had. */
const ATTEMPTS = [
  "{{ ''.constructor.constructor('return process')() }}",
  "{{ [].constructor.constructor('return globalThis')().process.exit() }}",
  "{{ dict.constructor('return this')() }}",
  "{{ range.constructor('return process.env')() }}",
  "{{ lookup.constructor('return 1')() }}",
  '{{ (1).__proto__.polluted }}',
  '{% set list.__proto__ = 1 %}',
  '{% set ns = namespace() %}{% set ns.__proto__ = dict %}{{ ns.k }}|{{ ns.constructor }}',
  '{% set ns = namespace(__proto__=dict) %}{{ ns.k }}',
  "{{ {'__proto__': {'x': 1}}.x }}",
  '{{ dict(__proto__=5).constructor }}',
  "{% set __proto__ = {'x': 1} %}{{ x }}",
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  "{{ self.__init__.__globals__.__builtins__.open('/etc/passwd').read() }}",
  "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
  '{{ joiner.__init__.__globals__ }}',
  '{{ namespace.__init__.__globals__ }}',
  "{{ lipsum.__globals__['os'].popen('id').read() }}",
  '{{ get_flashed_messages.__globals__ }}',
  "{{ '{0.__class__}'.format(text) }}",
  "{{ '{0.constructor}'.format(text) }}",
  "{{ '{0[constructor]}'.format(dict) }}",
  "{{ '%(constructor)s' % dict }}",
  '{{ process }}',
  '{{ globalThis }}',
  '{{ require("fs") }}',
  '{{ module }}',
  '{{ this }}',
  "{{ import('fs') }}",
  "{{ eval('1') }}",
  "{{ Function('return 1')() }}",
  "{{ [1] | map('constructor') | list }}",
  "{{ [1] | map(attribute='constructor') | list }}",
  "{{ [1] | map(attribute='__proto__.constructor') | list }}",
  "{{ [1] | select('constructor') | list }}",
  "{{ [{'a': 1}] | groupby('constructor') }}",
  "{{ [{'a': 1}] | sort(attribute='constructor') }}",
  '{{ 1 | constructor }}',
  '{{ 1 | __proto__ }}',
  '{{ 1 is constructor }}',
  '{{ 1 is toString }}',
  "{{ lookup('constructor') }}",
  "{{ lookup('__proto__') }}",
  "{{ query('toString', 'a') }}",
  "{{ 'constructor' | extract(dict) }}",
  "{{ dict | json_query('constructor') }}",
  "{{ dict | combine({'__proto__': {'polluted': 1}}, recursive=True) | json_query('polluted') }}",
  '{{ \'{"__proto__": {"polluted": 1}}\' | from_json | json_query(\'polluted\') }}',
  "{{ text | hash('constructor') }}",
  "{{ text | comment('constructor') }}",
  "{{ text | to_uuid(namespace='constructor') }}",
  "{{ text | password_hash('constructor') }}",
  "{{ '%c' | strftime('constructor') }}",
  "{{ '10.0.0.1' | ansible.utils.ipaddr('constructor') }}",
  "{% include '/etc/passwd' %}",
  "{% include '../../../../etc/passwd' %}",
  "{% import '/etc/passwd' as x %}{{ x }}",
  "{% extends '/etc/passwd' %}",
]

describe('ways out', () => {
  it.each(ATTEMPTS)('%s', (attempt) => {
    expect(outcome(attempt)).toSatisfy(isHarmless)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

interface Outcome {
  readonly error?: string
  readonly kind?: string | undefined
  readonly text?: string
}

function outcome(text: string): Outcome {
  try {
    return { text: templar.text(templar.render(new Template(text), scope)) }
  } catch (error) {
    return { error: String((error as Error).message), kind: (error as { kind?: string }).kind }
  }
}

/** An error must be one of the engine's own, and a text must show nothing of functions, classes, the process or files. */
function isHarmless({ error, kind, text }: Outcome): boolean {
  if (error !== undefined) return kind !== undefined
  return !/\[object|native code|function\s*\w*\(|=>|\bclass\b.*\{|root:x:|globalThis|process\.|Symbol\(/.test(text!)
}
