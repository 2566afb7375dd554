/** Characters that may not stand in YAML, as the reference's reader has it, and documents that would grow without bounds. */
import { describe, expect, test } from 'vitest'
import { Problem, positionAt } from '../../../src/base/index.ts'
import { mappingToVars, nodeToRaw, parseYaml } from '../../../src/documents/index.ts'
import type { MappingNode } from '../../../src/documents/node.ts'

const parse = (text: string) => parseYaml({ name: 'file.yml', text })

const REFUSED = [
  'a: \0',
  'a: "\0"',
  'a: \x07b',
  'a: \x7f',
  'a: \ufffe',
  'a: \ud800',
  '# \x01\na: b',
  'a: \x9f',
  'a: |\n  \x1b[0m',
  '{"a": "\x1f"}',
]
const WELCOME = ['a: 😀', 'a: "\\0"', 'a: \u00a0b', '\ufeffa: b', 'a: \ufeffb', 'a\tb: c\td', 'a: "\\ud83d"', 'a: \u{10ffff}']

describe('characters', () => {
  test.each(REFUSED)('%j is refused', (text) => {
    const at = text.search(/[^\x20-\x7e\n]/)
    let problem: unknown
    try {
      parse(text)
    } catch (error) {
      problem = error
    }
    expect(problem).toBeInstanceOf(Problem)
    const digits = text.charCodeAt(at).toString(16).padStart(4, '0')
    expect((problem as Problem).message).toBe(`unacceptable character #x${digits}: control characters are not allowed`)
    expect((problem as Problem).span?.start).toBe(at)
    expect(positionAt((problem as Problem).span!.source.text, at).line).toBe(text.slice(0, at).split('\n').length)
  })
  test.each(WELCOME)('%j is read', (text) => {
    expect(nodeToRaw(parse(text)!)).toBeInstanceOf(Map)
  })
})

describe('what is aliased again and again', () => {
  const LAYERS = Array.from({ length: 40 }, (_, layer) => layer + 1)
  const BOMBS = {
    lists: `a0: &a0 [x, x]\n${LAYERS.map((i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`).join('\n')}`,
    dicts: `a0: &a0 {x: 1}\n${LAYERS.map((i) => `a${i}: &a${i} {p: *a${i - 1}, q: *a${i - 1}, t: "{{ 1 }}"}`).join('\n')}`,
    'merged dicts': `a0: &a0 {x: 1}\n${LAYERS.map((i) => `a${i}: &a${i}\n  <<: [*a${i - 1}, *a${i - 1}]\n  k${i}: 1`).join('\n')}`,
  }
  test.each(Object.entries(BOMBS))('%s are read at once, and are one object', (_, text) => {
    const began = performance.now()
    const vars = mappingToVars(parse(text) as MappingNode)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(vars.size).toBe(41)
  })
})
