import { describe, expect, test } from 'vitest'
import {
  type Json,
  Problem,
  Problems,
  positionAt,
  type Source,
  Template,
  toJson,
  type Value,
  type Vaulted,
} from '../../../src/base/index.ts'
import { nodeToRaw, nodeToValue, parseYaml } from '../../../src/documents/index.ts'

const source = (text: string): Source => ({ name: 'file.yml', text })
const plain = (text: string): Json | undefined => {
  const node = parseYaml(source(text))
  return node && toJson(nodeToValue(node, { unvault: (sealed) => `opened ${sealed.trim()}` }))
}

describe('documents', () => {
  const cases: { readonly [name: string]: readonly [text: string, value: Json | undefined] }[] = [
    { 'nothing at all': ['', undefined] },
    { 'only a comment': ['# c\n', undefined] },
    { 'only a marker': ['---\n', undefined] },
    { 'an explicit null': ['~', null] },
    { 'nested collections': ['a:\n- b: [1, {c: no}]\n', { a: [{ b: [1, { c: false }] }] }] },
    { 'a list at its key’s column': ['a:\n- x\nb:\n- y\n', { a: ['x'], b: ['y'] }] },
    { 'a value left out': ['a:\nb: 1\n', { a: null, b: 1 }] },
    { 'keys that are booleans': ['on: 1\n', { true: 1 }] },
    { 'block texts': ['a: >-\n  x\n  y\n\n  z\nb: |+\n  x\n   y\n\n', { a: 'x y\nz', b: 'x\n y\n\n' }] },
    { 'an alias': ['a: &x [1]\nb: *x\n', { a: [1], b: [1] }] },
    { 'a merge': ['a: &a {p: 1, q: 2}\nb: {<<: *a, q: 3}\n', { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } }] },
    {
      'a merge of several': [
        'x: &x {p: 1}\ny: &y {p: 2, q: 2}\nz: {r: 3, <<: [*x, *y]}\n',
        { x: { p: 1 }, y: { p: 2, q: 2 }, z: { p: 1, q: 2, r: 3 } },
      ],
    },
    { 'a quoted << is a key': ['{"<<": {a: 1}}', { '<<': { a: 1 } }] },
    { 'standard tags': ['a: !!str 010\nb: !!int "3"\nc: !!float 3\nd: !!bool "YES"\n', { a: '010', b: 3, c: 3, d: true }] },
    { 'a set': ['a: !!set {x, y}\n', { a: { x: null, y: null } }] },
    { 'an unsafe number is text': ['a: !unsafe 3\n', { a: '3' }] },
    { 'a sealed text': ['a: !vault |\n  abc\n', { a: 'opened abc' }] },
    { 'braces that are no JSON': ['{"a": 1e3, "b": "1e3", "c": -0.5, "d": 010x}', { a: '1e3', b: '1e3', c: -0.5, d: '010x' }] },
    { 'JSON with tabs': ['{\n\t"a": [1e3,\n\ttrue]\n}', { a: [1000, true] }] },
    { 'a bracket that closes at its key’s column': ['a: [\n  1\n]\nb: {\n}\n', { a: [1], b: {} }] },
    {
      'quotes whose later lines stand too far left': [
        "- a:\n    b: \"x {\n  'y': 1\n }\"\n    c: 'it''s\n '\n",
        [{ a: { b: "x { 'y': 1 }", c: "it's " } }],
      ],
    },
    { 'a key without a blank in braces': ['{b:1}', { 'b:1': null }] },
    { 'Windows line ends': ['a: 1\r\nb: "x"\r\n', { a: 1, b: 'x' }] },
  ]
  test.each(cases.flatMap((c) => Object.entries(c)))('%s', (_name, [text, value]) => {
    expect(plain(text)).toEqual(value)
  })
})

