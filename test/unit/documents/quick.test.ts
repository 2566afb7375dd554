import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseFully } from '../../../src/documents/full.ts'
import type { Node } from '../../../src/documents/index.ts'
import { parseQuickly } from '../../../src/documents/quick.ts'

/** A tree with every value, style and place, and nothing of the source. */
const plain = (node: Node | undefined): unknown =>
  node === undefined
    ? undefined
    : node.kind === 'scalar'
      ? [node.value, node.style, node.span.start, node.span.end]
      : node.kind === 'sequence'
        ? ['list', node.span.start, node.span.end, ...node.items.map(plain)]
        : ['dict', node.span.start, node.span.end, ...node.entries.map(({ key, value }) => [plain(key), plain(value)])]

/** What the full parser makes of a text; a mistake or a warning is something else than a tree. */
function fully(text: string): unknown {
  const warnings: string[] = []
  try {
    const tree = plain(parseFully({ name: 'file.yml', text }, { warn: (message) => warnings.push(message) }))
    return warnings.length > 0 ? warnings : tree
  } catch (error) {
    return error
  }
}

const folders = ['playbooks', 'roles', 'inventory', 'test/golden']
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const),
)

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let now = seed
  return (below) => {
    now = (Math.imul(now, 1103515245) + 12345) & 0x7fffffff
    return now % below
  }
}

const BITS = [
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\n  ',
  ':',
  ': ',
  '- ',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '|',
  '>-\n',
  '\\',
  '---\n',
  '&a ',
  '*',
  '~',
]

function changed(text: string, next: (below: number) => number): string {
  const at = next(text.length + 1)
  return text.slice(0, at) + (next(3) === 0 ? '' : BITS[next(BITS.length)]) + text.slice(at + next(3))
}

describe('the quick parser', () => {
  test('reads what it reads as the full one does', () => {
    let read = 0
    for (const [name, text] of texts) {
      const quick = parseQuickly({ name, text })
      if (!quick) continue
      read++
      expect(plain(quick.node), name).toEqual(fully(text))
    }
    expect(read / texts.length).toBeGreaterThan(0.8)
  })

  test.each(['a:\n  b: "x\n  y"\nc: d\n', "- a:\n    b: 'x {\n  y\n\n  z'\n  c: d\n", '- "a\nb"\n', 'a:\n  b: ["x\n  y: [",\n    z]\n'])(
    'takes quoted texts whose lines stand too far left: %j',
    (text) => {
      const quick = parseQuickly({ name: 'file.yml', text })
      expect(plain(quick?.node)).toEqual(fully(text))
    },
  )

  test('takes no text with a mistake for a right one', () => {
    const next = numbers(20)
    const short = texts.filter(([, text]) => text.length < 1200)
    for (let i = 0; i < 1500; i++) {
      let text = short[next(short.length)]![1]
      for (let changes = next(3); changes >= 0; changes--) text = changed(text, next)
      const quick = parseQuickly({ name: 'file.yml', text })
      if (quick) expect(plain(quick.node), text).toEqual(fully(text))
    }
  })
})
