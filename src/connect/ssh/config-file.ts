/** ssh_config files and a host → the options that hold for it, the first of a name before later ones. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { globMatches } from './known-hosts.ts'
import { option } from './words.ts'

export interface Asked {
  /** the name as the user gave it */
  readonly original: string
  readonly user: string | undefined
  readonly localUser: string
  readonly home: string
  /** fills in the tokens of a command, by what is known so far */
  readonly fill: (text: string, host: string, user: string, port: string | undefined) => string
}

export type Options = readonly (readonly [name: string, value: string])[]

/** Options of a host from files, in order; `before` are those already decided, which Match lines see. */
export function configOptions(files: readonly string[], asked: Asked, before: Options): Options {
  const reading: Reading = { asked, found: [], host: asked.original, final: false, wantsFinal: false, seen: () => undefined }
  reading.seen = (name) => [...before, ...reading.found].find(([n]) => n === name)?.[1]
  for (const file of files) readFile(file, reading, 0, true)
  if (!reading.wantsFinal) return reading.found
  // a line “Match final” asks for all to be read once more, with the name that was found
  const host = (reading.seen('hostname') ?? asked.original).replaceAll('%h', asked.original).toLowerCase()
  const again: Reading = { ...reading, found: [...reading.found], host, final: true }
  again.seen = (name) => [...before, ...again.found].find(([n]) => n === name)?.[1]
  for (const file of files) readFile(file, again, 0, true)
  return again.found
}

interface Reading {
  readonly asked: Asked
  readonly found: [string, string][]
  /** what Host lines are held against */
  readonly host: string
  readonly final: boolean
  wantsFinal: boolean
  seen: Seen
}

type Seen = (name: string) => string | undefined

function readFile(path: string, reading: Reading, depth: number, holds: boolean): void {
  if (depth > 16) return
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return
  }
  let active = holds
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [name, value] = option(trimmed)
    if (name === 'host') active = holds && hostHolds(quotedWords(value), reading.host)
    else if (name === 'match') active = holds && matchHolds(value, reading)
    else if (name === 'include')
      for (const file of included(quotedWords(value), reading.asked.home)) readFile(file, reading, depth + 1, active)
    else if (active) reading.found.push([name, readValue(name, value)])
  }
}

/** One pattern that fits, and none that fits with a `!`. */
function hostHolds(patterns: readonly string[], host: string): boolean {
  if (patterns.some((p) => p.startsWith('!') && globMatches(p.slice(1), host))) return false
  return patterns.some((p) => !p.startsWith('!') && globMatches(p, host))
}

function matchHolds(value: string, reading: Reading): boolean {
  const words = quotedWords(value)
  let holds = true
  for (let at = 0; at < words.length; at++) {
    const negated = words[at]!.startsWith('!')
    const criterion = words[at]!.replace(/^!/, '').toLowerCase()
    const test = criteria[criterion]
    if (criterion === 'final') reading.wantsFinal = true
    if (test === undefined) return false
    const argument = test.length > 0 ? (words[++at] ?? '') : ''
    if (holds) holds = test.call(reading, argument) !== negated
  }
  return holds
}

type Criterion = (this: Reading, argument: string) => boolean

const nameNow = ({ asked, seen }: Reading): string => (seen('hostname') ?? asked.original).replaceAll('%h', asked.original)
const userNow = ({ asked, seen }: Reading): string => asked.user ?? seen('user') ?? asked.localUser

/** What Match can ask; a criterion that takes no argument has no parameter. */
const criteria: Readonly<Record<string, Criterion>> = {
  all: () => true,
  final() {
    return this.final
  },
  canonical() {
    return this.final
  },
  host(list) {
    return hostHolds(list.split(','), nameNow(this))
  },
  originalhost(list) {
    return hostHolds(list.split(','), this.asked.original)
  },
  user(list) {
    return hostHolds(list.split(','), userNow(this))
  },
  localuser(list) {
    return hostHolds(list.split(','), this.asked.localUser)
  },
  exec(command) {
    return (
      spawnSync('/bin/sh', ['-c', this.asked.fill(command, nameNow(this), userNow(this), this.seen('port'))], { stdio: 'ignore' })
        .status === 0
    )
  },
}

function included(patterns: readonly string[], home: string): string[] {
  return patterns.flatMap((pattern) => {
    const expanded = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern
    return expand(isAbsolute(expanded) ? expanded : join(home, '.ssh', expanded))
  })
}

/** Files that a pattern with `*` and `?` in any of its folders names, in order. */
function expand(pattern: string): string[] {
  const parts = pattern.split('/')
  const paths = parts.reduce<string[]>(
    (bases, part, index) => {
      if (index === 0) return bases
      if (!/[*?]/.test(part)) return bases.map((base) => `${base}/${part}`)
      return bases.flatMap((base) =>
        list(base)
          .filter((name) => (part.startsWith('.') || !name.startsWith('.')) && globMatches(part, name))
          .map((name) => `${base}/${name}`),
      )
    },
    [''],
  )
  return paths
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder === '' ? '/' : folder).sort()
  } catch {
    return []
  }
}

/** Words as ssh splits them: quotes of both kinds, `\\` before quotes, and a `#` that begins a comment. */
export function quotedWords(text: string): string[] {
  const words: string[] = []
  const token = /\s*(?:(#.*)|((?:"(?:\\["'\\]|[^"])*"|'(?:\\["'\\]|[^'])*'|\\["'\\ ]|[^\s"'])+)|(\S))/gy
  for (let found = token.exec(text); found !== null && found[0] !== ''; found = token.exec(text)) {
    if (found[1] !== undefined) return words
    words.push((found[2] ?? found[3]!).replace(/"((?:\\["'\\]|[^"])*)"|'((?:\\["'\\]|[^'])*)'|\\(["'\\ ])/g, unquoted))
  }
  return words
}

const unquoted = (_: string, double?: string, single?: string, escaped?: string): string =>
  escaped ?? (double ?? single ?? '').replace(/\\(["'\\])/g, '$1')

/** Commands are for a shell and keep all they have; lists of files are split later. */
const WHOLE = new Set(['proxycommand', 'localcommand', 'remotecommand', 'knownhostscommand', 'userknownhostsfile', 'globalknownhostsfile'])

const readValue = (name: string, text: string): string => (WHOLE.has(name) ? text : (quotedWords(text)[0] ?? ''))