describe('what is wrong', () => {
  const at = (text: string, problem: Problem): string => {
    const { line, column } = positionAt(text, problem.span!.start)
    return `${line}:${column} ${problem.message}${problem.hint ? ` (${problem.hint})` : ''}`
  }
  const wrong = (text: string): string[] => {
    try {
      parseYaml(source(text))
    } catch (error) {
      if (error instanceof Problems) return error.problems.map((p) => at(text, p))
      if (error instanceof Problem) return [at(text, error)]
      throw error
    }
    return []
  }
  const quote = 'a value that starts with {{ must be quoted as a whole: "{{ … }}"'
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['a: b: c', ['1:5 mapping values are not allowed here (a value with a colon and a blank in it must be quoted)']],
    ['- debug: msg="a: b"', ['1:16 mapping values are not allowed here (a value with a colon and a blank in it must be quoted)']],
    ['a: foo\n  bar: 1', ['2:6 mapping values are not allowed here (the line before already has a value: check the indentation)']],
    ['a: {{ foo }}', [`1:4 a dict cannot be a key (${quote})`]],
    ['a: {{ foo }}/bar', [`1:13 this does not belong here (${quote})`]],
    ['a: "x" y', ['1:8 this does not belong here (a value that starts with a quote must end with it; quote the whole value)']],
    ["a: 'it's'", ["1:8 this does not belong here (write a single quote inside single quotes twice: '')"]],
    ['a:\n\t- b', ['2:1 a tab may not be used for indentation (indent with blanks)']],
    ['a: @x', ["1:4 a value may not start with '@' (quote the whole value)"]],
    ['a: `x`', ['1:4 a value may not start with a backtick (quote the whole value)']],
    ['a: "\\d"', ['1:5 unknown escape in a double-quoted text: \\d (use single quotes, or write the backslash twice)']],
    ['a: *nope', ["1:4 there is no anchor 'nope' before this (quote a value that starts with *)"]],
    ['a: &name 1\nb: *nmae', ["2:4 there is no anchor 'nmae' before this (did you mean 'name'?)"]],
    ['a: &a [*a]', ["1:8 the anchor 'a' contains itself"]],
    ['a: !valut |\n  x\n', ["1:4 the tag !valut is not known (did you mean '!vault'?)"]],
    [
      'a: 1\n---\nb: 2\n',
      ['2:1 only one document is expected in the file (remove everything from the second --- on, or put it in a file of its own)'],
    ],
    ['? [a]\n: b', ['1:3 a list cannot be a key']],
    ['<<: 3', ['1:5 only a dict or a list of dicts can be merged with <<']],
    [
      'c: @x\nd: x: y\ne: "a" b',
      [
        "1:4 a value may not start with '@' (quote the whole value)",
        '2:5 mapping values are not allowed here (a value with a colon and a blank in it must be quoted)',
      ],
    ],
  ]
  test.each(cases)('%j', (text, problems) => {
    expect(wrong(text)).toEqual(problems)
  })
})

test('a duplicate key warns, the outermost first, and the last wins', () => {
  const warnings: string[] = []
  const text = 'x:\n  m: {<<: {q: 1}, q: 3}\n  d: 1\n  d: 2\n'
  const node = parseYaml(source(text), { warn: (message) => warnings.push(message) })!
  expect(toJson(nodeToValue(node))).toEqual({ x: { m: { q: 3 }, d: 2 } })
  expect(warnings).toEqual([
    'While constructing a mapping from file.yml, line 2, column 3, found a duplicate dict key (d). Using last defined value only.',
    'While constructing a mapping from file.yml, line 2, column 6, found a duplicate dict key (q). Using last defined value only.',
  ])
})

describe('the place of a template', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a: x {{ y }}\n', 'x {{ y }}'],
    ['a: "{{ y }}"\n', '{{ y }}'],
    ["a: '{{ y }}'\n", '{{ y }}'],
    ['a: >-\n    {{ y }}\n', '{{ y }}'],
    ['a: |\n    {{ y }}\n    z\n', ''],
    ['a: "\\t{{ y }}"\n', ''],
    ['a: {{ y\n  }}\n'.replace('{{', 'x {{'), ''],
  ]
  test.each(cases)('%j', (text, covered) => {
    const raw = nodeToRaw(parseYaml(source(text))!) as Map<string, Value | Template>
    const template = raw.get('a') as Template
    expect(template).toBeInstanceOf(Template)
    expect(text.slice(template.span!.start, template.span!.end)).toBe(covered)
    if (covered === '') expect(/["x{\\]/.test(text.slice(template.span!.start)[0]!)).toBe(true)
  })
})

test('raw values keep templates, sealed texts and shared objects', () => {
  const raw = nodeToRaw(parseYaml(source('a: &l ["{{ x }}"]\nb: *l\nc: !unsafe ["{{ x }}"]\nd: !vault abc\n"{{ k }}": 1\n'))!, {
    unvault: (sealed) => `<${sealed}>`,
  }) as Map<string, unknown>
  expect((raw.get('a') as unknown[])[0]).toBeInstanceOf(Template)
  expect(raw.get('b')).toBe(raw.get('a'))
  expect(raw.get('c')).toEqual(['{{ x }}'])
  expect((raw.get('d') as Vaulted).open()).toBe('<abc>')
  expect(raw.get('{{ k }}')).toBe(1)
})
