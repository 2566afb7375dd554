/** The variables that a template file sees about itself: template_path, template_uid, ansible_managed and their kin. */
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Value } from '../base/index.ts'
import { PyDateTime } from './filters/datetime.ts'
import { formatMoment, momentOf } from './filters/moment.ts'
import { str } from './python/index.ts'

export interface TemplateFile {
  /** as it was asked for */
  readonly name: string
  readonly fullPath: string
  /** where it goes, for the template module */
  readonly destination?: string | undefined
  readonly now: Date
  /** DEFAULT_MANAGED_STR */
  readonly managed: Value | undefined
}

export function templateVariables({ name, fullPath, destination, now, managed }: TemplateFile): ReadonlyMap<string, Value> {
  const file = statSync(fullPath, { throwIfNoEntry: false })
  const changed = file?.mtime ?? now
  const uid = file ? (userName(file.uid) ?? String(file.uid)) : ''
  const places: Readonly<Record<string, string>> = { host: hostname(), uid, file: name }
  const moment = momentOf(changed.getTime() / 1000, false)
  const told = formatMoment(managed === undefined || managed === null ? 'Ansible managed' : str(managed), moment)
  return new Map<string, Value>([
    ['template_host', hostname()],
    ['template_path', name],
    ['template_mtime', localDateTime(changed)],
    ['template_uid', uid],
    ['template_run_date', localDateTime(now)],
    ['template_destpath', destination ?? null],
    ['template_fullpath', resolve(fullPath)],
    ['ansible_managed', told.replace(/\{(host|uid|file)\}/g, (_, place: string) => places[place]!)],
  ])
}

/** The controller's clock, without its zone. */
function localDateTime(date: Date): PyDateTime {
  const there = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds())
  return new PyDateTime(there, date.getMilliseconds() * 1000)
}

/** The controller's name of a uid, from its passwd file. */
function userName(uid: number): string | undefined {
  return passwd()
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[0]
}

function passwd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
