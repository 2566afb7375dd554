/** cron: makes a job or a variable be in a crontab, or not. */
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { envNames, jobLine, jobNames, ownLines, renderCrontab, withEnv, withJob, withoutEnv, withoutJob } from './crontab.ts'
import { lookAt, mustEnd } from './looking.ts'
import { writeText } from './write-text.ts'

const params = {
  name: required(str()),
  user: str(),
  job: str({ aliases: ['value'] }),
  cron_file: path(),
  state: choice(['present', 'absent'], 'present'),
  backup: fallback(bool(), false),
  minute: fallback(str(), '*'),
  hour: fallback(str(), '*'),
  day: fallback(str({ aliases: ['dom'] }), '*'),
  month: fallback(str(), '*'),
  weekday: fallback(str({ aliases: ['dow'] }), '*'),
  special_time: choice(['reboot', 'yearly', 'annually', 'monthly', 'weekly', 'daily', 'hourly']),
  disabled: fallback(bool(), false),
  env: fallback(bool(), false),
  insertafter: str(),
  insertbefore: str(),
} as const

type CronArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.builtin.cron',
  summary: 'Manages jobs and variables of crontabs.',
  params,
  rules: { mutuallyExclusive: [['insertafter', 'insertbefore']] },
  async *run(args, host) {
    refuse(args)
    const file =
      args.cron_file === undefined ? undefined : args.cron_file.startsWith('/') ? args.cron_file : `/etc/cron.d/${args.cron_file}`
    const now = await readCrontab(host, args, file)
    const warnings = warningsOf(args)
    const wanted = wantedLines(args, now.lines)
    const after = wanted ?? now.lines
    const named = args.cron_file === undefined ? {} : { cron_file: args.cron_file }
    if (file !== undefined && args.state === 'absent' && wanted?.every((line) => line.trim() === '')) {
      const diff = { before: now.text, after: '', beforeHeader: file, afterHeader: '/dev/null' }
      if (now.exists) yield { what: 'file', diff, script: sh`rm -f ${file}` }
      return { changed: now.exists, ...named, state: args.state }
    }
    const unended = now.text !== '' && !/[\r\n]$/.test(now.text)
    const result = { jobs: jobNames(after), envs: envNames(after), ...(warnings.length > 0 ? { warnings } : {}), ...named }
    if (wanted === undefined && !unended) return { changed: false, ...result }
    const text = renderCrontab(after)
    const header = file ?? (args.user ? `crontab for user "${args.user}"` : 'crontab')
    const done = yield {
      what: 'crontab',
      diff: { before: now.text, after: text, beforeHeader: header, afterHeader: header },
      onFailure: 'tell',
      script: sh`${args.backup ? backup(now.text) : sh``}${file === undefined ? install(text, args.user) : writeText(file, text)}`,
    }
    mustEnd(
      done,
      () => 'Failed to install new cronfile',
      (said) => ({ ...said }),
    )
    const copy = /\u001ebackup\n(.*)\n/.exec(new TextDecoder().decode(done?.stdout))?.[1]
    return { changed: true, ...result, ...(copy === undefined ? {} : { backup_file: copy }) }
  },
})

/** What cannot be meant. */
function refuse(args: CronArgs): void {
  const timed = [args.minute, args.hour, args.day, args.month, args.weekday].some((field) => field !== '*')
  const install = args.state === 'present'
  const rules: readonly [boolean, string][] = [
    [args.cron_file === '/etc/crontab', 'Will not manage /etc/crontab via cron_file, see documentation.'],
    [args.special_time !== undefined && timed, 'You must specify time and date fields or special time.'],
    [install && args.cron_file !== undefined && !args.user, 'To use cron_file=... parameter you must specify user=... as well'],
    [install && args.job === undefined, "You must specify 'job' to install a new cron job or variable"],
    [
      install && !args.env && (args.insertafter !== undefined || args.insertbefore !== undefined),
      'Insertafter and insertbefore parameters are valid only with env=yes',
    ],
    [args.env && args.name.includes(' '), 'Invalid name for environment variable'],
  ]
  const broken = rules.find(([is]) => is)
  if (broken) throw new ModuleFailure(broken[1])
}

function warningsOf(args: CronArgs): string[] {
  const base = args.cron_file?.split('/').at(-1)
  const odd = base !== undefined && !/^[A-Z0-9_-]+$/i.test(base)
  const broken = !args.env && args.state === 'present' && /[\r\n]/.test((args.job ?? '').replace(/^[\r\n]+|[\r\n]+$/g, ''))
  return [
    ...(odd
      ? [
          `Filename portion of cron_file ("${base}") should consist solely of upper- and lower-case letters, digits, underscores, and hyphens`,
        ]
      : []),
    ...(broken ? ['Job should not contain line breaks'] : []),
  ]
}

interface Crontab {
  readonly exists: boolean
  readonly lines: readonly string[]
  readonly text: string
}

async function readCrontab(host: Host, args: CronArgs, file: string | undefined): Promise<Crontab> {
  if (file !== undefined) {
    const look = await lookAt(host, sh`e ${file}; f ${file}`)
    return { exists: look.exists(file), ...ownLines(look.section(`f:${file}`) ?? '') }
  }
  const script = sh`
if ! w crontab; then printf '\036e:missing\n'; fi
o=$(crontab ${userWords(args.user)} -l 2>/dev/null </dev/null; printf 'x%s' $?); printf '\036tab\n%s' "$o"`
  const look = await lookAt(host, script)
  if (look.exists('missing')) throw new ModuleFailure('Failed to find required executable "crontab"')
  const [, text = '', code = '0'] = /^([\s\S]*)x(\d+)\s*$/.exec(look.section('tab') ?? '') ?? []
  if (Number(code) > 1) throw new ModuleFailure('Unable to read crontab')
  return { exists: true, ...ownLines(text) }
}

/** Naming oneself needs no right to name others. */
const userWords = (user: string | undefined): Script =>
  user === undefined ? sh`` : sh`$(if [ "$(id -un)" != ${user} ]; then printf '%s ' -u ${user}; fi)`

const install = (text: string, user: string | undefined): Script => sh`printf %s ${text} | crontab ${userWords(user)} -`

const backup = (text: string): Script => sh`b=$(mktemp /tmp/crontabXXXXXXXX) && printf %s ${text} >"$b" && printf '\036backup\n%s\n' "$b"
`

function wantedLines(args: CronArgs, lines: readonly string[]): readonly string[] | undefined {
  if (args.env) {
    if (args.state === 'absent') return withoutEnv(lines, args.name)
    const after = withEnv(lines, args.name, args.job!, { after: args.insertafter, before: args.insertbefore })
    if (typeof after === 'string') throw new ModuleFailure(`Variable named '${after}' not found.`)
    return after
  }
  if (args.state === 'absent') return withoutJob(lines, args.name)
  const user = args.cron_file === undefined ? undefined : args.user
  return withJob(lines, args.name, jobLine({ ...args, special: args.special_time, user }, args.job!))
}
