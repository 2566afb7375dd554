/** Looks at a text and tells in which YAML styles it can be written. */

export interface Analysis {
  readonly multiline: boolean
  readonly flowPlain: boolean
  readonly blockPlain: boolean
  readonly single: boolean
  readonly block: boolean
}

const BREAKS = new Set(['\r', '\n', '\x85', '\u2028', '\u2029'])
const FIRST_INDICATORS = new Set('#,[]{}&*!|>\'"%@`')
const FLOW_INDICATORS = new Set(',?[]{}')

export const isBreak = (char: string | undefined): boolean => char !== undefined && BREAKS.has(char)
const isBlankOrEnd = (char: string | undefined): boolean =>
  char === undefined || char === ' ' || char === '\t' || char === '\0' || isBreak(char)

/** Characters that may stand as they are; beyond the basic plane everything is escaped. */
export function isPrintable(char: string): boolean {
  const code = char.codePointAt(0)!
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  )
}

const EMPTY: Analysis = { multiline: false, flowPlain: false, blockPlain: true, single: true, block: false }

export function analyze(chars: readonly string[], allowUnicode: boolean): Analysis {
  if (chars.length === 0) return EMPTY
  const found = new Finder(allowUnicode)
  const start = chars.slice(0, 3).join('')
  if (start === '---' || start === '...') found.block = found.flow = true
  for (let i = 0; i < chars.length; i++) found.look(chars, i)
  return found.verdict()
}

class Finder {
  block = false
  flow = false
  private special = false
  private tabs = false
  private lineBreaks = false
  private atEdge = false
  private trailingSpace = false
  private breakSpace = false
  private spaceBreak = false
  private previous: 'space' | 'break' | 'other' = 'other'
  private readonly allowUnicode: boolean

  constructor(allowUnicode: boolean) {
    this.allowUnicode = allowUnicode
  }

  look(chars: readonly string[], i: number): void {
    const char = chars[i]!
    this.indicators(char, i === 0, i === 0 || isBlankOrEnd(chars[i - 1]), isBlankOrEnd(chars[i + 1]))
    if (char === '\t') this.tabs = true
    else if (!isPrintable(char) || (!this.allowUnicode && char > '\x7e')) this.special = true
    this.blanks(char, i === 0, i === chars.length - 1)
  }

  private indicators(char: string, first: boolean, afterBlank: boolean, beforeBlank: boolean): void {
    if (first) {
      if (FIRST_INDICATORS.has(char)) this.flow = this.block = true
      else if (char === '?' || char === ':') {
        this.flow = true
        if (beforeBlank) this.block = true
      } else if (char === '-' && beforeBlank) this.flow = this.block = true
      return
    }
    if (FLOW_INDICATORS.has(char)) this.flow = true
    else if (char === ':') {
      this.flow = true
      if (beforeBlank) this.block = true
    } else if (char === '#' && afterBlank) this.flow = this.block = true
  }

  private blanks(char: string, first: boolean, last: boolean): void {
    if (char === ' ') {
      if (first || last) this.atEdge = true
      if (last) this.trailingSpace = true
      if (this.previous === 'break') this.breakSpace = true
      this.previous = 'space'
    } else if (isBreak(char)) {
      this.lineBreaks = true
      if (first || last) this.atEdge = true
      if (this.previous === 'space') this.spaceBreak = true
      this.previous = 'break'
    } else this.previous = 'other'
  }

  verdict(): Analysis {
    const unquotable = this.spaceBreak || this.tabs || this.special
    const plain = !this.atEdge && !this.breakSpace && !unquotable && !this.lineBreaks
    return {
      multiline: this.lineBreaks,
      flowPlain: plain && !this.flow,
      blockPlain: plain && !this.block,
      single: !this.breakSpace && !unquotable,
      block: !this.trailingSpace && !this.spaceBreak && !this.special,
    }
  }
}
