/** Plain JSON as block YAML for people to read (result_format=yaml), laid out as PyYAML does: sorted keys, texts of several lines as blocks. */
import type { Json } from '../base/index.ts'
import { pythonJson } from './python-json.ts'

const INDENT = 4
const WIDTH = 80

export function yamlBlock(json: Json): string {
  return `${block(json, 0).join('\n')}\n`
}

type JsonDict = { readonly [key: string]: Json | undefined }

/** The lines of a value that stands by itself. */
function block(json: Json, indent: number): string[] {
  const margin = ' '.repeat(indent)
  if (Array.isArray(json))
    return json.length === 0 ? [`${margin}[]`] : json.flatMap((item: Json) => withHead(`${margin}- `, item, indent, true))
  if (isDict(json)) {
    const keys = Object.keys(json)
      .filter((key) => json[key] !== undefined)
      .sort((a, b) => (a < b ? -1 : 1))
    return keys.length === 0
      ? [`${margin}{}`]
      : keys.flatMap((key) => withHead(`${margin}${scalar(key, 0, 0)}: `, json[key]!, indent, false))
  }
  return [margin + scalar(json, indent, indent)]
}

/** A value behind `key:` or `-`. */
function withHead(head: string, json: Json, indent: number, isItem: boolean): string[] {
  const empty = (Array.isArray(json) && json.length === 0) || (isDict(json) && Object.keys(json).length === 0)
  if ((Array.isArray(json) || isDict(json)) && !empty) {
    const below = block(json, Array.isArray(json) && !isItem ? indent : indent + INDENT)
    if (!isItem) return [head.trimEnd(), ...below]
    const [first = '', ...rest] = below
    return [head.trimEnd().padEnd(indent + INDENT) + first.trimStart(), ...rest]
  }
  if (empty) return [head + (Array.isArray(json) ? '[]' : '{}')]
  return `${head}${scalar(json, head.length, indent + INDENT)}`.split('\n')
}

const isDict = (json: Json): json is JsonDict =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && json.constructor === Object

/** Texts YAML 1.1 would read as something else. */
const NOT_TEXT =
  /^(?:~|null|Null|NULL|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|=|<<|[-+]?0b[01_]+|[-+]?0x[\da-fA-F_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?[1-9][\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d.*|)$/
const NEEDS_QUOTES = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|^---|^\.\.\.|: |:$| #|^\s|\s$/
const SPECIAL = /[^\t\n\x20-\x7e\x85\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|\t/u

function scalar(json: Json, column: number, indent: number): string {
  if (json === null) return 'null'
  if (typeof json !== 'string') return pythonJson(json)
  if (json.includes('\n')) return literal(json, indent)
  if (SPECIAL.test(json))
    return JSON.stringify(json).replace(/\\u([\da-f]{4})/g, (whole, hex: string) =>
      hex.startsWith('00') ? `\\x${hex.slice(2).toUpperCase()}` : whole,
    )
  const quoted = NOT_TEXT.test(json) || NEEDS_QUOTES.test(json)
  return fold(quoted ? `'${json.replaceAll("'", "''")}'` : json, column, indent)
}

/** A block of lines; tabs, blanks at line ends and what cannot be shown are given up for legibility. */
function literal(text: string, indent: number): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\t/g, '        ').trimEnd())
  const mark = /^\s/.test(lines[0] ?? '') ? String(INDENT) : ''
  return [`|${mark}-`, ...lines.map((line) => (line === '' ? line : ' '.repeat(indent) + line))].join('\n')
}

/** Long lines go on below at the first blank past the width. */
function fold(text: string, column: number, indent: number): string {
  let out = ''
  let at = column
  for (const word of text.split(/(?<=[^ ])(?= [^ ])/)) {
    const breaks = out !== '' && at > WIDTH
    out += breaks ? `\n${' '.repeat(indent)}${word.slice(1)}` : word
    at = breaks ? indent + word.length - 1 : at + word.length
  }
  return out
}
