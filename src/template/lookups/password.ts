/** password: a path → the password kept there, made and written when there is none. */

import { createHash } from 'node:crypto'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Value } from '../../base/index.ts'
import { below, type RandomSource, SYSTEM_RANDOM, seededRandom } from '../filters/mersenne.ts'
import { hashPassword } from '../filters/password-hash.ts'
import { expandUser } from '../filters/paths.ts'
import { asIndex, str } from '../python/index.ts'
import type { CallContext, LookupFunction } from '../registry.ts'
import { CHARACTER_SETS, DIGITS, LOWER, UPPER } from './character-sets.ts'
import { baseFolder, environmentOf, keyValues, Options, pluginError } from './define.ts'

const OPTIONS = new Set(['length', 'encrypt', 'chars', 'ident', 'seed'])
const SALT_SIZES: Readonly<Record<string, number>> = { md5_crypt: 8, bcrypt: 22, sha256_crypt: 16, sha512_crypt: 16 }
const NOWHERE = '/dev/null'

export const password: LookupFunction = (context, terms, kwargs) => terms.map((term) => passwordAt(context, str(term), kwargs))

function passwordAt(context: CallContext, term: string, kwargs: ReadonlyMap<string, Value>): string {
  const { file, options } = readTerm(term, kwargs)
  const target = path.resolve(baseFolder(context), expandUser(file, environmentOf(context)))
  const encrypt = options.text('encrypt', '')
  const kept = locked(target, () => keep(target, options, encrypt))
  return encrypt === '' ? kept.password : hashPassword(kept.password, encrypt, { salt: kept.salt, ident: kept.ident })
}

function readTerm(term: string, kwargs: ReadonlyMap<string, Value>): { file: string; options: Options } {
  const blank = term.indexOf(' ')
  if (blank === -1) return { file: term, options: new Options(kwargs) }
  const { raw, pairs } = keyValues(term.slice(blank + 1))
  const file = raw === '' ? term.slice(0, blank) : `${term.slice(0, blank)} ${raw}`
  if (!term.startsWith(file)) throw pluginError('Unrecognized value after key=value parameters given to password lookup')
  const unknown = [...pairs.keys()].filter((name) => !OPTIONS.has(name))
  if (unknown.length > 0) throw pluginError(`Unrecognized parameter(s) given to password lookup: ${unknown.join(', ')}`)
  if (pairs.size === 0) return { file, options: new Options(kwargs) }
  const chars = pairs.get('chars')
  // options within the term stand alone: those of the call are forgotten
  return {
    file,
    options: new Options(
      new Map<string, Value>([...pairs, ...(chars === undefined ? [] : [['chars', dividedCharacters(chars)] as const])]),
    ),
  }
}

interface Kept {
  readonly password: string
  readonly salt: string | undefined
  readonly ident: string | undefined
}

/** What the file holds; what is missing is made and written. */
function keep(target: string, options: Options, encrypt: string): Kept {
  const stored = target !== NOWHERE && existsSync(target) ? parseContent(readFileSync(target, 'utf8').trimEnd()) : undefined
  const source = options.value('seed') === null ? SYSTEM_RANDOM : seededRandom(options.value('seed'))
  const made = stored?.password ?? draw(source, characters(options.value('chars')), length(options))
  const salt = stored?.salt ?? (encrypt === '' ? undefined : draw(SYSTEM_RANDOM, `${LOWER}${UPPER}${DIGITS}./`, SALT_SIZES[encrypt] ?? 8))
  const wanted = options.text('ident', '') || undefined
  if (stored?.ident && wanted && stored.ident !== wanted) {
    throw pluginError(`The ident parameter provided (${stored.ident}) does not match the stored one (${wanted}).`)
  }
  const ident = stored?.ident ?? wanted ?? (encrypt === 'bcrypt' ? '2b' : undefined)
  const kept: Kept = { password: made, salt, ident }
  if (target !== NOWHERE && (!stored || salt !== stored.salt || (encrypt !== '' && ident !== stored.ident)))
    write(target, formatContent(kept))
  return kept
}

function length(options: Options): number {
  const given = options.value('length', 20)
  return asIndex(given) ?? Number(str(given))
}

function characters(given: Value): string {
  const names =
    given === null
      ? ['ascii_letters', 'digits', '.,:-_']
      : typeof given === 'string'
        ? given.split(',').map((part) => part.trim())
        : (given as Value[]).map(str)
  return names
    .map((name) => (Object.hasOwn(CHARACTER_SETS, name) ? CHARACTER_SETS[name]! : name))
    .join('')
    .replace(/["']/g, '')
}

/** A text of names divided by commas; two commas stand for the comma itself. */
function dividedCharacters(text: string): string[] {
  return [
    ...(text.includes(',,') ? [','] : []),
    ...text
      .replaceAll(',,', ',')
      .split(',')
      .filter((part) => part !== ''),
  ]
}

const draw = (source: RandomSource, from: string, count: number): string =>
  Array.from({ length: count }, () => from[below(source, from.length)]).join('')

function parseContent(content: string): Kept {
  const salted = content.lastIndexOf(' salt=')
  if (salted === -1) return { password: content, salt: undefined, ident: undefined }
  const rest = content.slice(salted + ' salt='.length)
  const idented = rest.lastIndexOf(' ident=')
  return {
    password: content.slice(0, salted),
    salt: idented === -1 ? rest : rest.slice(0, idented),
    ident: idented === -1 ? undefined : rest.slice(idented + ' ident='.length),
  }
}

function formatContent({ password, salt, ident }: Kept): string {
  return salt === undefined ? password : `${password} salt=${salt}${ident === undefined ? '' : ` ident=${ident}`}`
}

function write(target: string, content: string): void {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  writeFileSync(target, `${content}\n`, { mode: 0o600 })
  chmodSync(target, 0o600)
}

const WAITS = [1000, 2000, 4000]

/** Runs the work while no other process is at the same file. */
function locked<T>(target: string, work: () => T): T {
  if (target === NOWHERE) return work()
  const lock = path.join(path.dirname(target), `${createHash('sha1').update(target).digest('hex')}.ansible_lockfile`)
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  for (const wait of WAITS) {
    if (claim(lock)) {
      try {
        return work()
      } finally {
        rmSync(lock, { force: true })
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
  }
  throw pluginError(
    `Password lookup cannot get the lock in 7 seconds, abort...This may caused by un-removed lockfileyou can manually remove it from controller machine at ${lock} and try again`,
  )
}

function claim(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
