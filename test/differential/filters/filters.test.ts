/** Filters and tests beside Ansible's: every expression of cases.txt gives the text that record.py kept, or fails in the same words. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromJson, Problem, Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Scope } from '../../../src/template/index.ts'
import { SKIPPED } from './skipped.ts'

interface Row {
  group: string
  expression: string
  /** as in a template file, where backslashes are not doubled */
  file?: boolean
  text?: string
  error?: string
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const rowsOf = (name: string): Row[] =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const rows: Row[] = [...rowsOf('recording.jsonl'), ...rowsOf('collection-recording.jsonl')]

const variables = new Map<string, Value>(fromJson(JSON.parse(read('vars.json'))) as Map<string, Value>)
const scope: Scope = {
  get: (name) => variables.get(name),
  has: (name) => variables.has(name),
  names: () => variables.keys(),
  fromHost: () => false,
  run: { playbookDir: '/', env: { HOME: '/home/me' }, now: () => new Date() },
}
const templar = createTemplar({ native: false, extensions: [] })

describe.each([...new Set(rows.map((row) => row.group))])('%s', (group) => {
  for (const row of rows) {
    if (row.group !== group) continue
    const reason = SKIPPED[row.expression]
    test.skipIf(reason !== undefined)(reason === undefined ? row.expression : `${row.expression} (${reason})`, () => compare(row))
  }
})

function compare(row: Row): void {
  const got = render(row)
  if (row.error === undefined) expect(got.text ?? `error: ${got.error}`).toBe(row.text)
  else expect(got.error ?? `no error: ${got.text}`).toSatisfy((message: string) => sayTheSame(message, row.error!))
}

/** The one may tell more of the surroundings than the other. */
function sayTheSame(got: string, wanted: string): boolean {
  const [mine, theirs] = [innermost(got), innermost(wanted)]
  return mine !== '' && (theirs.includes(mine) || mine.includes(theirs))
}

function render(row: Row): { text?: string; error?: string } {
  try {
    const text = `x{{ ${row.expression} }}`
    if (row.file) return { text: templar.renderFile({ name: 'case', text }, scope) }
    return { text: templar.render(new Template(text), scope) as string }
  } catch (error) {
    if (error instanceof Problem) return { error: error.message }
    throw error
  }
}

/** What went wrong, without the words that Ansible or Python put around it. */
function innermost(message: string): string {
  const type = /^Unexpected templating type error occurred on \(.*?\): (.*)\. \1$/s.exec(message)
  if (type) return type[1]!
  const python = /^[A-Za-z_.]*(?:[eE]rror|Exception): ([\s\S]*)$/.exec(message)
  return python ? python[1]! : message
}
