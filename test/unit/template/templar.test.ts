import { describe, expect, it } from 'vitest'
import { Float, OMIT, Problem, positionAt, type Raw, Template, Vaulted } from '../../../src/base/index.ts'
import { stage, type World } from './harness.ts'

const dict = (entries: Record<string, Raw>): Map<Raw, Raw> => new Map(Object.entries(entries))
const lines = (...parts: string[]): string => parts.join('\n')

function problemOf(work: () => unknown): Problem {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing went wrong')
}

describe('the kind of value a text becomes', () => {
  const world: World = {
    vars: {
      n: 3,
      f: new Float(1.5),
      nul: null,
      list: [1, '2'],
      ref: '{{ n }}',
      json: '{{ list | to_json }}',
      both: '{{ json }}',
      text: '[1]',
      box: dict({ json: '{{ list | to_json }}' }),
    },
  }
  it.each<[string, unknown]>([
    ['{{ n }}', 3],
    ['{{ n }}\n', 3],
    [' {{ n }}', ' 3'],
    ['{{ n + 1 }}', '4'],
    ['{{ nul }}', null],
    ['{{ none }}', ''],
    ['{{ f }}', new Float(1.5)],
    ['{{ ref }}', '3'],
    ['{{ list }}', [1, '2']],
    ['{{ json }}', '[1, "2"]'],
    ['{{ both }}', '[1, "2"]'],
    ['{{ box.json }}', '[1, "2"]'],
    ['{{ json }} ', [1, '2']],
    ['{{ text }}', [1]],
    ['{{ n > 2 }}', true],
    ["{{ 'True' }}", true],
    ['[{% for i in list %}{{ i }},{% endfor %}]', [1, 2]],
    ['plain', 'plain'],
  ])('%j', (text, expected) => {
    expect(stage(world).render(text)).toEqual(expected)
  })

  it('without conversion text stays text', () => {
    const { templar, scope } = stage(world)
    expect(templar.render(new Template('{{ list }}'), scope, { convert: false })).toBe("[1, '2']")
  })

  it.each<[string, unknown]>([
    ['{{ n + 1 }}', 4],
    ['{{ none }}', null],
    ["{{ '1' }}{{ '2' }}", 12],
    ["{{ 'x' }}{{ n }}", 'x3'],
    ['{{ list | to_json }}', '[1, "2"]'],
    ['{{ (1, 2) | list }}', [1, 2]],
  ])('native: %j', (text, expected) => {
    expect(stage({ ...world, native: true }).render(text)).toEqual(expected)
  })
})

describe('what is deep', () => {
  it('renders members, opens vaulted texts, keeps the placeholder of what is omitted', () => {
    const { templar, scope } = stage({ vars: { n: 3 } })
    const raw: Raw = dict({
      a: new Template('{{ n }}'),
      b: new Template('{{ omit }}'),
      c: [new Template('{{ n + 1 }}'), new Template('{{ nope | default(omit) }}'), 'x'],
      d: new Vaulted('…', () => 'opened {{ n }}'),
      '{{ n }}': 1,
    })
    expect(templar.render(raw, scope)).toEqual(dict({ a: 3, b: OMIT.text, c: ['4', OMIT.text, 'x'], d: 'opened {{ n }}', '{{ n }}': 1 }))
    expect(templar.render(new Template('{{ omit }}'), scope)).toBe(OMIT)
  })

  it('renders keys only where asked to', () => {
    const { templar, scope } = stage({ vars: { n: 3 } })
    const raw: Raw = new Map<Raw, Raw>([[new Template('k{{ n }}'), new Template('{{ n }}')]])
    expect(templar.render(raw, scope)).toEqual(dict({ 'k{{ n }}': 3 }))
    expect(templar.render(raw, scope, { keys: true })).toEqual(dict({ k3: 3 }))
  })

  it('gives finished values back as they are', () => {
    const { templar, scope } = stage()
    const value = [1, dict({ a: '{{ n }}' })]
    expect(templar.render(value, scope)).toBe(value)
  })
})

