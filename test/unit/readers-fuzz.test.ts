/**
 * What reads text that people or hosts wrote, under random text: whatever comes in, what comes out is a value or a Problem; and twice the text takes about twice
 * the time. FUZZ_SECONDS=3600 runs it for an hour, FUZZ_SEED repeats a run.
 */
import { describe, expect, test } from 'vitest'
import { Problem, Problems, type Source } from '../../src/base/index.ts'
import { nodeToRaw } from '../../src/documents/values.ts'
import { parseYaml } from '../../src/documents/yaml.ts'
import { readHostList } from '../../src/inventory/host-list.ts'
import { readIni } from '../../src/inventory/ini.ts'
import { splitPattern } from '../../src/inventory/patterns.ts'
import { dictFromText } from '../../src/params/keyvalue.ts'
import { parseArguments, Unbalanced } from '../../src/playbook/arguments.ts'
import { evaluate } from '../../src/template/filters/jmespath/evaluate.ts'
import { parseJmesPath } from '../../src/template/filters/jmespath/parse.ts'
import { readJson } from '../../src/template/filters/json-read.ts'
import { compileRegex } from '../../src/template/index.ts'
import { parseCsv } from '../../src/template/lookups/csv.ts'
import { toProblem } from '../../src/template/rim.ts'
import { parseLiteral } from '../../src/template/run/literal.ts'
import { createVault } from '../../src/vault/index.ts'
import { type Random, randomFrom } from './template/random.ts'

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 1)
const seed = Number(process.env['FUZZ_SEED'] ?? (seconds > 1 ? Date.now() % 2 ** 31 : 1))

interface Reader {
  readonly read: (text: string) => unknown
  /** what its texts are made of */
  readonly pieces: readonly string[]
  /** texts that grow */
  readonly growing: Readonly<Record<string, (n: number) => string>>
}

const source = (text: string): Source => ({ name: 'fuzz', text })
const COMMON = [
  ' ',
  '\n',
  'a',
  'b',
  '1',
  '0',
  '-',
  ':',
  ',',
  '"',
  "'",
  '\\',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '#',
  '=',
  '{{ a }}',
  '\u0000',
  '\ud800',
  'é',
  '😀',
  '\t',
  '\r\n',
  'constructor',
  '__proto__',
]
const DATA = new Map([['a', [1, 2, new Map([['b', 'x']])]]])
const vault = createVault([])

