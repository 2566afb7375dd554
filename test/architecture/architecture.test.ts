/** The room table holds: imports go down, through the door, and never in a circle. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { circles, type Edge, importEdges, importedPaths, roomOf, sourceFiles } from './imports.ts'
import { entry, rooms } from './rooms.ts'

const src = join(import.meta.dirname, '../../src')
const edges = importEdges(src)
const across = (all: readonly Edge[]): Edge[] => all.filter(({ from, to }) => roomOf(from) !== roomOf(to))
const arrow = ({ from, to }: Edge): string => `${from} → ${to}`

const notAllowed = (all: readonly Edge[]): Edge[] =>
  across(all).filter(({ from, to }) => roomOf(from) !== entry && !rooms[roomOf(from)]?.includes(roomOf(to)))
const pastTheDoor = (all: readonly Edge[]): Edge[] => across(all).filter(({ to }) => to !== `${roomOf(to)}/index.ts`)

test('every folder of src/ is a room of the table', () => {
  const found = new Set(sourceFiles(src).map(roomOf))
  found.delete(entry)
  expect([...found].filter((room) => !(room in rooms))).toEqual([])
})

test('the table itself only points down', () => {
  const table = Object.entries(rooms).flatMap(([from, to]) => to.map((room) => ({ from, to: room })))
  expect(table.filter(({ to }) => !(to in rooms))).toEqual([])
  expect(circles(table)).toEqual([])
})

test('rooms import only what the table allows', () => expect(notAllowed(edges).map(arrow)).toEqual([]))
test('rooms are entered through their index.ts only', () => expect(pastTheDoor(edges).map(arrow)).toEqual([]))
test('no files import each other in a circle', () => expect(circles(edges)).toEqual([]))
test('every import leads to a file', () => {
  expect(edges.filter(({ to }) => !existsSync(join(src, to))).map(arrow)).toEqual([])
})

test('the checks see what they are meant to see', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rooms-'))
  const files = {
    'base/index.ts': "import type { A } from '../engine/index.ts'\nexport { b } from './b.ts'",
    'base/b.ts': "const c = await import('./index.ts')",
    'engine/index.ts': "import {\n  b,\n} from '../base/b.ts'\n// import x from '../cli/index.ts'",
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const seen = importEdges(folder)
  rmSync(folder, { recursive: true })
  expect(notAllowed(seen).map(arrow)).toEqual(['base/index.ts → engine/index.ts'])
  expect(pastTheDoor(seen).map(arrow)).toEqual(['engine/index.ts → base/b.ts'])
  expect(circles(seen)).toEqual([['base/b.ts', 'base/index.ts', 'engine/index.ts']])
})

test.each([
  ["import { a } from 'x'", ['x']],
  ["import type { A } from './a.ts'", ['./a.ts']],
  ["export * from './b.ts'", ['./b.ts']],
  ["import './c.ts'", ['./c.ts']],
  ["type T = import('./d.ts').T", ['./d.ts']],
  ["/** import { a } from 'x' */", []],
])('reads %s', (text, paths) => expect(importedPaths(text)).toEqual(paths))
