/** Lookups beside Ansible's: every line of lookup-cases.txt gives the text that record-lookups.py kept, or fails in the same words. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fromJson, Problem, Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Scope, type TemplateFiles } from '../../../src/template/index.ts'
import { SKIPPED } from './skipped.ts'

interface Row {
  expression: string
  text?: string
  error?: string
}

const here = path.dirname(fileURLToPath(import.meta.url))
const folder = path.join(here, 'lookups')
const rows: Row[] = readFileSync(path.join(here, 'lookups.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line.replaceAll('FOLDER', folder)))

const folders = (kind: string): string[] => [path.join(folder, kind), folder]
const files: TemplateFiles = {
  find: (kind, name) =>
    folders(kind)
      .map((f) => path.join(f, name))
      .find((file) => existsSync(file)),
  folders,
  read: (file) => readFileSync(file, 'utf8'),
  readBytes: (file) => readFileSync(file),
}
const variables = new Map<string, Value>(
  fromJson({
    name: 'me',
    items: [1, 2],
    users: [
      { name: 'a', keys: ['k1', 'k2'] },
      { name: 'b', keys: [] },
      { name: 'c', keys: ['k3'], n: 1 },
    ],
  }) as Map<string, Value>,
)
const scope: Scope = {
  get: (name) => variables.get(name),
  has: (name) => variables.has(name),
  names: () => variables.keys(),
  fromHost: () => false,
  files,
  run: { playbookDir: folder, env: { HOME: '/home/me', PATH: process.env['PATH'] }, hostsOf: () => ['h1', 'h2'], now: () => new Date() },
}
const templar = createTemplar({ native: false, extensions: [] })

describe('lookups', () => {
  for (const row of rows) {
    const reason = SKIPPED[row.expression]
    test.skipIf(reason !== undefined)(reason === undefined ? row.expression : `${row.expression} (${reason})`, () => {
      const got = render(row.expression)
      if (row.error === undefined) expect(got.text ?? `error: ${got.error}`).toBe(row.text)
      else expect(got.error ?? `no error: ${got.text}`).toSatisfy((message: string) => sayTheSame(message, row.error!))
    })
  }
})

function render(expression: string): { text?: string; error?: string } {
  try {
    return { text: templar.render(new Template(`x{{ ${expression} }}`), scope) as string }
  } catch (error) {
    if (error instanceof Problem) return { error: error.message }
    throw error
  }
}

/** The one may tell more of the surroundings than the other. */
function sayTheSame(got: string, wanted: string): boolean {
  const [mine, theirs] = [firstSentence(got), firstSentence(wanted)]
  return theirs.includes(mine) || mine.includes(theirs)
}

/** Ansible repeats what went wrong at the end. */
function firstSentence(message: string): string {
  const twice = /^(.*?: )?(.*)\. \2$/s.exec(message)
  return twice ? twice[2]! : message
}
