/** YAML and JSON text, to the byte as Python's dumpers write it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Float, type Value } from '../../../src/base/index.ts'
import { dumpJson } from '../../../src/template/dump/json.ts'
import { dumpYaml } from '../../../src/template/dump/yaml.ts'
import { stage } from './harness.ts'

interface Row {
  value: unknown
  yaml: [Record<string, unknown>, string][]
  json: [Record<string, unknown>, string][]
}

const file = process.env['DUMP_CASES'] ?? new URL('../../differential/filters/dump.json', import.meta.url)
const rows: Row[] = JSON.parse(readFileSync(file, 'utf8'))

describe('dumpers', () => {
  test.each(rows.map((row, i) => [`${i} ${JSON.stringify(row.value).slice(0, 60)}`, row] as const))('%s', (_, row) => {
    const value = decode(row.value, [])
    for (const [options, expected] of row.yaml) expect([options, dumpYaml(value, yamlOptions(options))]).toEqual([options, expected])
    for (const [options, expected] of row.json) expect([options, dumpJson(value, jsonOptions(options))]).toEqual([options, expected])
  })
})

function yamlOptions(options: Record<string, unknown>): Parameters<typeof dumpYaml>[1] {
  return {
    indent: options['indent'] as number,
    width: options['width'] as number,
    sortKeys: (options['sort_keys'] as boolean) ?? true,
    allowUnicode: (options['allow_unicode'] as boolean) ?? true,
    flowStyle: (options['default_flow_style'] as boolean) ?? null,
    explicitStart: options['explicit_start'] as boolean,
    explicitEnd: options['explicit_end'] as boolean,
  }
}

function jsonOptions(options: Record<string, unknown>): Parameters<typeof dumpJson>[1] {
  return {
    indent: options['indent'] as number,
    sortKeys: options['sort_keys'] as boolean,
    ensureAscii: options['ensure_ascii'] as boolean,
    separators: options['separators'] as [string, string],
  }
}

/** The recording's values: floats, big integers, dicts and shared collections are marked. */
function decode(json: unknown, seen: Value[]): Value {
  if (json === null || typeof json !== 'object') return json as Value
  if (Array.isArray(json)) {
    const list: Value[] = []
    seen.push(list)
    for (const item of json) list.push(decode(item, seen))
    return list
  }
  const marked = json as Record<string, unknown>
  if ('$float' in marked) return new Float(Number(marked['$float']))
  if ('$int' in marked) return BigInt(marked['$int'] as string)
  if ('$same' in marked) return seen[marked['$same'] as number]!
  const dict = new Map<Value, Value>()
  seen.push(dict)
  for (const [key, value] of marked['$dict'] as [unknown, unknown][]) dict.set(decode(key, seen), decode(value, seen))
  return dict
}

