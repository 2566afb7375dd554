/** Filters on paths, by Python's rules (os.path and ntpath). */
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { own, Tuple, type Value } from '../../base/index.ts'
import { PyError, toList, typeError, typeName } from '../python/index.ts'
import type { CallContext, FilterFunction } from '../registry.ts'
import { classOf, type FilterTable, filter, plain } from './define.ts'
import { globFiles } from './glob.ts'

export const PATHS: FilterTable = {
  basename: onPath('basename', basename),
  commonpath: plain('commonpath', (value) => {
    if (!isSequence(value)) throw typeError(`|commonpath expects sequence, got ${classOf(value)} instead.`)
    return commonPath(toList(value).map((item) => text(item)))
  }),
  dirname: onPath('dirname', dirname),
  expanduser: onPath('expanduser', (value, context) => expandUser(value, environment(context))),
  expandvars: onPath('expandvars', (value, context) => expandVars(value, environment(context))),
  fileglob: plain('fileglob', (value) => globFiles(text(value))),
  normpath: onPath('normpath', normalPath),
  path_join: plain('path_join', (value) => {
    if (typeof value === 'string') return value
    if (!isSequence(value)) throw typeError(`|path_join expects string or sequence, got ${classOf(value)} instead.`)
    const parts = toList(value)
    if (parts.length === 0) throw typeError("join() missing 1 required positional argument: 'a'")
    return joinPaths(parts.map((item) => text(item)))
  }),
  realpath: onPath('realpath', (value) => realPath(path.resolve(value))),
  relpath: filter('relpath', [['start', null]], (value, [start]) => relativePath(text(value), start === null ? '.' : text(start))),
  splitext: plain('splitext', (value) => new Tuple(splitExtension(text(value)))),
  win_basename: onPath('win_basename', (value) => windowsSplit(value)[1]),
  win_dirname: onPath('win_dirname', (value) => windowsSplit(value)[0]),
  win_splitdrive: plain('win_splitdrive', (value) => new Tuple(windowsDrive(text(value)))),
}

function onPath(name: string, run: (value: string, context: CallContext) => string): FilterFunction {
  return plain(name, (value, context) => run(text(value), context))
}

function text(value: Value): string {
  if (typeof value !== 'string') throw typeError(`expected str, bytes or os.PathLike object, not ${typeName(value)}`)
  return value
}

const isSequence = (value: Value): boolean => Array.isArray(value) || value instanceof Tuple

const environment = (context: CallContext): Readonly<Record<string, string | undefined>> => context.scope.run?.env ?? process.env

function basename(value: string): string {
  return value.slice(value.lastIndexOf('/') + 1)
}

function dirname(value: string): string {
  const head = value.slice(0, value.lastIndexOf('/') + 1)
  return /^\/*$/.test(head) ? head : head.replace(/\/+$/, '')
}

export function joinPaths(parts: readonly string[]): string {
  return parts.reduce((base, part) => {
    if (part.startsWith('/')) return part
    return base === '' || base.endsWith('/') ? base + part : `${base}/${part}`
  })
}

export function normalPath(value: string): string {
  if (value === '') return '.'
  const slashes = value.startsWith('//') && !value.startsWith('///') ? '//' : value.startsWith('/') ? '/' : ''
  const out: string[] = []
  for (const part of value.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..' || (slashes === '' && out.length === 0) || out.at(-1) === '..') out.push(part)
    else out.pop()
  }
  return slashes + out.join('/') || '.'
}

function commonPath(paths: readonly string[]): string {
  if (paths.length === 0) throw new PyError('ValueError', 'commonpath() arg is an empty sequence')
  const absolute = paths.map((p) => p.startsWith('/'))
  if (absolute.some((a) => a !== absolute[0])) throw new PyError('ValueError', "Can't mix absolute and relative paths")
  const split = paths.map((p) => p.split('/').filter((part) => part !== '' && part !== '.'))
  const first = split[0]!
  let count = 0
  while (count < first.length && split.every((parts) => parts[count] === first[count])) count++
  return (absolute[0] ? '/' : '') + first.slice(0, count).join('/')
}

export function expandUser(value: string, env: Readonly<Record<string, string | undefined>>): string {
  const named = /^~([^/]+)/.exec(value)
  if (named) return homeOf(named[1]!) + value.slice(named[0].length) || '/'
  if (!value.startsWith('~')) return value
  const home = (env['HOME'] ?? homedir()).replace(/\/+$/, '')
  return home + value.slice(1) || '/'
}

/** The home of a user of this machine; of an unknown one, what was written. */
function homeOf(user: string): string {
  const entry = accounts().find((line) => line.startsWith(`${user}:`))
  return entry?.split(':')[5]?.replace(/\/+$/, '') ?? `~${user}`
}

function accounts(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}

export function expandVars(value: string, env: Readonly<Record<string, string | undefined>>): string {
  return value.replace(/\$(?:([A-Za-z0-9_]+)|\{([^}]*)\})/g, (whole, bare?: string, braced?: string) => own(env, bare ?? braced!) ?? whole)
}

/** Follows links as far as they exist. */
function realPath(value: string, depth = 0): string {
  let out = '/'
  for (const part of value.split('/')) {
    if (part === '') continue
    const next = path.posix.join(out, part)
    out = existsSync(out) && depth < 40 ? followed(next, depth) : next
  }
  return out
}

function followed(value: string, depth: number): string {
  try {
    return realPath(path.resolve(path.dirname(value), readlinkSync(value)), depth + 1)
  } catch {
    return value // not a link, or not there
  }
}

function relativePath(value: string, start: string): string {
  if (value === '') throw new PyError('ValueError', 'no path specified')
  return path.relative(path.resolve(start), path.resolve(value)) || '.'
}

export function splitExtension(value: string): [string, string] {
  const dot = value.lastIndexOf('.')
  const from = value.lastIndexOf('/') + 1
  if (dot < from || /^\.*$/.test(value.slice(from, dot))) return [value, '']
  return [value.slice(0, dot), value.slice(dot)]
}

const LONG_UNC = '\\\\?\\UNC\\'

function windowsDrive(value: string): [string, string] {
  const flat = value.replaceAll('/', '\\')
  if (!flat.startsWith('\\\\')) return value[1] === ':' ? [value.slice(0, 2), value.slice(2)] : ['', value]
  const host = flat.indexOf('\\', flat.toUpperCase().startsWith(LONG_UNC) ? LONG_UNC.length : 2)
  const share = host === -1 ? -1 : flat.indexOf('\\', host + 1)
  return share === -1 ? [value, ''] : [value.slice(0, share), value.slice(share)]
}

function windowsSplit(value: string): [string, string] {
  const [drive, rest] = windowsDrive(value)
  const cut = Math.max(rest.lastIndexOf('/'), rest.lastIndexOf('\\')) + 1
  const head = rest.slice(0, cut)
  return [drive + (head.replace(/[\\/]+$/, '') || head), rest.slice(cut)]
}
