/**
 * Lexer and parser under random text: whatever comes in, what comes out is a value or a Problem with a place; and twice the text takes about twice the time.
 * FUZZ_SECONDS=3600 runs it for an hour, FUZZ_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest'
import { Problem, Problems, Template } from '../../../src/base/index.ts'
import { createTemplar } from '../../../src/template/index.ts'
import { stage } from './harness.ts'
import { type Random, randomFrom } from './random.ts'

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 4)
const seed = Number(process.env['FUZZ_SEED'] ?? (seconds > 4 ? Date.now() % 2 ** 31 : 1))

const PIECES = [
  ...[
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    '{{-',
    '-}}',
    '{%-',
    '-%}',
    '{%+',
    '+%}',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '|',
    '.',
    ',',
    ':',
    '=',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
  ],
  ...[
    '+',
    '-',
    '*',
    '/',
    '//',
    '%',
    '**',
    '~',
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'in',
    'not',
    'and',
    'or',
    'is',
    'if',
    'else',
    'elif',
    'endif',
    'for',
    'endfor',
    'set',
    'endset',
  ],
  ...[
    'macro',
    'endmacro',
    'call',
    'endcall',
    'filter',
    'endfilter',
    'block',
    'endblock',
    'extends',
    'include',
    'import',
    'from',
    'with',
    'endwith',
    'raw',
    'endraw',
    'do',
    'break',
  ],
  ...[
    'continue',
    'recursive',
    'ignore',
    'missing',
    'context',
    'scoped',
    'as',
    'true',
    'none',
    'a',
    'b',
    'items',
    'default',
    'upper',
    'map',
    'select',
    'range',
    'loop',
    'lookup',
  ],
  ...[
    "'",
    '"',
    "'x'",
    '"y"',
    '\\',
    "'\\u12'",
    "'\\N{DASH}'",
    '0',
    '1',
    '12_3',
    '0x1f',
    '1.5',
    '1e5',
    '1e',
    '0b2',
    'é',
    '☃',
    '😀',
    '\u0000',
    '\ud800',
    '#jinja2: trim_blocks: True\n',
    '#jinja2:',
  ],
]

/** Whole templates that are cut up and put together anew. */
const SEEDS = [
  "{% for k, v in d.items() if v recursive %}{{ loop.index }}{{ k ~ '=' ~ v }}{% else %}-{% endfor %}",
  "{% macro m(a, b='x', *c) %}{{ a }}{{ varargs }}{{ caller() }}{% endmacro %}{% call(u) m(1, b=2) %}{{ u }}{% endcall %}",
  '{% set ns = namespace(n=0) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% set x %}[1, {{ 2 }}]{% endset %}{{ x }}',
  "{{ l | map('int') | select('odd') | list | join(', ') }}{{ 'a' if l is defined and not l else none }}",
  '{% filter upper %}a{{ s[1:-1:2] }}{% endfilter %}{% raw %}{{ }}{% endraw %}{#- c -#}',
  '{% block a scoped %}{{ super() }}{% endblock %}{% with a=1, b=2 %}{{ a + b ** 2 // 3 }}{% endwith %}',
  "#jinja2: lstrip_blocks: True, variable_start_string: '[['\n[[ s ]]{{ s }}",
]

const { scope } = stage({ vars: { s: 'text', l: [1, 2, 3], d: new Map([['k', 1]]) } })
const templar = createTemplar({ native: false, extensions: ['jinja2.ext.do', 'jinja2.ext.loopcontrols'] })

describe('random text', () => {
  it(`gives values or Problems with a place (seed ${seed})`, { timeout: seconds * 1000 + 60_000 }, () => {
    const random = randomFrom(seed)
    const until = Date.now() + seconds * 1000
    const crashes: object[] = []
    let tried = 0
    for (; Date.now() < until && crashes.length < 5; tried++) {
      const text = random.chance(0.5) ? soup(random) : mutated(random)
      const crash = crashOf(text)
      if (crash) crashes.push({ text, crash })
    }
    expect(crashes).toEqual([])
    expect(tried).toBeGreaterThan(100)
  })
})

function soup(random: Random): string {
  const inner = Array.from({ length: random.below(14) }, () => random.pick(PIECES)).join(random.chance(0.6) ? ' ' : '')
  return random.chance(0.6) ? `{{ ${inner} }}` : random.chance(0.5) ? `{% ${inner} %}` : inner
}

function mutated(random: Random): string {
  let text = random.pick(SEEDS)
  for (let edits = 1 + random.below(4); edits > 0; edits--) {
    const at = random.below(text.length + 1)
    const end = Math.min(text.length, at + random.below(6))
    const piece = random.chance(0.3)
      ? ''
      : random.chance(0.5)
        ? random.pick(PIECES)
        : random.pick(SEEDS).slice(random.below(20), 20 + random.below(30))
    text = text.slice(0, at) + piece + text.slice(end)
  }
  return text
}