describe('what hosts tell is data', () => {
  const world: World = { vars: { told: '{{ n }}', n: 3, around: '{{ told }}!' }, told: ['told'] }
  it('is marked, through variables too', () => {
    const { templar, scope } = stage({ vars: { out: 'x', n: 3, around: '{{ out }}!' }, told: ['out'] })
    expect(templar.renderWithOrigin(new Template('{{ around }}'), scope)).toEqual({ value: 'x!', fromHost: true })
    expect(templar.renderWithOrigin(new Template('{{ n }}x'), scope)).toEqual({ value: '3x', fromHost: false })
  })
  it('is never a condition', () => {
    const { templar, scope } = stage(world)
    expect(problemOf(() => templar.condition(new Template('{{ told }} == 3'), scope)).message).toContain('marked as unsafe')
  })
  it('stays apart in renderings without it', () => {
    const { templar, scope } = stage(world)
    expect(templar.renderWithOrigin(new Template('{{ 1 if false else 2 }}'), scope).fromHost).toBe(false)
  })
})

describe('variables are not changed by templates', () => {
  it('sees its own change within a template, and not in the next', () => {
    const { render } = stage({ vars: { list: [1], box: dict({ in: [1] }) } })
    expect(render('{% do list.append(2) %}{{ list }} {{ list | length }}')).toBe('[1, 2] 2')
    expect(render('{{ list }}x')).toBe('[1]x')
    expect(render("{% set same = box['in'] %}{% do same.append(2) %}{{ box }}x")).toBe("{'in': [1, 2]}x")
    expect(render('{{ box }}x')).toBe("{'in': [1]}x")
  })
})

describe('conditions', () => {
  const { templar, scope } = stage({ vars: { n: 3, empty: '', yes: 'yes', list: [1], expr: 'n == 4' } })
  it.each<[Raw, boolean]>([
    [null, true],
    ['', true],
    [true, true],
    [false, false],
    [0, false],
    [[1], true],
    ['n == 3', true],
    ['n == 4 or nope is defined', false],
    [new Template('n == 3'), true],
    [new Template('{{ n }} == 3'), true],
    [new Template('{{ n == 3 }}'), true],
    [new Template('{{ empty }}'), false],
    ['yes', true],
    ['list', true],
    ['expr', true],
    ["'False'", true],
  ])('%j is %j', (raw, expected) => {
    expect(templar.condition(raw, scope)).toBe(expected)
  })
  it.each([
    [
      'nope',
      "The conditional check 'nope' failed. The error was: error while evaluating conditional (nope): 'nope' is undefined",
      'undefined',
    ],
    [
      'n >',
      "The conditional check 'n >' failed. The error was: template error while templating string: unexpected 'end of statement block'. String: {% if n > %} True {% else %} False {% endif %}. unexpected 'end of statement block'",
      'syntax',
    ],
    [
      "n > 'a'",
      "The conditional check 'n > 'a'' failed. The error was: Unexpected templating type error occurred on ({% if n > 'a' %} True {% else %} False {% endif %}): '>' not supported between instances of 'int' and 'str'. '>' not supported between instances of 'int' and 'str'",
      'template',
    ],
  ])('%s fails', (text, message, kind) => {
    const problem = problemOf(() => templar.condition(text, scope))
    expect(problem).toMatchObject({ message, kind })
  })
})

