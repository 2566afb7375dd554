/** Turns the wished modification and access times into touch commands, and compares them with what is there. */
import type { Json } from '../../base/index.ts'
import { known, type Probe, type Script, type Stat, sh, together } from '../../remote/index.ts'
import { ModuleFailure } from '../api.ts'

export type TimeWish = 'preserve' | 'now' | Moment

/** A wall clock reading on the host. */
export interface Moment {
  /** as `touch -t` takes it */
  readonly stamp: string
  /** as `date -d` takes it */
  readonly date: string
}

export interface Times {
  readonly modified: TimeWish
  readonly accessed: TimeWish
}

/** What is wished by the arguments; touch means now unless told otherwise, everything else leaves times alone. */
export function timesOf(
  args: {
    readonly modification_time?: string | undefined
    readonly modification_time_format: string
    readonly access_time?: string | undefined
    readonly access_time_format: string
  },
  state: string | undefined,
): Times {
  const otherwise = state === 'touch' ? 'now' : 'preserve'
  return {
    modified: wishOf(args.modification_time ?? otherwise, args.modification_time_format),
    accessed: wishOf(args.access_time ?? otherwise, args.access_time_format),
  }
}

/** The seconds since the epoch that the moments are on the host. */
export interface Epochs {
  readonly modified: number | undefined
  readonly accessed: number | undefined
}

export function epochProbe(times: Times): Probe<Epochs> {
  return together({ modified: oneEpoch(times.modified), accessed: oneEpoch(times.accessed) })
}

function oneEpoch(wish: TimeWish): Probe<number | undefined> {
  if (typeof wish === 'string') return known(undefined)
  return { script: sh`printf '%s\0' "$(date -d ${wish.date} +%s)"`, read: (fields) => fields.number() }
}

export interface TimeStep {
  readonly script: Script
  readonly before: Record<string, Json>
  readonly after: Record<string, Json>
}

/** The step that sets the times, or undefined where nothing is to be done. */
export function timeStep(path: string, now: Stat | undefined, times: Times, epochs: Epochs): TimeStep | undefined {
  const { modified, accessed } = times
  if (modified === 'preserve' && accessed === 'preserve') return undefined
  const settled = (wish: TimeWish, wished: number | undefined, is: number | undefined): boolean =>
    wish === 'preserve' || (wish !== 'now' && wished === is)
  if (settled(modified, epochs.modified, now?.modified) && settled(accessed, epochs.accessed, now?.accessed)) return undefined
  const before: Record<string, Json> = {}
  const after: Record<string, Json> = {}
  if (modified !== 'preserve' && modified !== 'now')
    Object.assign(before, { mtime: now?.modified ?? 0 }) && Object.assign(after, { mtime: epochs.modified ?? 0 })
  if (accessed !== 'preserve' && accessed !== 'now')
    Object.assign(before, { atime: now?.accessed ?? 0 }) && Object.assign(after, { atime: epochs.accessed ?? 0 })
  const script = sh`${touch(sh`-m`, modified, path)}
${touch(sh`-a`, accessed, path)}`
  return { script: modified === 'now' && accessed === 'now' ? sh`touch -c -- ${path} || exit 76` : script, before, after }
}

function touch(which: Script, wish: TimeWish, path: string): Script {
  if (wish === 'preserve') return sh`:`
  return wish === 'now' ? sh`touch -c ${which} -- ${path} || exit 76` : sh`touch -c ${which} -t ${wish.stamp} -- ${path} || exit 76`
}

function wishOf(text: string, format: string): TimeWish {
  if (text === 'preserve' || text === 'now') return text
  const parts = parsed(text, format)
  if (!parts)
    throw new ModuleFailure(
      `Error while obtaining timestamp for time ${text} using format ${format}: time data '${text}' does not match format '${format}'`,
    )
  const at = (key: string, otherwise: string): string => parts[key] ?? otherwise
  const [Y, m, d, H, M, S] = [at('Y', '1900'), at('m', '01'), at('d', '01'), at('H', '00'), at('M', '00'), at('S', '00')].map((p) =>
    p.padStart(2, '0'),
  )
  return { stamp: `${Y}${m}${d}${H}${M}.${S}`, date: `${Y}-${m}-${d} ${H}:${M}:${S}` }
}

const DIRECTIVES: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  m: '(?<m>1[0-2]|0[1-9]|[1-9])',
  d: '(?<d>3[01]|[12]\\d|0[1-9]|[1-9])',
  H: '(?<H>2[0-3]|[01]\\d|\\d)',
  M: '(?<M>[0-5]\\d|\\d)',
  S: '(?<S>6[01]|[0-5]\\d|\\d)',
  '%': '%',
}

/** The numbers of a time in a strptime format of digits. */
function parsed(text: string, format: string): Readonly<Record<string, string | undefined>> | undefined {
  const spelledOut = format.replaceAll('%F', '%Y-%m-%d').replaceAll('%T', '%H:%M:%S').replaceAll('%D', '%m/%d/%Y')
  const pattern = spelledOut.replace(/%(.)|[.*+?^${}()|[\]\\]/g, (whole, directive: string | undefined) =>
    directive === undefined ? `\\${whole}` : (DIRECTIVES[directive] ?? '(?!)'),
  )
  return new RegExp(`^${pattern}$`).exec(text)?.groups
}