/** What is wrong with how this text fails; undefined where nothing is. */
function crashOf(text: string): string | undefined {
  const source = { name: 'fuzz.j2', text }
  const at = { source, start: 0, end: text.length }
  return (
    crashIn(() => templar.render(new Template(text, at), scope)) ??
    crashIn(() => templar.renderFile(source, scope)) ??
    crashIn(() => {
      for (const error of templar.check(new Template(text, at))) throw error
    })
  )
}

function crashIn(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return expectProblem(error)
  }
}

function expectProblem(error: unknown): string | undefined {
  if (error instanceof Problems) return undefined
  if (!(error instanceof Problem)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  return error.span ? undefined : `no place: ${error.message}`
}

/** Texts that grow: the parser's time must grow about as they do. */
const GROWING: Readonly<Record<string, (n: number) => string>> = {
  'plain text': (n) => 'some text, '.repeat(n),
  'lines of text': (n) => 'line\n'.repeat(n),
  'blanks in an expression': (n) => `{{ 1${' '.repeat(n * 8)}}}`,
  'blanks before a block': (n) => `${' '.repeat(n * 8)}{%- if 1 %}x{% endif %}`,
  'blank lines that are trimmed': (n) => `{{ 1 -}}${'\n'.repeat(n * 8)}x`,
  expressions: (n) => '{{ a | default(1) }}\n'.repeat(n),
  comments: (n) => '{# c #}x'.repeat(n),
  'an open comment': (n) => `{# ${'x # '.repeat(n)}`,
  'open expressions': (n) => '{{ '.repeat(n),
  'open blocks': (n) => '{% if 1 %}'.repeat(n),
  'braces that open nothing': (n) => '{ '.repeat(n * 4),
  'raw blocks': (n) => '{% raw %}{{ x }}{% endraw %}'.repeat(n),
  'an open raw block': (n) => `{% raw %}${'{% en '.repeat(n)}`,
  conditions: (n) => '{% if a is defined %}x{% else %}y{% endif %}'.repeat(n),
  'conditional expressions': (n) => "{{ 'a' if 0 }}\n".repeat(n),
  'many elifs': (n) => `{% if 0 %}${'{% elif 0 %}x'.repeat(n)}{% endif %}`,
  'a long sum': (n) => `{{ 1${' + 1'.repeat(Math.min(n, 1500))} }}`,
  'a long list': (n) => `{{ [${"'a', ".repeat(n)}] | length }}`,
  'a long dict': (n) => `{{ {${"'a': 1, ".repeat(n)}} | length }}`,
  'a long text': (n) => `{{ '${'a\\n'.repeat(n * 4)}' | length }}`,
  'an open text': (n) => `{{ '${'a\\'.repeat(n * 2)} }}`,
  'adjacent texts': (n) => `{{ ${"'a' ".repeat(n)} }}`,
  'a chain of filters': (n) => `{{ 'a' ${'| upper '.repeat(Math.min(n, 1000))}}}`,
  'a chain of names': (n) => `{{ a${'.b'.repeat(Math.min(n, 1000))} | default(1) }}`,
  'a long number': (n) => `{{ 1${'0'.repeat(n)} | string | length }}`,
  'text like a list': (n) => `[{% for i in range(${n}) %}1, {% endfor %}]`,
  'text like an open list': (n) => '[1, '.repeat(n),
  'brackets that never close': (n) => `${'['.repeat(n)}{{ 1 }}`,
  assignments: (n) => '{% set a = 1 %}'.repeat(n),
  macros: (n) => Array.from({ length: n }, (_, i) => `{% macro m${i}() %}{% endmacro %}`).join(''),
}

const SMALL = 500
const FACTOR = 8

describe('time grows as the text does', () => {
  it.each(Object.entries(GROWING))('%s', { timeout: 120_000 }, (_, make) => {
    expect(growth(make)).toBeLessThan(FACTOR * 5)
  })
})

/** How much longer the longer text takes; quadratic growth would be a factor of 64. Short times say nothing, and on a busy machine only the best of some tries counts. */
function growth(make: (n: number) => string): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && least >= FACTOR * 5; round++) {
    const small = quickest(make, SMALL)
    const large = quickest(make, SMALL * FACTOR)
    least = Math.min(least, large > 150 ? large / Math.max(small, 1) : 1)
  }
  return least
}

/** The quickest of several runs, in milliseconds: noise only ever adds. */
function quickest(make: (n: number) => string, n: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const text = `${make(n)}{# ${round} #}`
    const fresh = createTemplar({ native: false, extensions: [] })
    const began = performance.now()
    crashIn(() => fresh.render(new Template(text), scope))
    best = Math.min(best, performance.now() - began)
  }
  return best
}