const READERS: Readonly<Record<string, Reader>> = {
  YAML: {
    read: (text) => {
      const node = parseYaml(source(text))
      return node && nodeToRaw(node)
    },
    pieces: [
      ...COMMON,
      ...'- |? |: |&a |*a |!!str |!unsafe |!vault |\n |\n  |\n- |\n  - |\na: |\n? |--- |...\n|%YAML 1.1\n|>-\n |<<: *a|<<: [*a, *b]|&b |*b|"\\x4|"\\u00e9"|\'\'|!!binary |!<tag:x>'.split(
        '|',
      ),
      '|\n ',
      '|2-\n',
      '@',
      '`',
      '%',
      '!',
      '\u0007',
      '\u0085',
      '\u2028',
      '\ufeff',
      '1:30',
      '0o7',
      '.inf',
      '2024-01-01',
    ],
    growing: {
      'nested brackets': (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
      'open brackets': (n) => '['.repeat(n),
      'open braces': (n) => '{a: '.repeat(n),
      'nested lists': (n) => '- '.repeat(n),
      'a long list': (n) => '- a: 1\n  b: "x"\n'.repeat(n),
      'a long dict': (n) => Array.from({ length: n }, (_, i) => `k${i}: v`).join('\n'),
      'the same key': (n) => 'k: v\n'.repeat(n),
      'deep dicts': (n) => Array.from({ length: Math.min(n, 300) }, (_, i) => `${' '.repeat(i)}k:`).join('\n'),
      'a long text': (n) => `a: "${'x\\n '.repeat(n)}"`,
      'an open text': (n) => `a: "${'x\\n '.repeat(n)}`,
      'an open text with lines': (n) => `a: '${'x: "\n  '.repeat(n)}`,
      comments: (n) => '# c\n'.repeat(n),
      'comments after values': (n) => 'a: b # c\n'.repeat(n),
      'a block of text': (n) => `a: |\n${'  line\n'.repeat(n)}`,
      'a folded text': (n) => `a: >\n${'  line\n\n   more\n'.repeat(n)}`,
      'a plain text of many lines': (n) => `a: b\n${'  line\n'.repeat(n)}`,
      'anchors and aliases': (n) =>
        `${Array.from({ length: n }, (_, i) => `- &a${i} x`).join('\n')}\n${Array.from({ length: n }, (_, i) => `- *a${i}`).join('\n')}`,
      'aliases of one': (n) => `- &a [1, 2]\n${'- *a\n'.repeat(n)}`,
      'merge keys': (n) => `a: &a {x: 1}\n${Array.from({ length: n }, (_, i) => `k${i}: {<<: *a, y: 2}`).join('\n')}`,
      documents: (n) => '---\na\n'.repeat(n),
      blanks: (n) => `a:${' '.repeat(n * 8)}b`,
      'blank lines': (n) => `a:${'\n'.repeat(n * 8)}  b`,
      tabs: (n) => `a:\n${'\t'.repeat(n * 8)}b`,
      'wrong lines': (n) => 'a: b: c\n'.repeat(n),
      'unknown tags': (n) => '- !nope x\n'.repeat(n),
      'unknown aliases': (n) => '- *nope\n'.repeat(n),
      'keys that ask': (n) => '? a\n'.repeat(n),
    },
  },
  'an INI inventory': {
    read: (text) => readIni(source(text), (name) => name),
    pieces: [
      ...COMMON,
      '[g]\n',
      '[g:vars]\n',
      '[g:children]\n',
      '[all:vars]\n',
      '\nh ',
      'h1 a=1',
      '[1:3]',
      '[a:c]',
      '[01:10:2]',
      'h[1:2]',
      ';',
      'k=v\n',
      'k="[1, {',
      '$',
      '=',
    ],
    growing: {
      hosts: (n) => 'h a=1 b="x y"\n'.repeat(n),
      groups: (n) => Array.from({ length: n }, (_, i) => `[g${i}]\nh${i}`).join('\n'),
      'groups of groups': (n) => `${Array.from({ length: n }, (_, i) => `[g${i}:children]\ng${i + 1}`).join('\n')}\n[g${n}]\n`,
      variables: (n) => `[all:vars]\n${'a = 1\n'.repeat(n)}`,
      'words of a line': (n) => `h ${'a=1 '.repeat(n)}`,
      'an open quote': (n) => `h a="${'x '.repeat(n)}`,
      'a nested value': (n) => `h a=${'['.repeat(n)}${']'.repeat(n)}`,
      'blanks before a comment': (n) => `h${' '.repeat(n * 8)}# c`,
    },
  },
  'arguments of an action': {
    read: (text) => parseArguments(text),
    pieces: [...COMMON, 'a=1 ', "b='x y' ", '{{ ', ' }}', '{% if %}', '{#', '#}', '\\\n', 'creates=x ', 'chdir=', '_raw_params=', 'x=y=z'],
    growing: {
      pairs: (n) => 'a=1 '.repeat(n),
      'an open quote': (n) => `a='${'x '.repeat(n)}`,
      'open templates': (n) => '{{ '.repeat(n),
      'nested templates': (n) => `${'{{ '.repeat(n)}${' }}'.repeat(n)}`,
      blanks: (n) => `a=1${' '.repeat(n * 8)}b=2`,
      backslashes: (n) => '\\'.repeat(n * 8),
      lines: (n) => 'a=1 \\\n'.repeat(n),
    },
  },
  'a dict as text': {
    read: dictFromText,
    pieces: [...COMMON, 'a=1, ', '{"a": 1}', 'b="x"'],
    growing: { pairs: (n) => 'a=1, '.repeat(n), 'nested braces': (n) => '{"a":'.repeat(n), 'an open quote': (n) => `a="${'x '.repeat(n)}` },
  },
  JMESPath: {
    read: withinTemplate((text) => evaluate(parseJmesPath(text), DATA)),
    pieces: [
      ...COMMON,
      'a',
      '.',
      '*',
      '[*]',
      '[]',
      '[?',
      '|',
      '||',
      '&&',
      '!',
      '@',
      '&',
      '`1`',
      '`',
      'length(',
      'sort_by(a, &b)',
      'a[0]',
      '[::2]',
      '==',
      '<',
      'to_string(@)',
      "'x'",
      'map(&b, a)',
      'max_by(',
    ],
    growing: {
      fields: (n) => `a${'.b'.repeat(n)}`,
      'nested parentheses': (n) => `${'('.repeat(n)}a${')'.repeat(n)}`,
      'nested lists': (n) => `${'['.repeat(n)}a${']'.repeat(n)}`,
      pipes: (n) => `a${' | a'.repeat(n)}`,
      choices: (n) => `a${' || a'.repeat(n)}`,
      negations: (n) => `${'!'.repeat(n)}a`,
      projections: (n) => `a${'[*]'.repeat(n)}`,
      'an open literal': (n) => `\`${'1 '.repeat(n)}`,
      'a long literal': (n) => `\`[${'1, '.repeat(n)}1]\``,
    },
  },
  JSON: {
    read: withinTemplate(readJson),
    pieces: [...COMMON, 'true', 'NaN', 'Infinity', '1e5', '1.0', '"a": ', '\\u12', '"\\ud800"', 'null'],
    growing: {
      'nested lists': (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
      'a long text': (n) => `"${'x\\n'.repeat(n)}"`,
      'a long list': (n) => `[${'1, '.repeat(n)}1]`,
      digits: (n) => '1'.repeat(n),
    },
  },
  "Python's literals": {
    read: withinTemplate((text) => parseLiteral(text, { json: true })),
    pieces: [...COMMON, 'True', 'None', "b'x'", '1_000', '0x1f', '1e5', '+', "r'", "u'", '(1,)', 'set()', 'inf', '1j', '"""'],
    growing: {
      'nested lists': (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
      signs: (n) => `${'-'.repeat(n)}1`,
      'adjacent texts': (n) => "'a' ".repeat(n),
      'an open text': (n) => `'${'x\\'.repeat(n)}`,
      digits: (n) => '1'.repeat(n),
    },
  },
  'a regular expression': {
    read: (text) => [...compileRegex(text).all('ab1 x')],
    pieces: [...COMMON, '(?', '(?P<n>', '(?:', '(?<=', '(?(1)', '*', '+', '?', '{2}', '|', '\\1', '\\d', '^', '$', '.', '(?i)'],
    growing: {
      groups: (n) => '(a)'.repeat(n),
      'nested groups': (n) => `${'('.repeat(n)}a${')'.repeat(n)}`,
      choices: (n) => 'a|'.repeat(n),
      'an open set': (n) => `[${'a-'.repeat(n)}`,
      repeats: (n) => 'a*?'.repeat(n),
      comments: (n) => '(?#c)'.repeat(n),
      'nested conditions': (n) => `()${'(?(1)'.repeat(n)}${')'.repeat(n)}`,
    },
  },
  CSV: {
    read: (text) => parseCsv(text, ','),
    pieces: COMMON,
    growing: { cells: (n) => 'a,"b",'.repeat(n), 'an open quote': (n) => `"${'a\n'.repeat(n)}` },
  },
  'a pattern of hosts': {
    read: splitPattern,
    pieces: [...COMMON, 'web', ':!', ':&', '[0:1]', '~', '*', 'fe80::1'],
    growing: { names: (n) => 'a:'.repeat(n), brackets: (n) => '['.repeat(n), 'a long name': (n) => 'a'.repeat(n * 8) },
  },
  'a list of hosts': {
    read: readHostList,
    pieces: [...COMMON, 'web', '[1:3]', '[a:c]', ':22'],
    growing: { names: (n) => 'a,'.repeat(n), brackets: (n) => '['.repeat(n) },
  },
  'a sealed text': {
    read: (text) => vault.open(`$ANSIBLE_VAULT;1.1;AES256\n${text}`),
    pieces: [...COMMON, 'ab', '3132', '0a', 'ff', ';'],
    growing: { digits: (n) => '3132\n'.repeat(n), 'wrong digits': (n) => 'xy\n'.repeat(n) },
  },
}

/** What only templates read: their rim makes Problems of what goes wrong. */
function withinTemplate(read: (text: string) => unknown): Reader['read'] {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      throw toProblem(error, { text, span: undefined }, 0)
    }
  }
}

const SMALL = 400
const FACTOR = 8

describe.each(Object.entries(READERS))('%s', (_, { read, pieces, growing }) => {
  test(`random text (seed ${seed})`, { timeout: seconds * 1000 + 60_000 }, () => {
    const random = randomFrom(seed)
    const until = Date.now() + seconds * 1000
    const crashes: object[] = []
    while (Date.now() < until && crashes.length < 5) {
      const text = soup(random, pieces)
      const crash = crashOf(() => read(text))
      if (crash) crashes.push({ text, crash })
    }
    expect(crashes).toEqual([])
  })

  test.each(Object.entries(growing))('time grows as the text does: %s', { timeout: 120_000 }, (_name, make) => {
    expect(crashOf(() => read(make(20_000)))).toBeUndefined()
    expect(growth(read, make)).toBeLessThan(FACTOR * 5)
  })
})

function soup(random: Random, pieces: readonly string[]): string {
  return Array.from({ length: 1 + random.below(14) }, () => random.pick(pieces)).join('')
}

/** What is wrong with how this fails; undefined where nothing is. */
function crashOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems || error instanceof Unbalanced) return undefined
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

/** How much longer the longer text takes; quadratic growth would be a factor of 64. Short times say nothing, and on a busy machine only the best of some tries counts. */
function growth(read: Reader['read'], make: (n: number) => string): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && least >= FACTOR * 5; round++) {
    const small = quickest(read, make(SMALL))
    const large = quickest(read, make(SMALL * FACTOR))
    least = Math.min(least, large > 100 ? large / Math.max(small, 1) : 1)
  }
  return least
}

function quickest(read: Reader['read'], text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    crashOf(() => read(text))
    best = Math.min(best, performance.now() - began)
  }
  return best
}
