/** Renders the corpus' templates with this engine, in the form in which the recorder writes its results. */
import { readFileSync } from 'node:fs'
import { asWritten, type Raw, Template, type Value } from '../../../src/base/index.ts'
import type { FileOptions, Scope, Templar } from '../../../src/template/index.ts'
import { repr } from '../../../src/template/python/index.ts'
import { parseLiteral } from '../../../src/template/run/literal.ts'

export interface Recorded {
  /** text, native, file or when */
  readonly m: string
  readonly t: string
  readonly o?: Readonly<Record<string, unknown>>
  /** the result's repr(), or the error and its class */
  readonly r?: string
  readonly e?: string
  readonly k?: string
}

export const readRecorded = (path: string): Recorded[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

/** The variables of the corpus, from the Python text in which it keeps them. */
export function corpusVariables(path: string): Map<string, Raw> {
  const text = /VARS = r'''([\s\S]*?)'''/.exec(readFileSync(path, 'utf8'))![1]!
  const dict = parseLiteral(text.replaceAll('\n', ' '), { json: false }) as Map<Value, Value>
  return new Map([...dict].map(([name, value]) => [String(name), asWritten(value)]))
}

/** A scope that renders variables when they are asked for. */
export function scopeOf(variables: ReadonlyMap<string, Raw>, templar: () => Templar): Scope {
  const scope: Scope = {
    get(name) {
      const raw = variables.get(name)
      if (raw === undefined) return undefined
      return templar().render(raw, scope)
    },
    has: (name) => variables.has(name),
    names: () => variables.keys(),
    fromHost: () => false,
    raw: (name) => variables.get(name),
  }
  return scope
}

const OPTION_NAMES: Readonly<Record<string, keyof FileOptions>> = {
  trim_blocks: 'trimBlocks',
  lstrip_blocks: 'lstripBlocks',
  newline_sequence: 'newlineSequence',
  variable_start_string: 'variableStart',
  variable_end_string: 'variableEnd',
  block_start_string: 'blockStart',
  block_end_string: 'blockEnd',
  comment_start_string: 'commentStart',
  comment_end_string: 'commentEnd',
}

export function renderCase({ m, t, o = {} }: Recorded, templar: Templar, scope: Scope): { r?: string; e?: string } {
  try {
    if (m === 'when') return { r: repr(templar.condition(asWritten(t) as Raw, scope)) }
    if (m === 'text' || m === 'native') return { r: repr(templar.render(new Template(t), scope)) }
    const options = Object.fromEntries(Object.entries(o).map(([name, value]) => [OPTION_NAMES[name]!, value])) as FileOptions
    return { r: repr(templar.renderFile({ name: 'case.j2', text: t }, scope, options)) }
  } catch (error) {
    return { e: error instanceof Error ? error.message : String(error) }
  }
}
