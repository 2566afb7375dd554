/** Argument strings such as `src=a dest="b c" {{ more }}` → parameters and free-form text. */
import { Problem } from '../base/index.ts'

/** What may be given by name beside free-form text (command, shell, script, raw). */
const BESIDE_FREE_FORM = new Set(['creates', 'removes', 'chdir', 'executable', 'warn', 'stdin', 'stdin_add_newline', 'strip_empty_ends'])

/** Thrown for quotes or template marks that are not closed. */
export class Unbalanced extends Error {}

/** `name=value` words become parameters, the rest `_raw_params`; with `freeForm`, only few names are taken as parameters. */
export function parseArguments(text: string, freeForm = false): Map<string, string> {
  const values = new Map<string, string>()
  const rest: string[] = []
  for (const word of splitArguments(text)) {
    const decoded = decodeEscapes(word)
    const at = separator(decoded)
    if (at === undefined) rest.push(decoded.includes('=') ? decoded.replaceAll('\\=', '=') : word)
    else if (freeForm && !BESIDE_FREE_FORM.has(decoded.slice(0, at))) rest.push(word)
    else values.set(decoded.slice(0, at).trim(), unquote(decoded.slice(at + 1).trim()))
  }
  if (rest.length > 0) values.set('_raw_params', joinArguments(rest))
  return values
}

/** Where the first `=` stands that is neither escaped nor the first character. */
function separator(word: string): number | undefined {
  for (let at = word.indexOf('=', 1); at !== -1; at = word.indexOf('=', at + 1)) if (word[at - 1] !== '\\') return at
  return undefined
}

/** The words of a text, put together again with its own line breaks. */
export function joinArguments(words: readonly string[]): string {
  return words.reduce((text, word) => (text === '' || text.endsWith('\n') ? text + word : `${text} ${word}`), '')
}

/** Takes one pair of quotes off. */
export function unquote(text: string): string {
  const first = text[0]
  const quoted = text.length > 1 && (first === '"' || first === "'") && text.endsWith(first) && text[text.length - 2] !== '\\'
  return quoted ? text.slice(1, -1) : text
}

const ESCAPE = /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\\'"abfnrtv]))/g
const ESCAPED: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (_, long?: string, short?: string, byte?: string, letter?: string) =>
    letter === undefined ? characterOf(long ?? short ?? byte ?? '') : (ESCAPED[letter] ?? letter),
  )
}

function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16)
  if (code > 0x10ffff) throw new Problem(`\\U${digits} is no character`, { kind: 'syntax' })
  return String.fromCodePoint(code)
}

interface Depths {
  readonly print: number
  readonly block: number
  readonly comment: number
}
const isInside = (depths: Depths): boolean => depths.print > 0 || depths.block > 0 || depths.comment > 0

/** Splits at blanks and line breaks, but not within quotes or template marks; blanks and breaks that follow a word stay on it. */
export function splitArguments(text: string): string[] {
  const words: string[] = []
  if (text === '') return words
  let quote: string | undefined
  let depths: Depths = { print: 0, block: 0, comment: 0 }
  const extend = (more: string): void => {
    words.push((words.pop() ?? '') + more)
  }
  const lines = text.split('\n')
  for (const [lineNumber, line] of lines.entries()) {
    let continues = false
    for (const [index, token] of line.split(' ').entries()) {
      if (token === '' && index > 0) {
        extend(' ')
        continue
      }
      if (token === '\\' && !quote) {
        continues = true
        continue
      }
      const before = { quoted: quote !== undefined, inside: isInside(depths) }
      quote = quoteAfter(token, quote)
      const next = depthsAfter(token, depths)
      if ((quote && !before.quoted && !before.inside) || (!before.inside && !quote && !before.quoted)) {
        if (token !== '' || differ(next, depths)) words.push(token)
      } else extend(index === 0 ? token : ` ${token}`)
      depths = next
    }
    if (lines.length > 1 && lineNumber < lines.length - 1 && !continues) extend('\n')
  }
  if (quote || isInside(depths)) throw new Unbalanced(text)
  return words
}

const differ = (a: Depths, b: Depths): boolean => a.print !== b.print || a.block !== b.block || a.comment !== b.comment

/** Which quote is open behind a token. */
function quoteAfter(token: string, open: string | undefined): string | undefined {
  if (!token.includes('"') && !token.includes("'")) return open
  let quote = open
  for (let i = 0; i < token.length; i++) {
    const c = token[i]
    if ((c !== '"' && c !== "'") || token[i - 1] === '\\') continue
    if (quote === undefined) quote = c
    else if (quote === c) quote = undefined
  }
  return quote
}

function depthsAfter(token: string, depths: Depths): Depths {
  const { print, block, comment } = depths
  if (!token.includes('{') && !token.includes('}')) return depths
  return {
    print: depth(token, print, '{{', '}}'),
    block: depth(token, block, '{%', '%}'),
    comment: depth(token, comment, '{#', '#}'),
  }
}

const depth = (token: string, now: number, open: string, close: string): number =>
  Math.max(0, now + token.split(open).length - token.split(close).length)
