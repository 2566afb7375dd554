/** What a task wants of a list of revoked certificates → names, times and entries that can be compared and written. */
import { type Dict, isDict, type Value } from '../../base/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import type { Revoked } from './crl.ts'
import { entryDer } from './crl-write.ts'
import { pemToDer, readDer } from './der.ts'
import { generalName } from './describe.ts'
import { generalNameDer, type NamePairs, namePairs, orderedPairs } from './names.ts'
import { timeOf } from './time.ts'
import { readCertificate } from './x509.ts'

export interface WishArgs {
  readonly issuer: Dict | undefined
  readonly issuer_ordered: readonly Value[] | undefined
  readonly last_update: string
  readonly next_update: string | undefined
  readonly digest: string
  readonly revoked_certificates: readonly Value[] | undefined
}

/** A moment as it is compared: one that counts from now is never the same again. */
export interface Moment {
  readonly at: string
  readonly relative: boolean
}

export interface Wished {
  readonly entry: Revoked
  readonly der: Uint8Array
  /** what another entry must equal to be the same, with its date and without */
  readonly keys: readonly [string, string]
}

export interface Wish {
  readonly issuer: NamePairs
  readonly last: Moment
  readonly next: Moment
  readonly entries: readonly Wished[]
}

export async function wishOf(args: WishArgs, host: Host): Promise<Wish> {
  const ordered = args.issuer_ordered ?? []
  const issuer = ordered.length > 0 ? orderedPairs(ordered, 'issuer_ordered') : namePairs(args.issuer ?? null, 'issuer')
  const now = host.now()
  const moment = (text: string, name: string): Moment => {
    try {
      return { at: timeOf(text, now), relative: /^[+-]/.test(text) }
    } catch {
      throw new ModuleFailure(`The time spec "${text}" for ${name} is invalid`)
    }
  }
  if (!['sha256', 'sha384', 'sha512', 'sha1', 'md5'].includes(args.digest))
    throw new ModuleFailure(`The digest "${args.digest}" is not supported`)
  const last = moment(args.last_update, 'last_update')
  const next = moment(args.next_update!, 'next_update')
  const entries: Wished[] = []
  for (const [at, given] of (args.revoked_certificates ?? []).entries()) {
    if (isDict(given)) entries.push(await wishedEntry(given, `revoked_certificates[${at}].`, moment, host))
  }
  return { issuer, last, next, entries }
}

type Given = ReadonlyMap<Value, Value>

async function wishedEntry(given: Given, prefix: string, moment: (text: string, name: string) => Moment, host: Host): Promise<Wished> {
  const text = (name: string): string | undefined => {
    const value = given.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const flag = (name: string): boolean => given.get(name) === true
  const number = given.get('serial_number') ?? null
  const serial = number === null ? await serialOf(text('path'), text('content'), prefix, host) : BigInt(String(number))
  const names = given.get('issuer')
  const issuer = Array.isArray(names) && names.length > 0 ? names.map((name) => generalNameDer(String(name), 'issuer')) : undefined
  const revoked = moment(text('revocation_date') ?? '+0s', `${prefix}revocation_date`)
  const invalid = text('invalidity_date') ? moment(text('invalidity_date')!, `${prefix}invalidity_date`) : undefined
  const reason = text('reason')
  const common = {
    serial,
    date: revoked.at,
    issuerCritical: issuer !== undefined && flag('issuer_critical'),
    reason,
    reasonCritical: reason !== undefined && flag('reason_critical'),
    invalidity: invalid?.at,
    invalidityCritical: invalid !== undefined && flag('invalidity_date_critical'),
  }
  const entry = { ...common, issuer: issuer?.map((name) => generalName(readDer(name))) }
  return { entry, der: entryDer({ ...common, issuer }), keys: keysOf(entry, revoked.relative, invalid?.relative ?? false) }
}

/** Entries are the same when these texts are. */
export function keysOf(entry: Revoked, relativeDate = false, relativeInvalidity = false): readonly [string, string] {
  const { date, serial, invalidity, ...rest } = entry
  const key = (with_: string | undefined): string =>
    JSON.stringify([
      String(serial),
      with_ ?? null,
      rest.issuer ?? null,
      rest.issuerCritical ?? false,
      rest.reason ?? null,
      rest.reasonCritical ?? false,
      relativeInvalidity ? `${invalidity} from now` : (invalidity ?? null),
      rest.invalidityCritical ?? false,
    ])
  return [key(relativeDate ? `${date} from now` : date), key(undefined)]
}

async function serialOf(file: string | undefined, content: string | undefined, prefix: string, host: Host): Promise<bigint> {
  const cannot = (why: string): ModuleFailure =>
    new ModuleFailure(
      content === undefined
        ? `Cannot read certificate "${file}" from ${prefix}path: ${why}`
        : `Cannot parse certificate from ${prefix}content: ${why}`,
    )
  const told = content === undefined ? await host.look(sh`[ -f ${file!} ] || exit 94; cat -- ${file!}`, { onFailure: 'tell' }) : undefined
  if (told && told.code !== 0) throw cannot(`the file cannot be read`)
  try {
    return readCertificate(pemToDer(content ?? textOf(told!.stdout))!).serial
  } catch {
    throw cannot('it is no certificate in PEM')
  }
}
