/** A size as lvol takes it (`10G`, `+512m`, `50%FREE`) → its parts. */
import { ModuleFailure } from '../api.ts'

export interface Size {
  readonly kind: 'whole' | 'part'
  readonly sign: '' | '+' | '-'
  readonly number: number
  /** unit of a whole size, as written */
  readonly unit: string
  /** what a part is of: VG, PVS or FREE */
  readonly of: string
  /** as LVM takes it, without sign */
  readonly text: string
}

export function readSize(given: string | undefined): Size | undefined {
  if (given === undefined || given === '') return undefined
  const sign = given.startsWith('+') ? '+' : given.startsWith('-') ? '-' : ''
  const text = given.slice(sign.length)
  return text.includes('%') ? part(text, sign) : whole(text, sign)
}

function part(text: string, sign: Size['sign']): Size {
  const at = text.indexOf('%')
  const of = text.slice(at + 1)
  const digits = text.slice(0, at)
  if (!/^\d+$/.test(digits)) throw new ModuleFailure(`Bad size specification of '${text}'`)
  if (Number(digits) > 100) throw new ModuleFailure('Size percentage cannot be larger than 100%')
  if (of === 'ORIGIN') throw new ModuleFailure('Snapshot Volumes are not supported')
  if (!['VG', 'PVS', 'FREE'].includes(of)) throw new ModuleFailure('Specify extents as a percentage of VG|PVS|FREE')
  return { kind: 'part', sign, number: Number(digits), unit: '', of, text: `${Number(digits)}%${of}` }
}

function whole(text: string, sign: Size['sign']): Size {
  const [, number = text, unit = ''] = /^(.*?)([bskmgtpe]?)$/i.exec(text) ?? []
  if (!/^\d+(\.\d*)?$/.test(number)) throw new ModuleFailure(`Bad size specification of '${number}'`)
  return {
    kind: 'whole',
    sign,
    number: Number(number),
    unit: unit === '' ? 'm' : unit,
    of: '',
    text: `${number}${unit === '' ? 'm' : unit}`,
  }
}
