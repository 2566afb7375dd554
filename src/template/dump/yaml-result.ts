/** A task's result → YAML for people to read: texts of several lines as blocks, on request at the cost of what blocks cannot hold. */
import type { Value } from '../../base/index.ts'
import { dumpYaml } from './yaml.ts'
import { isPrintable } from './yaml-analyze.ts'

export interface ResultYamlOptions {
  readonly indent?: number | undefined
  /** give up tabs, blanks at line ends and what cannot be shown, so that every text of several lines is a block */
  readonly lossy: boolean
}

const BREAK = /[\n\x85\u2028\u2029]/
const BLANKS_BEFORE_BREAK = / +([\n\x85\u2028\u2029])/g
const TAB = 8

export function resultYaml(result: Value, { indent, lossy }: ResultYamlOptions): string {
  const block = (text: string): string | undefined => (BREAK.test(text) ? (lossy ? legible(text) : text) : undefined)
  return dumpYaml(result, { indent, flowStyle: false, allowUnicode: true, block })
}

function legible(text: string): string {
  const shown = [...withoutTabs(text.trimEnd())].filter((char) => char === '\x85' || isPrintable(char) || char.codePointAt(0)! >= 0x10000)
  return shown.join('').replace(BLANKS_BEFORE_BREAK, '$1')
}

/** Tabs as blanks up to the next column that is a multiple of eight. */
function withoutTabs(text: string): string {
  let out = ''
  let column = 0
  for (const char of text) {
    const width = char === '\t' ? TAB - (column % TAB) : 1
    out += char === '\t' ? ' '.repeat(width) : char
    column = char === '\n' || char === '\r' ? 0 : column + width
  }
  return out
}
