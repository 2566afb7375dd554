/** pam_limits: makes a line of limits.conf give a domain a limit. */
import { bool, choice, fallback, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from './looking.ts'
import { writeText } from './write-text.ts'

const items =
  'core data fsize memlock nofile rss stack cpu nproc as maxlogins maxsyslogins priority locks sigpending msgqueue nice rtprio chroot'.split(
    ' ',
  )
const unlimited = new Set(['unlimited', 'infinity', '-1'])

export default defineModule({
  name: 'community.general.pam_limits',
  summary: 'Sets limits of PAM.',
  params: {
    domain: required(str()),
    limit_type: required(choice(['soft', 'hard', '-'])),
    limit_item: required(choice(items)),
    value: required(str()),
    use_max: fallback(bool(), false),
    use_min: fallback(bool(), false),
    backup: fallback(bool(), false),
    dest: fallback(str(), '/etc/security/limits.conf'),
    comment: fallback(str(), ''),
  },
  async *run(args, host) {
    if (args.use_max && args.use_min) throw new ModuleFailure('Cannot use use_min and use_max at the same time.')
    assertValue(args.limit_item, args.value, '')
    const folder = args.dest.replace(/\/[^/]*$/, '') || '/'
    const look = await lookAt(host, sh`f ${args.dest}; e ${args.dest} ${folder}`)
    if (!look.exists(args.dest) && !look.exists(folder)) {
      throw new ModuleFailure(`directory ${folder} is not writable (check presence, access rights, use sudo)`)
    }
    const before = look.section(`f:${args.dest}`) ?? ''
    const { text, message, changed: differs } = limitText(before, args)
    const changed = differs || !look.exists(args.dest)
    const diff = { before, after: text }
    if (!changed) return { changed, msg: message, diff }
    const done = yield { what: 'limit', diff, script: writeText(args.dest, text, { backup: args.backup }) }
    const copy = /\u001ebackup\n(.*)\n/.exec(done ? textOf(done.stdout) : '')?.[1]
    return { changed, msg: message, ...(copy === undefined ? {} : { backup_file: copy }) }
  },
})

interface Limit {
  readonly domain: string
  readonly limit_type: string
  readonly limit_item: string
  readonly value: string
  readonly use_max: boolean
  readonly use_min: boolean
  readonly comment: string
  readonly dest: string
}

/** The file with the limit in it, and the line that gives it. */
function limitText(before: string, limit: Limit): { text: string; message: string; changed: boolean } {
  let comment = limit.comment
  let message = ''
  let changed = false
  let found = false
  const lineWith = (value: string): string =>
    `${limit.domain}\t${limit.limit_type}\t${limit.limit_item}\t${value}${comment ? `\t#${comment}` : ''}\n`
  const lines = (before.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const fields = line.split('#')[0]!.trim().split(/\s+/)
    if (line.startsWith('#') || line.trim() === '') return line
    comment ||= line.includes('#') ? line.slice(line.indexOf('#') + 1).replace(/\n$/, '') : ''
    if (fields.length !== 4) return line
    const [domain, type, item, value] = fields as [string, string, string, string]
    assertValue(item, value, `Invalid configuration found in '${limit.dest}'.`)
    if (domain !== limit.domain || type !== limit.limit_type || item !== limit.limit_item) return line
    found = true
    const wanted = combined(value, limit)
    message = line
    if (wanted === value) return line
    changed = true
    message = lineWith(wanted)
    return message
  })
  if (!found) {
    message = lineWith(limit.value)
    lines.push(message)
  }
  return { text: lines.join(''), message, changed: changed || !found }
}

/** The value that is to be there, given the one that is. */
function combined(now: string, { value, use_max: useMax, use_min: useMin }: Limit): string {
  if (value === now || (!useMax && !useMin)) return value
  const open = unlimited.has(now)
  const wantsOpen = unlimited.has(value)
  if (useMax) return open ? now : wantsOpen ? value : String(Math.max(Number(value), Number(now)))
  return open ? (wantsOpen ? now : value) : wantsOpen ? now : String(Math.min(Number(value), Number(now)))
}

function assertValue(item: string, value: string, prefix: string): void {
  const isNumber = /^-?\d+$/.test(value)
  if (item === 'nice' || item === 'priority') {
    const valid = isNumber && Number(value) >= -20 && Number(value) <= 19
    if (!valid)
      throw new ModuleFailure(
        `${prefix} Value of ${value} for item '${item}' is invalid. Must be a number in the range -20 to 19 inclusive.`.trim(),
      )
  } else if (!unlimited.has(value) && !/^\d+$/.test(value)) {
    throw new ModuleFailure(
      `${prefix} Value of ${value} for item '${item}' is invalid. Must either be 'unlimited', 'infinity' or -1, all of which indicate no limit, or a limit of 0 or larger.`.trim(),
    )
  }
}
