/** A shell pattern → the names that match it on the controller. */
import { lstatSync, readdirSync, statSync } from 'node:fs'

/** Regular files that match, in the order of their names. */
export const globFiles = (pattern: string): string[] => globPaths(pattern).filter(isFile)

export function globPaths(pattern: string): string[] {
  const parts = pattern.split(/(?<=\/)/)
  let found = ['']
  for (const [i, part] of parts.entries()) {
    const name = part.replace(/\/+$/, '')
    const slash = part.slice(name.length)
    const last = i === parts.length - 1
    found = found.flatMap((base) => expand(base, name).map((p) => p + slash)).filter((p) => last || isThere(p))
  }
  return found.filter((p) => p !== '' && isThere(p))
}

function expand(base: string, name: string): string[] {
  if (!/[*?[]/.test(name)) return [base + name]
  const form = globToRegex(name)
  return namesIn(base || '.')
    .filter((entry) => form.test(entry) && (name.startsWith('.') || !entry.startsWith('.')))
    .map((entry) => base + entry)
}

/** fnmatch's pattern as a regular expression. */
export function globToRegex(pattern: string): RegExp {
  const body = pattern.replace(/\[(!?)(\]?[^\]]*)\]|[\s\S]/g, (char, not?: string, set?: string) => {
    if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]]/g, '\\$&').replace(/^\^/, '\\^')}]`
    if (char === '*') return '[\\s\\S]*'
    if (char === '?') return '[\\s\\S]'
    return char.replace(/[\\^$.|+(){}[\]]/g, '\\$&')
  })
  return new RegExp(`^${body}$`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // no folder, no names
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