/** Recorded from ansible-core 2.18 with PyYAML's safe dumper on libyaml. */
const STYLES: readonly (readonly [string, string, string])[] = [
  [
    '"',
    '"a": ! "1"\n"b": "x y"\n"c":\n- ! "1"\n- ! "true"\n- ! "null"\n- ! "1.5"\n- "it\'s"\n- "two\\nlines\\n"\n- ""\n- "  lead\\n  more\\nless\\n\\n"\n"d": {}\n"e": []\n"f":\n  "g": "long text with many words long text with many words long text with many words\n    long text with many words"\n! "2": "z"\n? "h\\ni"\n: "1"\n',
    '"a": ! "1"\n"b": "x y"\n"c":\n- ! "1"\n- ! "true"\n- ! "null"\n- ! "1.5"\n- "it\'s"\n- "two\\nlines\\n"\n- ""\n- "  lead\\n  more\\nless\\n\\n"\n"d": {}\n"e": []\n"f":\n  "g": "long text with many words long text with many words long text with many words\n    long text with many words"\n! "2": "z"\n? "h\\ni"\n: "1"\n',
  ],
  [
    "'",
    "'a': ! '1'\n'b': 'x y'\n'c':\n- ! '1'\n- ! 'true'\n- ! 'null'\n- ! '1.5'\n- 'it''s'\n- 'two\n\n  lines\n\n  '\n- ''\n- \"  lead\\n  more\\nless\\n\\n\"\n'd': {}\n'e': []\n'f':\n  'g': 'long text with many words long text with many words long text with many words\n    long text with many words'\n! '2': 'z'\n? 'h\n\n  i'\n: '1'\n",
    "'a': ! '1'\n'b': 'x y'\n'c':\n- ! '1'\n- ! 'true'\n- ! 'null'\n- ! '1.5'\n- 'it''s'\n- 'two\n\n  lines\n\n  '\n- ''\n- \"  lead\\n  more\\nless\\n\\n\"\n'd': {}\n'e': []\n'f':\n  'g': 'long text with many words long text with many words long text with many words\n    long text with many words'\n! '2': 'z'\n? 'h\n\n  i'\n: '1'\n",
  ],
  [
    '|',
    '"a": ! |-\n  1\n"b": |-\n  x y\n"c":\n- ! |-\n  1\n- ! |-\n  true\n- ! |-\n  null\n- ! |-\n  1.5\n- |-\n  it\'s\n- |\n  two\n  lines\n- ""\n- |2+\n    lead\n    more\n  less\n\n"d": {}\n"e": []\n"f":\n  "g": |-\n    long text with many words long text with many words long text with many words long text with many words\n! "2": |-\n  z\n? |-\n  h\n  i\n: |-\n  1\n',
    '"a": ! |-\n  1\n"b": |-\n  x y\n"c":\n- ! |-\n  1\n- ! |-\n  true\n- ! |-\n  null\n- ! |-\n  1.5\n- |-\n  it\'s\n- |\n  two\n  lines\n- ""\n- |2+\n    lead\n    more\n  less\n\n"d": {}\n"e": []\n"f":\n  "g": |-\n    long text with many words long text with many words long text with many words long text with many words\n! "2": |-\n  z\n? |-\n  h\n  i\n: |-\n  1\n',
  ],
  [
    '>',
    '"a": ! >-\n  1\n"b": >-\n  x y\n"c":\n- ! >-\n  1\n- ! >-\n  true\n- ! >-\n  null\n- ! >-\n  1.5\n- >-\n  it\'s\n- >\n  two\n\n  lines\n- ""\n- >2+\n    lead\n    more\n  less\n\n"d": {}\n"e": []\n"f":\n  "g": >-\n    long text with many words long text with many words long text with many words\n    long text with many words\n! "2": >-\n  z\n? >-\n  h\n\n  i\n: >-\n  1\n',
    '"a": ! >-\n  1\n"b": >-\n  x y\n"c":\n- ! >-\n  1\n- ! >-\n  true\n- ! >-\n  null\n- ! >-\n  1.5\n- >-\n  it\'s\n- >\n  two\n\n  lines\n- ""\n- >2+\n    lead\n    more\n  less\n\n"d": {}\n"e": []\n"f":\n  "g": >-\n    long text with many words long text with many words long text with many words\n    long text with many words\n! "2": >-\n  z\n? >-\n  h\n\n  i\n: >-\n  1\n',
  ],
  [
    'x',
    "a: 1\nb: x y\nc:\n- 1\n- true\n- null\n- 1.5\n- it's\n- 'two\n\n  lines\n\n  '\n- ''\n- \"  lead\\n  more\\nless\\n\\n\"\nd: {}\ne: []\nf:\n  g: long text with many words long text with many words long text with many words\n    long text with many words\n2: z\n? 'h\n\n  i'\n: '1'\n",
    "a: 1\nb: x y\nc:\n- 1\n- true\n- null\n- 1.5\n- it's\n- 'two\n\n  lines\n\n  '\n- ''\n- \"  lead\\n  more\\nless\\n\\n\"\nd: {}\ne: []\nf:\n  g: long text with many words long text with many words long text with many words\n    long text with many words\n2: z\n? 'h\n\n  i'\n: '1'\n",
  ],
]

test.each(STYLES)('texts in the style %s', (style, plain, nice) => {
  const vars = {
    v: new Map<Value, Value>([
      ['a', 1],
      ['b', 'x y'],
      ['c', [1, true, null, new Float(1.5), "it's", 'two\nlines\n', '', '  lead\n  more\nless\n\n']],
      ['d', new Map()],
      ['e', []],
      ['f', new Map([['g', `${'long text with many words '.repeat(4)}`.trim()]])],
      [2, 'z'],
      ['h\ni', '1'],
    ]),
    style,
  }
  const { render } = stage({ vars })
  expect(render('{{ v | to_yaml(default_style=style) }}')).toBe(plain)
  expect(render('{{ v | to_nice_yaml(default_style=style, indent=2) }}')).toBe(nice)
})

test('the head of a document tells the version', () => {
  expect(stage().render("{{ {'a': 1} | to_yaml(version=[1, 1]) }}")).toBe('%YAML 1.1\n---\n{a: 1}\n')
})
