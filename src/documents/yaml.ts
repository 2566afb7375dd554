/** Turns YAML 1.1 or JSON text into nodes that know their place: quickly where it is written as most is, else with the full parser. */
import { Problem, type Source, span } from '../base/index.ts'
import { type ParseOptions, parseFully } from './full.ts'
import type { Node } from './node.ts'
import { parseQuickly } from './quick.ts'

/** Parses one document; undefined when there is nothing in it. */
export function parseYaml(source: Source, options: ParseOptions = {}): Node | undefined {
  const wrong = unreadable(source.text)
  if (wrong !== undefined) throw unreadableCharacter(source, wrong)
  const quick = options.multi ? undefined : parseQuickly(source)
  return quick ? quick.node : parseFully(source, options)
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
