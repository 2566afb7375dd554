/** Turns a mode as people write it (0644, "u=rwX,g-w", 420) into permission bits. */
import { Float, type Value } from '../../base/index.ts'

/** What symbolic modes start from. */
export interface ModeBase {
  readonly mode: number
  readonly directory: boolean
  readonly umask: number
}

/** Is the mode relative to what is there? */
export function isSymbolic(mode: Value | undefined): boolean {
  return typeof mode === 'string' && octal(mode) === undefined
}

/** The bits of a mode, or the reason why it is none. */
export function modeOf(mode: Value, base: ModeBase): number | { readonly wrong: string } {
  if (typeof mode === 'number') return mode
  if (mode instanceof Float) return Math.trunc(mode.value)
  const text = String(mode)
  return octal(text) ?? symbolic(text, base)
}

/** `0644`, as files' results show it. */
export const modeText = (mode: number): string => `0${mode.toString(8).padStart(3, '0')}`

function octal(text: string): number | undefined {
  const digits = /^\s*(?:0[oO])?([0-7]+)\s*$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** The clauses act one after the other, each on what the ones before made. */
function symbolic(text: string, base: ModeBase): number | { readonly wrong: string } {
  let mode = base.mode
  for (const clause of text.split(',')) {
    const match = /^(a|[ugo]*)((?:[-+=][rwxXstugo]*)*)$/.exec(clause)
    if (!match) return { wrong: `bad symbolic permission for mode: ${clause}` }
    const umask = match[1] === '' ? base.umask : 0
    const users = match[1] === '' || match[1] === 'a' ? 'ugo' : match[1]!
    for (const [, operator, permissions] of match[2]!.matchAll(/([-+=])([rwxXstugo]*)/g)) {
      const before = mode
      for (const user of users)
        mode = apply(user as User, operator!, bitsFor(user as User, permissions!, before, base.directory) & ~umask, mode)
    }
  }
  return mode
}

type User = 'u' | 'g' | 'o'
const SHIFT: Readonly<Record<User, number>> = { u: 6, g: 3, o: 0 }
const SPECIAL: Readonly<Record<User, number>> = { u: 0o4000, g: 0o2000, o: 0o1000 }

function apply(user: User, operator: string, bits: number, mode: number): number {
  if (operator === '+') return mode | bits
  if (operator === '-') return mode & ~bits
  return (mode & ~((7 << SHIFT[user]) | SPECIAL[user])) | bits
}

function bitsFor(user: User, permissions: string, mode: number, directory: boolean): number {
  let bits = 0
  for (const p of permissions) bits |= ONE_BIT[p] ? ONE_BIT[p](user, mode, directory) : 0
  return bits
}

const copied =
  (from: User) =>
  (user: User, mode: number): number =>
    ((mode >> SHIFT[from]) & 7) << SHIFT[user]

const ONE_BIT: Readonly<Record<string, (user: User, mode: number, directory: boolean) => number>> = {
  r: (user) => 4 << SHIFT[user],
  w: (user) => 2 << SHIFT[user],
  x: (user) => 1 << SHIFT[user],
  X: (user, mode, directory) => (directory || (mode & 0o111) !== 0 ? 1 << SHIFT[user] : 0),
  s: (user) => (user === 'o' ? 0 : SPECIAL[user]),
  t: (user) => (user === 'o' ? SPECIAL.o : 0),
  u: copied('u'),
  g: copied('g'),
  o: copied('o'),
}
