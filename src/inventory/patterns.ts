/** Turns host patterns into host names: unions first, then `&` intersections, then `!` exclusions, whatever their order. */
import { didYouMean, Problem } from '../base/index.ts'
import { compileRegex } from '../template/index.ts'
import { parseAddress } from './address.ts'
import { LOCAL_NAMES, type Store } from './store.ts'

export interface MatchOptions {
  /** 'warning', 'error' or 'ignore' */
  readonly mismatch: string
  readonly warn: (message: string) => void
}

/** A pattern's parts: at commas where there are any, else at colons, unless the whole is an address or a range. */
export function splitPattern(pattern: string | readonly string[]): string[] {
  if (typeof pattern !== 'string') return pattern.flatMap(splitPattern)
  const parts = pattern.includes(',')
    ? pattern.split(',')
    : parseAddress(pattern)
      ? [pattern]
      : (pattern.match(/(?:[^\s:[\]]|\[[^\]]*\])+/g) ?? [])
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The hosts of patterns that are split already. */
export function matchPatterns(store: Store, patterns: readonly string[], options: MatchOptions): string[] {
  const excluded = patterns.filter((p) => p.startsWith('!'))
  const common = patterns.filter((p) => p.startsWith('&'))
  const regular = patterns.filter((p) => p !== '' && !/^[!&]/.test(p))
  let hosts: string[] = []
  for (const pattern of regular.length > 0 ? regular : ['all']) {
    const found = store.has(pattern) ? [pattern] : matchOne(store, pattern, options)
    hosts = [...new Set([...hosts, ...found])]
  }
  for (const pattern of common) {
    const found = new Set(matchOne(store, pattern.slice(1), options))
    hosts = hosts.filter((host) => found.has(host))
  }
  for (const pattern of excluded) {
    const found = new Set(matchOne(store, pattern.slice(1), options))
    hosts = hosts.filter((host) => !found.has(host))
  }
  return hosts
}

const SUBSCRIPT = /^(.+)\[(?:(-?\d+)|(\d+)([:-])(\d*))\]$/

/** One pattern, with its subscript. */
function matchOne(store: Store, pattern: string, options: MatchOptions): string[] {
  const match = pattern.startsWith('~') ? null : SUBSCRIPT.exec(pattern)
  if (!match) return enumerate(store, pattern, options)
  const [, expression, index, start, separator, end] = match
  if (separator === '-') options.warn('Use [x:y] inclusive subscripts instead of [x-y] which has been removed')
  const hosts = enumerate(store, expression!, options)
  if (hosts.length === 0) return hosts
  // an end of 0 counts as none at all
  const isRange = index === undefined && Number(end || -1) !== 0
  if (isRange) return hosts.slice(Number(start), end ? Number(end) + 1 : undefined)
  const host = hosts.at(Number(index ?? start))
  if (host !== undefined) return [host]
  throw new Problem(`No hosts matched the subscripted pattern '${pattern}'`, { kind: 'inventory' })
}

/** Hosts of every group that matches; hosts that match themselves, where no group does or the pattern is a glob or regex. */
function enumerate(store: Store, pattern: string, options: MatchOptions): string[] {
  const test = tester(pattern)
  const groups = store.groups().filter(test)
  const hosts = new Set(groups.flatMap((group) => store.hostsOf(group)))
  if (groups.length === 0 || pattern.startsWith('~') || /[.?*[]/.test(pattern))
    for (const host of store.hosts()) if (test(host)) hosts.add(host)
  if (hosts.size === 0 && LOCAL_NAMES.includes(pattern)) hosts.add(store.localhost(pattern).name)
  if (hosts.size === 0 && groups.length === 0 && pattern !== 'all') tellUnmatched(store, pattern, options)
  return [...hosts]
}

function tellUnmatched(store: Store, pattern: string, { mismatch, warn }: MatchOptions): void {
  const message = `Could not match supplied host pattern, ignoring: ${pattern}`
  if (mismatch === 'warning') warn(message)
  else if (mismatch === 'error') {
    throw new Problem(message, { kind: 'inventory', hint: didYouMean(pattern, [...store.groups(), ...store.hosts()]) })
  }
}

function tester(pattern: string): (name: string) => boolean {
  if (!/[~*?[]/.test(pattern)) return (name) => name === pattern
  try {
    if (pattern.startsWith('~')) {
      const regex = compileRegex(pattern.slice(1))
      return (name) => regex.match(name) !== undefined
    }
    const expression = new RegExp(`^${globToRegex(pattern)}$`, 'su')
    return (name) => expression.test(name)
  } catch (error) {
    throw new Problem(`Invalid host list pattern: ${pattern}`, { kind: 'inventory', cause: error })
  }
}

/** A shell glob, as Python's fnmatch has it. */
function globToRegex(glob: string): string {
  return glob.replace(/\[(!?)(\]?[^\]]*)\]|[*?]|[^\w]/gu, (whole: string, not: string | undefined, set: string | undefined) => {
    if (set !== undefined)
      return set === '' ? whole.replace(/[[\]!]/g, '\\$&') : `[${not === '!' ? '^' : ''}${set.replace(/[\\[\]^]/g, '\\$&')}]`
    if (whole === '*') return '.*'
    if (whole === '?') return '.'
    return /[\^$\\.+()|{}[\]/-]/.test(whole) ? `\\${whole}` : whole
  })
}