describe('problems', () => {
  it('stand where the template stands', () => {
    const text = lines('a: b', 'c: "x {{ 1 }} {{ nope }}"')
    const source = { name: 'play.yml', text }
    const start = text.indexOf('"x')
    const template = new Template('x {{ 1 }} {{ nope }}', { source, start, end: text.length })
    const { templar, scope } = stage({ vars: { hope: 1 } })
    const problem = problemOf(() => templar.render(template, scope))
    expect(problem).toMatchObject({ message: "'nope' is undefined", kind: 'undefined', hint: "did you mean 'hope'?" })
    expect(positionAt(text, problem.span!.start)).toEqual({ line: 2, column: 15 })
  })
  it('name near keys', () => {
    const { render } = stage({ vars: { d: dict({ name: 1 }) } })
    expect(problemOf(() => render('{{ d.nmae }}'))).toMatchObject({ hint: "did you mean 'name'?", notes: ['looked for as d.nmae'] })
    expect(problemOf(() => render("{{ d['b'].c.e }}")).notes).toEqual(["looked for as d['b']"])
  })
  it('keep undefined text where undefined is allowed', () => {
    const { templar, scope } = stage()
    expect(templar.render(new Template('{{ nope }} x'), scope, { strict: false })).toBe('{{ nope }} x')
    expect(() => templar.render(new Template('{{ 1 / 0 }}'), scope, { strict: false })).toThrow('division by zero')
  })
  it('are found without rendering', () => {
    const { templar } = stage()
    const raw: Raw = [new Template('{{ 1'), dict({ a: new Template('{{ x | nope }}'), b: new Template('{{ x }}') })]
    expect(templar.check(raw).map((error) => error.message.split('. ')[0])).toEqual([
      "template error while templating string: unexpected end of template, expected 'end of print statement'.",
      'template error while templating string: Could not load "nope": \'nope\'',
    ])
  })
  it('of files have the line of the file', () => {
    const { templar, scope } = stage()
    const text = lines('#jinja2: trim_blocks: False', 'one', '{% if true %}', '{{ 1 / 0 }}', '{% endif %}')
    const problem = problemOf(() => templar.renderFile({ name: 'x.j2', text }, scope))
    expect(problem.message).toBe('division by zero')
    expect(positionAt(text, problem.span!.start)).toEqual({ line: 4, column: 1 })
  })
})

describe('nothing of JavaScript is in reach', () => {
  it.each(['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'])('%s', (name) => {
    const { render } = stage({ vars: { d: dict({ a: 1 }), l: [1], s: 'x', n: 1 } })
    for (const object of ['d', 'l', 's', 'n', '(1, 2)', '{}', 'range(3)', 'd.keys', 'namespace()', 'lookup', '1.5', 'none', 'true']) {
      expect(render(`{{ (${object}).${name} is defined }}`)).toBe(false)
      expect(render(`{{ (${object})['${name}'] is defined }}`)).toBe(false)
    }
    expect(render(`{{ ${name} is defined }}`)).toBe(false)
  })
})

describe('lookups', () => {
  const { templar, scope, render } = stage({ vars: { n: 3, name: 'n' } })
  it('know their names', () => {
    expect(templar.hasLookup('vars')).toBe(true)
    expect(templar.hasLookup('ansible.builtin.vars')).toBe(true)
    expect(templar.hasLookup('nope')).toBe(false)
  })
  it('are called with finished terms', () => {
    expect(templar.lookup('items', [[1, [2, [3]]]], scope)).toEqual([1, [2, [3]]])
  })
  it.each<[string, unknown]>([
    ["{{ lookup('vars', 'n') }}", '3'],
    ["{{ lookup('vars', '{{ name }}') }}", '3'],
    ["{{ query('vars', 'n') }}", [3]],
    ["{{ lookup('vars', 'n', wantlist=true) }}", [3]],
    ["{{ lookup('vars', 'nope', default='d') }}", 'd'],
    ["{{ lookup('items', [1, 2]) }}", [1, 2]],
    ["{{ lookup('items', ['a', 'b']) }}", 'a,b'],
    ["{{ lookup('file', '/nope', errors='ignore') }}|", '|'],
    ["{{ query('file', '/nope', errors='ignore') }}", []],
  ])('%s', (text, expected) => {
    expect(render(text)).toEqual(expected)
  })
})

describe('set filters as releases have them', () => {
  it.each<[string | undefined, string, unknown]>([
    [undefined, "{{ ['ab', 'x'] | intersect('abc') }}", []],
    ['2.16.0', "{{ ['ab', 'x'] | intersect('abc') }}", []],
    ['2.15.13', "{{ ['ab', 'x'] | intersect('abc') }}", ['ab']],
    ['2.15.13', "{{ ['ab', 'x'] | difference('abc') }}", ['x']],
    ['2.15.13', '{{ [3, 1, 3] | union([2]) }}', [3, 1, 2]],
    ['2.15.13', "{{ 'aab' | intersect('ac') }}", ['a']],
  ])('%s: %s', (compatVersion, text, expected) => {
    expect(stage(compatVersion === undefined ? {} : { compatVersion }).render(text)).toEqual(expected)
  })
})
