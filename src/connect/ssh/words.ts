/** The words of an ssh command line → options, and where it would go; the same reading for `ansible_ssh_args` and for an ssh in ProxyCommand. */

export interface SshWords {
  /** in the order given, names in lower case; the first of a name wins */
  readonly options: readonly (readonly [name: string, value: string])[]
  readonly configFile: string | undefined
  /** -W host:port */
  readonly forward: string | undefined
  readonly destination: string | undefined
  readonly command: readonly string[]
}

/** Flags that say an option in one letter. */
const letters: Readonly<Record<string, string>> = { i: 'identityfile', p: 'port', l: 'user', J: 'proxyjump', b: 'bindaddress' }
const bare: Readonly<Record<string, readonly [string, string]>> = {
  A: ['forwardagent', 'yes'],
  a: ['forwardagent', 'no'],
  C: ['compression', 'yes'],
  K: ['gssapiauthentication', 'yes'],
  4: ['addressfamily', 'inet'],
  6: ['addressfamily', 'inet6'],
}
/** Flags that take a word. */
const taking = 'oFWipJlBbcDEeILmOQRSPw'

export function readSshWords(words: readonly string[]): SshWords {
  const read: Reading = { words, at: 0, options: [], configFile: undefined, forward: undefined }
  readFlags(read)
  const destination = words[read.at++]
  // ssh takes flags after the destination too, up to the command
  readFlags(read)
  const { options, configFile, forward } = read
  return { options, configFile, forward, destination, command: words.slice(read.at) }
}

interface Reading {
  readonly words: readonly string[]
  at: number
  readonly options: [string, string][]
  configFile: string | undefined
  forward: string | undefined
}

function readFlags(read: Reading): void {
  for (; read.at < read.words.length; read.at++) {
    const word = read.words[read.at]!
    if (!word.startsWith('-') || word === '-') return
    if (word === '--') {
      read.at++
      return
    }
    readGroup(read, word)
  }
}

/** Flags may stand together, -qTp 22; the first that takes a word ends the group. */
function readGroup(read: Reading, word: string): void {
  for (let i = 1; i < word.length; i++) {
    const flag = word[i]!
    if (bare[flag] !== undefined) read.options.push([...bare[flag]])
    if (!taking.includes(flag)) continue
    const rest = word.slice(i + 1)
    const value = rest === '' ? (read.words[++read.at] ?? '') : rest
    if (flag === 'o') read.options.push(option(value))
    else if (flag === 'F') read.configFile = value
    else if (flag === 'W') read.forward = value
    else if (letters[flag] !== undefined) read.options.push([letters[flag], value])
    return
  }
}

/** `Name=value`, `Name value`, `Name = value` */
export function option(text: string): [string, string] {
  const found = /^\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)([\s\S]*)$/.exec(text)
  return found === null ? [text.trim().toLowerCase(), ''] : [found[1]!.toLowerCase(), found[2]!.trim()]
}

/** Splits as a shell would; nothing when the text needs a real shell. */
export function shellWords(text: string): string[] | undefined {
  const words: string[] = []
  const token = /\s*(?:((?:'[^']*'|"[^"$`\\]*"|\\[^\n]|[^\s'"\\$`|&;<>()*?#~[\]{}])+)|(\S))/gy
  for (let found = token.exec(text); found !== null && found[0] !== ''; found = token.exec(text)) {
    if (found[2] !== undefined) return undefined
    words.push(found[1]!.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, a, b, c) => a ?? b ?? c))
  }
  return words
}

/** The words without some of the flags, and what those take. */
export function withoutFlags(words: readonly string[], unwanted: string): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!/^-[^-]/.test(word)) {
      kept.push(word)
      continue
    }
    let flags = ''
    for (let i = 1; i < word.length; i++) {
      const flag = word[i]!
      const takes = taking.includes(flag)
      const value = takes ? word.slice(i + 1) || words[++at] || '' : undefined
      if (takes && !unwanted.includes(flag)) kept.push(`-${flag}`, value!)
      else if (!takes && !unwanted.includes(flag)) flags += flag
      if (takes) break
    }
    if (flags !== '') kept.push(`-${flags}`)
  }
  return kept
}
