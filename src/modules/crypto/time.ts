/** A time as the modules of certificates take it (`+400d`, `20301231235959Z`) → `20301231235959Z`. */
import { ModuleFailure } from '../api.ts'

const UNITS: Readonly<Record<string, number>> = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 }

export function timeOf(text: string, now: Date): string {
  const relative = /^([+-])((?:\d+[wdhms])+)$/.exec(text.replaceAll(' ', ''))
  if (relative) {
    const seconds = (relative[2]!.match(/\d+[wdhms]/g) ?? []).reduce(
      (all, part) => all + Number.parseInt(part, 10) * UNITS[part.at(-1)!]!,
      0,
    )
    return asn1Time(new Date(now.getTime() + (relative[1] === '-' ? -1 : 1) * seconds * 1000))
  }
  if (text === 'always') return '00000101000000Z'
  if (text === 'forever') return '99991231235959Z'
  const absolute = /^(\d{14})Z$/.exec(text) ?? /^(\d{12})Z$/.exec(text)
  if (!absolute) throw new ModuleFailure(`The time spec "${text}" is invalid`)
  return absolute[1]!.length === 14 ? text : `${absolute[1]}00Z`
}

export const asn1Time = (at: Date): string => `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
