/** Replacement text of re.sub → literal parts and group numbers. */
import { later, Problem } from '../../base/index.ts'
import { regexProblem } from './problem.ts'
import type { Found } from './regex-types.ts'

/** Literal texts and numbers of groups, in turn. */
export type ReplacementPart = string | number

interface Groups {
  readonly groups: number
  readonly names: ReadonlyMap<string, number>
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\' }
const IDENTIFIER = later(() => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*$/u)

export function parseTemplate(template: string, regex: Groups): ReplacementPart[] {
  if (!template.includes('\\')) return [template]
  const parts: ReplacementPart[] = []
  let at = 0
  while (at < template.length) {
    const slash = template.indexOf('\\', at)
    if (slash === -1) break
    if (slash > at) parts.push(template.slice(at, slash))
    const [part, end] = readEscape(template, slash, regex)
    parts.push(part)
    at = end
  }
  if (at < template.length) parts.push(template.slice(at))
  return parts
}

/** The replacement for one match. */
export function expandTemplate(parts: readonly ReplacementPart[], found: Found): string {
  let out = ''
  for (const part of parts) out += typeof part === 'string' ? part : part === 0 ? found.text : (found.groups[part - 1] ?? '')
  return out
}

/** What stands at a backslash, and where it ends. */
function readEscape(template: string, slash: number, regex: Groups): [ReplacementPart, number] {
  const char = template[slash + 1]
  if (char === undefined) throw regexProblem('bad escape (end of pattern)', template, slash)
  if (char === 'g') return readNamed(template, slash + 2, regex)
  if (char === '0') {
    const digits = /^[0-7]{0,2}/.exec(template.slice(slash + 2))![0]
    return [String.fromCharCode(Number.parseInt(`0${digits}`, 8)), slash + 2 + digits.length]
  }
  if (char >= '1' && char <= '9') return readNumber(template, slash, regex)
  const known = ESCAPES[char]
  if (known !== undefined) return [known, slash + 2]
  if (/[A-Za-z]/.test(char)) throw regexProblem(`bad escape \\${char}`, template, slash)
  return [`\\${char}`, slash + 2]
}

function readNumber(template: string, slash: number, regex: Groups): [ReplacementPart, number] {
  const octal = /^[0-7]{3}/.exec(template.slice(slash + 1))
  if (octal) {
    const code = Number.parseInt(octal[0], 8)
    if (code > 0o377) throw regexProblem(`octal escape value \\${octal[0]} outside of range 0-0o377`, template, slash)
    return [String.fromCharCode(code), slash + 4]
  }
  const digits = /^\d{1,2}/.exec(template.slice(slash + 1))![0]
  return [group(Number(digits), template, slash + 1, regex), slash + 1 + digits.length]
}

function readNamed(template: string, at: number, regex: Groups): [ReplacementPart, number] {
  if (template[at] !== '<') throw regexProblem('missing <', template, at)
  const from = at + 1
  const stop = template.indexOf('>', from)
  const name = stop === -1 ? template.slice(from) : template.slice(from, stop)
  if (name === '') throw regexProblem('missing group name', template, from)
  if (stop === -1) throw regexProblem('missing >, unterminated name', template, from)
  if (/^\d+$/.test(name)) return [group(Number(name), template, from, regex), stop + 1]
  if (!IDENTIFIER().test(name)) throw regexProblem(`bad character in group name '${name}'`, template, from)
  const number = regex.names.get(name)
  if (number === undefined) throw new Problem(`unknown group name '${name}'`, { kind: 'template' })
  return [number, stop + 1]
}

function group(number: number, template: string, position: number, regex: Groups): number {
  if (number > regex.groups) throw regexProblem(`invalid group reference ${number}`, template, position)
  return number
}
