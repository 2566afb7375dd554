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
}

export type Options = readonly (readonly [name: string, value: string])[]

/** Options of a host from files, in order; `before` are those already decided, which Match lines see. */
export function configOptions(files: readonly string[], asked: Asked, before: Options): Options {
  const found: [string, string][] = []
  const seen = (name: string): string | undefined => [...before, ...found].find(([n]) => n === name)?.[1]
  for (const file of files) readFile(file, asked, found, seen, 0, true)
  return found
}

type Seen = (name: string) => string | undefined

function readFile(path: string, asked: Asked, found: [string, string][], seen: Seen, depth: number, holds: boolean): void {
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
    if (name === 'host') active = holds && hostHolds(quotedWords(value), asked.original)
    else if (name === 'match') active = holds && matchHolds(value, asked, seen)
    else if (name === 'include')
      for (const file of included(quotedWords(value), asked.home)) readFile(file, asked, found, seen, depth + 1, active)
    else if (active) found.push([name, unquote(name, value)])
  }
}

/** One pattern that fits, and none that fits with a `!`. */
function hostHolds(patterns: readonly string[], host: string): boolean {
  if (patterns.some((p) => p.startsWith('!') && globMatches(p.slice(1), host))) return false
  return patterns.some((p) => !p.startsWith('!') && globMatches(p, host))
}

function matchHolds(value: string, asked: Asked, seen: Seen): boolean {
  const words = quotedWords(value)
  let holds = true
  for (let at = 0; at < words.length; at++) {
    const negated = words[at]!.startsWith('!')
    const criterion = words[at]!.replace(/^!/, '').toLowerCase()
    const test = criteria[criterion]
    if (test === undefined) return false
    const argument = test.length > 0 ? (words[++at] ?? '') : ''
    if (holds) holds = test(argument, asked, seen) !== negated
  }
  return holds
}

type Criterion = (argument: string, asked: Asked, seen: Seen) => boolean

/** What Match can ask; a criterion that takes no argument has no parameter. */
const criteria: Readonly<Record<string, Criterion>> = {
  all: () => true,
  final: () => false,
  canonical: () => false,
  host: (list, asked, seen) => hostHolds(list.split(','), (seen('hostname') ?? asked.original).replaceAll('%h', asked.original)),
  originalhost: (list, asked) => hostHolds(list.split(','), asked.original),
  user: (list, asked, seen) => hostHolds(list.split(','), asked.user ?? seen('user') ?? asked.localUser),
  localuser: (list, asked) => hostHolds(list.split(','), asked.localUser),
  exec: (command, asked, seen) =>
    spawnSync('/bin/sh', ['-c', command.replaceAll('%h', seen('hostname') ?? asked.original).replaceAll('%n', asked.original)], {
      stdio: 'ignore',
    }).status === 0,
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

/** Words, some in double quotes. */
export const quotedWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** A ProxyCommand is for a shell and keeps its quotes; so do lists of files. */
const unquote = (name: string, value: string): string =>
  name === 'proxycommand' || name === 'userknownhostsfile' || name === 'globalknownhostsfile'
    ? value
    : (/^"(.*)"$/.exec(value)?.[1] ?? value)
