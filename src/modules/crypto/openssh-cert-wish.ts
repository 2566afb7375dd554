/** Times and options of an OpenSSH certificate as tasks write them → values that can be compared. */
import { ModuleFailure } from '../api.ts'

/** Seconds since 1970; everything there is, where it never begins or ends. */
export type Moment = bigint
export const ALWAYS: Moment = 0n
export const FOREVER: Moment = 0xffff_ffff_ffff_ffffn

const UNITS = [604800, 86400, 3600, 60, 1] as const

export function momentOf(given: string, now: Date): Moment {
  const text = given.trim()
  if (text === 'always') return ALWAYS
  if (text === 'forever') return FOREVER
  const relative = /^([+-])(?:(\d+)[wW])?(?:(\d+)[dD])?(?:(\d+)[hH])?(?:(\d+)[mM])?(?:(\d+)[sS]?)?$/.exec(text)
  if (relative) {
    const seconds = UNITS.reduce((all, unit, at) => all + Number(relative[at + 2] ?? 0) * unit, 0)
    return BigInt(Math.floor(now.getTime() / 1000) + (relative[1] === '-' ? -seconds : seconds))
  }
  const absolute = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2}):(\d{1,2}))?$/.exec(text)
  const [year = 0, month = 0, day = 0, ...clock] = (absolute ?? []).slice(1).map((one) => Number(one ?? 0))
  const at = Date.UTC(year, month - 1, day, ...clock)
  if (!absolute || new Date(at).getUTCDate() !== day) throw new ModuleFailure(`The time "${given}" is not valid`)
  return BigInt(at / 1000)
}

/** What ssh-keygen -V takes: `20240131235959`, always, forever. */
export function keygenTime(moment: Moment): string {
  if (moment === ALWAYS) return 'always'
  if (moment === FOREVER) return 'forever'
  return new Date(Number(moment) * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 14)
}

/** `2024-01-31T23:59:59` */
export function toldTime(moment: Moment): string {
  if (moment === ALWAYS || moment === FOREVER) return keygenTime(moment)
  return new Date(Number(moment) * 1000).toISOString().slice(0, 19)
}

const CRITICAL = new Set(['force-command', 'source-address', 'verify-required'])
const PERMITS = ['permit-x11-forwarding', 'permit-agent-forwarding', 'permit-port-forwarding', 'permit-pty', 'permit-user-rc'] as const

/** Words that take a permission away. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  clear: '',
  'no-x11-forwarding': 'permit-x11-forwarding',
  'no-agent-forwarding': 'permit-agent-forwarding',
  'no-port-forwarding': 'permit-port-forwarding',
  'no-pty': 'permit-pty',
  'no-user-rc': 'permit-user-rc',
}

/** Options in two kinds, each `name` or `name=value`. */
export interface Options {
  readonly critical: ReadonlySet<string>
  readonly extensions: ReadonlySet<string>
}

export function optionsOf(given: readonly string[]): Options {
  const directives = new Set(given.map((one) => one.toLowerCase()).filter((one) => DIRECTIVES[one] !== undefined))
  const rest = given.filter((one) => DIRECTIVES[one.toLowerCase()] === undefined).map(optionOf)
  const permitted = directives.has('clear') ? [] : PERMITS.filter((one) => ![...directives].some((word) => DIRECTIVES[word] === one))
  const of = (critical: boolean): string[] => rest.filter((one) => one.critical === critical).map(({ text }) => text)
  return { critical: new Set(of(true)), extensions: new Set([...of(false), ...permitted]) }
}

function optionOf(given: string): { readonly critical: boolean; readonly text: string } {
  const option = given.trim()
  const colon = option.indexOf(':')
  const body = colon < 0 ? option : option.slice(colon + 1)
  const sign = body.indexOf('=')
  const name = (sign < 0 ? body : body.slice(0, sign)).toLowerCase()
  const text = optionText(name, sign < 0 ? '' : body.slice(sign + 1))
  if (colon >= 0) {
    const kind = option.slice(0, colon)
    if (kind !== 'critical' && kind !== 'extension') throw new ModuleFailure("type must be either 'critical' or 'extension'")
    return { critical: kind === 'critical', text }
  }
  if (CRITICAL.has(name)) return { critical: true, text }
  if ((PERMITS as readonly string[]).includes(name)) return { critical: false, text }
  throw new ModuleFailure(`${name} is not a valid option. Custom options must start with 'critical:' or 'extension:' to indicate type`)
}

export const optionText = (name: string, value: string): string => (value === '' ? name.toLowerCase() : `${name.toLowerCase()}=${value}`)
