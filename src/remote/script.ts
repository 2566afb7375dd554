/** Shell text, made only by the `sh` tag, which quotes every value. */

declare const branded: unique symbol

/** Shell text that is safe to run: everything in it was written by us or quoted by `sh`. */
export interface Script {
  readonly text: string
  readonly [branded]: true
}

export type Word = string | number | Script | readonly (string | number | Script)[]

/**
 * POSIX shell text; every interpolated string or number becomes one quoted word, an array several words, a Script goes in as it is.
 * The scripts must run in dash, bash and busybox. `\${` stands for the shell's own `${`.
 */
export function sh(parts: TemplateStringsArray, ...words: Word[]): Script {
  let text = literal(parts.raw[0]!)
  for (let i = 0; i < words.length; i++) text += render(words[i]!) + literal(parts.raw[i + 1]!)
  return trusted(text)
}

/** Shell text that a user wrote on purpose (the shell and raw modules). Never for values. */
export function userScript(text: string): Script {
  return trusted(text)
}

export function joinScripts(scripts: readonly Script[], separator = '\n'): Script {
  return trusted(scripts.map((s) => s.text).join(separator))
}

/** One word that any POSIX shell reads back as exactly this text. */
export function quote(text: string): string {
  if (text.includes('\0')) throw new TypeError('a shell word cannot hold a NUL byte')
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
}

function render(word: Word): string {
  if (typeof word === 'string') return quote(word)
  if (typeof word === 'number') return String(word)
  if (Array.isArray(word)) return word.map((w: string | number | Script) => render(w)).join(' ')
  return (word as Script).text
}

const literal = (raw: string): string => raw.replaceAll('\\${', '${')

function trusted(text: string): Script {
  return { text } as Script
}
