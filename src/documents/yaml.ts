/** Turns YAML 1.1 or JSON text into nodes that know their place: quickly where it is written as most is, else with the full parser. */
import { Problem, Problems, type Source, span } from '../base/index.ts'
import { type ParseOptions, parseFully } from './full.ts'
import type { Node } from './node.ts'
import { parseQuickly } from './quick.ts'

/** Parses one document; undefined when there is nothing in it. */
export function parseYaml(source: Source, options: ParseOptions = {}): Node | undefined {
  const wrong = unreadable(source.text)
  if (wrong !== undefined) throw unreadableCharacter(source, wrong)
  const quick = options.multi ? undefined : parseQuickly(source)
  if (quick) return quick.node
  try {
    return parseFully(source, options)
  } catch (error) {
    throw source.name.endsWith('.json') ? asJson(source.text, error) : error
  }
}

/** What is wrong with a file of JSON as JSON, too. */
function asJson(text: string, error: unknown): unknown {
  if (error instanceof Problems) return new Problems(error.problems.map((one, i) => (i === 0 ? (asJson(text, one) as Problem) : one)))
  if (!(error instanceof Problem)) return error
  try {
    JSON.parse(text)
    return error
  } catch (wrong) {
    const { message, kind, span: at, hint, notes, cause } = error
    return new Problem(message, { kind, span: at, hint, notes: [...notes, `JSON: ${(wrong as Error).message}`], cause })
  }
}

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/
const HALVES = /[\ud800-\udfff]/u

/** Where a character stands that YAML does not know: control characters but tabs and line ends, and halves of characters. */
function unreadable(text: string): number | undefined {
  const control = text.search(CONTROLS)
  const found = control === -1 ? text.search(HALVES) : control
  return found === -1 ? undefined : found
}

function unreadableCharacter(source: Source, at: number): Problem {
  const digits = source.text.charCodeAt(at).toString(16).padStart(4, '0')
  return new Problem(`unacceptable character #x${digits}: control characters are not allowed`, {
    kind: 'syntax',
    span: span(source, at, at + 1),
    hint: `write it as \\u${digits} between double quotes`,
  })
}
