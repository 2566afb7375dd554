/** What command and shell share: creates and removes, the run itself, and the result. */
import { isUtf8 } from 'node:buffer'
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, fallback, list, path, str } from '../../params/index.ts'
import { type Probe, quote, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'
import { askAll } from './ask.ts'
import { outputs } from './lines.ts'
import { type Ended, endedOf, programScript, whyNoFolder } from './program.ts'

export const commandParams = {
  _raw_params: str(),
  cmd: str(),
  argv: list('str'),
  chdir: path(),
  creates: path(),
  removes: path(),
  executable: str(),
  stdin: str(),
  stdin_add_newline: fallback(bool(), true),
  strip_empty_ends: fallback(bool(), true),
  warn: fallback(bool(), false),
} as const

export interface Command {
  /** as the result shows it */
  readonly cmd: string | readonly string[]
  /** false: there is nothing to run */
  readonly given: boolean
  /** both as text and as argv */
  readonly twice: boolean
  readonly words: readonly Script[]
  /** the shell of one's own that runs it as a text */
  readonly shell?: string | undefined
}

export async function* runCommand(host: Host, args: Args<typeof commandParams>, command: Command): AsyncGenerator<Change, Result, Done> {
  if (!command.given) throw new ModuleFailure('no command given', { ...NOTHING, cmd: null, rc: 256, ...outputs('', '') })
  if (command.twice)
    throw new ModuleFailure('only command or argv can be given, not both', { ...NOTHING, cmd: null, rc: 256, ...outputs('', '') })
  const { cmd } = command
  const reason = await reasonNotToRun(host, args, cmd)
  if (reason) {
    const text = `skipped, since ${reason.path} ${reason.is}`
    const msg = `${host.check ? 'Would' : 'Did'} not run command since '${reason.path}' ${reason.is === 'exists' ? 'exists' : 'does not exist'}`
    return { ...NOTHING, cmd, rc: 0, msg, ...outputs(text, '') }
  }
  const conditional = args.creates !== undefined || args.removes !== undefined
  if (host.check) {
    const told = { ...NOTHING, cmd, rc: 0, msg: 'Command would have run if not in check mode', ...outputs('', '') }
    return conditional ? { ...told, changed: true } : { ...told, skipped: true, changed: false }
  }
  const started = host.now()
  const done = yield {
    what: 'command',
    script: programScript(command.words, args.chdir),
    stdin: args.stdin === undefined ? undefined : new TextEncoder().encode(args.stdin + (args.stdin_add_newline ? '\n' : '')),
    onFailure: 'tell',
  }
  if (!done) return { ...NOTHING, cmd, rc: 0, changed: true }
  return finished(endedOf(done), command, started, host.now(), { ...args, action: host.task.action })
}

const NOTHING: JsonObject = { changed: false, rc: null, start: null, end: null, delta: null, msg: '' }

type Where = Pick<Args<typeof commandParams>, 'chdir' | 'strip_empty_ends'> & { readonly action: string }

function finished(
  ended: Ended,
  { cmd, shell }: Command,
  started: Date,
  ended_at: Date,
  { chdir, strip_empty_ends, action }: Where,
): Result {
  if (ended.trouble === 'chdir') throw noFolder(ended.rc, chdir!, cmd)
  if (ended.trouble) {
    const told = shell === undefined ? cmd : `${shell} -c ${quote(cmd as string)}`
    const program = shell ?? (typeof cmd === 'string' ? cmd : cmd[0])
    throw new ModuleFailure(errorOf(ended.rc, program!), {
      cmd: shown(told),
      rc: ended.rc,
      changed: false,
      ...outputs('', ''),
    })
  }
  const end = (text: string): string => (strip_empty_ends ? text.replace(/[\r\n]+$/, '') : text)
  const times = { start: timeText(started), end: timeText(ended_at), delta: deltaText(ended_at.getTime() - started.getTime()) }
  if (![ended.stdout, ended.stderr].every(isUtf8)) throw noText(action)
  const told = { cmd, rc: ended.rc, ...outputs(end(textOf(ended.stdout)), end(textOf(ended.stderr))), ...times }
  if (ended.rc !== 0) throw new ModuleFailure('non-zero return code', { ...told, changed: true })
  return { ...told, msg: '', changed: true }
}

/** A result holds text only; what a program wrote is then not told at all. */
const noText = (action: string): ModuleFailure =>
  new ModuleFailure(
    `MODULE FAILURE: Module "ansible.builtin.${action.split('.').at(-1)}" returned non UTF-8 data in the JSON response.\nSee stdout/stderr for the exact error`,
    { changed: false, rc: 0 },
  )

const REASONS: Readonly<Record<number, string>> = {
  2: 'No such file or directory',
  8: 'Exec format error',
  13: 'Permission denied',
  20: 'Not a directory',
}

/** As Python words an errno. */
const errorOf = (errno: number, path: string): string => `[Errno ${errno}] ${REASONS[errno]}: b'${path}'`

const noFolder = (errno: number, folder: string, cmd: Command['cmd']): ModuleFailure =>
  new ModuleFailure(`Unable to change directory before execution: ${errorOf(errno, folder)}`, { ...NOTHING, cmd, ...outputs('', '') })

/** How a command that could not be started is shown: as one text. */
const shown = (cmd: Command['cmd']): string => (typeof cmd === 'string' ? cmd : cmd.join(' '))

interface Reason {
  readonly path: string
  readonly is: 'exists' | 'does not exist'
}

/** `creates` that exists or `removes` that does not; asked in one look, and only where one of them is given. */
async function reasonNotToRun(host: Host, args: Args<typeof commandParams>, cmd: Command['cmd']): Promise<Reason | undefined> {
  const { chdir, creates, removes } = args
  if (creates === undefined && removes === undefined && !(host.check && chdir !== undefined)) return undefined
  const found = await askAll(host, { chdir: folderProbe(chdir), creates: globProbe(creates), removes: globProbe(removes) })
  if (found.chdir !== 0) throw noFolder(found.chdir, chdir!, cmd)
  if (creates !== undefined && found.creates) return { path: creates, is: 'exists' }
  if (removes !== undefined && !found.removes) return { path: removes, is: 'does not exist' }
  return undefined
}

/** Goes to the folder, where the questions that follow are asked; else says by errno why that cannot be done. */
function folderProbe(folder: string | undefined): Probe<number> {
  return {
    script: folder === undefined ? sh`printf '0\0'` : sh`e=0; cd -- ${folder} 2>/dev/null || ${whyNoFolder(folder)}; printf '%s\0' $e`,
    read: (fields) => fields.number() ?? 0,
  }
}

/** Does the pattern match something? Blanks in it are not borders. */
export function globProbe(pattern: string | undefined): Probe<boolean> {
  const script =
    pattern === undefined
      ? sh`printf '0\0'`
      : sh`g=${pattern}; x=0; o=$IFS; IFS=; for f in $g; do if [ -e "$f" ] || [ -L "$f" ]; then x=1; break; fi; done; IFS=$o; printf '%s\0' $x`
  return { script, read: (fields) => fields.text() === '1' }
}

const two = (n: number): string => String(n).padStart(2, '0')

/** `2024-01-31 23:59:59.123000` */
export function timeText(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}000`
}

/** `0:00:01.234000` */
export function deltaText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}000`
}
