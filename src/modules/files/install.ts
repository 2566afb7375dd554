/** Puts an uploaded file in its place: validated, backed up, written beside the target and renamed, with the old file's or the wanted attributes. */
import type { JsonObject } from '../../base/index.ts'
import { Fields, type Missing, type Output, type Script, type Stat, sh, statProbe, textOf } from '../../remote/index.ts'
import { type Change, type Diff, ModuleFailure, type Upload } from '../api.ts'
import { attributeFailure, type Step } from './attributes.ts'
import { splitWords } from './words.ts'

export interface Install {
  readonly path: string
  /** what is there now; its owner and mode are kept */
  readonly now: Stat | Missing
  readonly content: Upload
  readonly steps: readonly Step[]
  readonly backup?: boolean | undefined
  /** a command with %s, run on the new file before it takes its place */
  readonly validate?: string | undefined
  readonly unsafeWrites?: boolean | undefined
  readonly diff?: Diff | readonly Diff[] | undefined
  /** a mode for a new file instead of 0666 less the umask */
  readonly newMode?: number | undefined
  /** makes the parent folders first */
  readonly makeParents?: boolean | undefined
}

/** What an install has told. */
export interface Installed {
  readonly stat: Stat | Missing
  readonly backup: string
  /** where the upload lay */
  readonly upload: string
}

/** The change that installs; read its output with `readInstalled`. */
export function installChange(install: Install): Change {
  return {
    what: 'content',
    script: sh`${validateScript(install.validate)}${
      install.makeParents
        ? sh`mkdir -p -- ${parentOf(install.path)} || exit 81
`
        : sh``
    }${backupScript(install)}${placeScript(install)}${flagScript(install)}
printf '%s\0' "$1"
${statProbe(install.path).script}`,
    upload: [install.content],
    onFailure: 'tell',
    diff: install.diff,
  }
}

/** Mends attributes alone; read its output with `readInstalled`. */
export function attributeChange(path: string, steps: readonly Step[], diff?: Diff | readonly Diff[]): Change {
  return {
    what: 'attributes',
    script: sh`${scripts(steps, path)}
printf '\0\0'
${statProbe(path).script}`,
    onFailure: 'tell',
    diff,
    counts: steps.some((s) => !s.idle),
  }
}

/** Reads what a change of this file printed, or throws the failure that its exit code means. */
export function readInstalled(done: Output, path: string, failed: Failures = {}): Installed {
  if (done.code !== 0)
    throw failed.validate && done.code === CODES.validate ? failed.validate(readValidation(done)) : installFailure(done, path)
  const fields = new Fields(done.stdout)
  const backup = fields.text()
  const upload = fields.text()
  return { backup, upload, stat: statProbe(path).read(fields) }
}

export interface Failures {
  /** makes the failure of a validation that did not pass */
  readonly validate?: (validation: Validation) => ModuleFailure
}

export interface Validation {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Fails where a validate text has no place for the file's name. */
export function checkValidate(validate: string | undefined, result: JsonObject = {}): void {
  if (validate !== undefined && !validate.includes('%s')) throw new ModuleFailure(`validate must contain %s: ${validate}`, result)
}

/** The failure as the modules that edit files word it. */
export const validationFailure = ({ code, stderr }: Validation): ModuleFailure =>
  new ModuleFailure(`failed to validate: rc:${code} error:${stderr}`)

const CODES = { parents: 81, temporary: 82, write: 83, rename: 84, backup: 85, validate: 86, keep: 87 } as const

const MESSAGES: Readonly<Record<number, (path: string) => string>> = {
  [CODES.parents]: (path) => `the folder of ${path} cannot be made`,
  [CODES.temporary]: (path) => `The destination directory (${parentOf(path)}) is not writable by the current user.`,
  [CODES.write]: (path) => `could not write beside ${path}`,
  [CODES.rename]: (path) => `Could not replace file: the new file cannot take the place of ${path}`,
  [CODES.backup]: (path) => `Could not make backup of ${path}`,
  [CODES.keep]: (path) => `could not give the new file the owner and mode of ${path}`,
}

function installFailure(done: Output, path: string): ModuleFailure {
  const details = textOf(done.stderr).trim()
  const message = attributeFailure(done.code) ?? MESSAGES[done.code]?.(path) ?? `could not write ${path}`
  return new ModuleFailure(details === '' ? message : `${message}: ${details}`, { path, rc: done.code })
}

/** The words of the command, each with the uploaded file's name in place of %s; both outputs are told when it fails. */
function validateScript(validate: string | undefined): Script {
  if (validate === undefined) return sh``
  const words = splitWords(validate).map(
    (word) =>
      word
        .split('%s')
        .reduce<Script | undefined>(
          (all, part) => (all ? sh`${all}"$1"${part === '' ? sh`` : part}` : part === '' ? sh`` : sh`${part}`),
          undefined,
        ) ?? sh``,
  )
  const command = words.reduce((all, word) => sh`${all} ${word}`, sh``)
  return sh`o=$(${command} 2>"$1.err" </dev/null; r=$?; printf x; exit $r); r=$?
if [ $r -ne 0 ]; then printf '%s\0%s\0' $r "\${o%x}"; cat "$1.err"; exit ${CODES.validate}; fi
rm -f "$1.err"
`
}

function readValidation(done: Output): Validation {
  const fields = new Fields(done.stdout)
  return { code: fields.number() ?? 1, stdout: fields.text(), stderr: textOf(fields.rest()) }
}

/** The backup's name has the time and a number, as people know it: `name.123.2024-01-31@23:59:59~`. */
function backupScript({ backup, now, path }: Install): Script {
  if (!backup || !now.exists)
    return sh`b=
`
  return sh`b=${path}.$$.$(date +%Y-%m-%d@%H:%M:%S)~; cp -p -- ${path} "$b" || exit ${CODES.backup}
`
}

/** Writes beside the target, sets owner and mode there, and renames. A link to a folder is removed first, for mv would go into it. */
function placeScript(install: Install): Script {
  const { path, now } = install
  const inPlace = install.unsafeWrites ? sh`{ cat <"$1" >${path} || exit ${CODES.write}; t=${path}; }` : sh`exit ${CODES.temporary}`
  const overwrite =
    install.unsafeWrites && now.exists ? sh`{ cat <"$t" >${path} && rm -f -- "$t"; }` : sh`{ rm -f -- "$t"; exit ${CODES.rename}; }`
  const replaceLink =
    now.exists && now.kind === 'link' && now.leadsToDirectory
      ? sh`rm -f -- ${path}
`
      : sh``
  return sh`t=$(mktemp ${`${parentOf(path)}/.ansible_tmpXXXXXX`}) || ${inPlace}
if [ "$t" != ${path} ]; then
trap 'rm -f -- "$t"' EXIT
cat <"$1" >"$t" || exit ${CODES.write}
${keepScript(now, install.newMode)}
${scripts(beforeRename(install.steps), sh`"$t"`)}
${replaceLink}mv -f -- "$t" ${path} || ${overwrite}
trap - EXIT
else
${scripts(beforeRename(install.steps), path)}
fi
printf '%s\0' "$b"
`
}

/** The new file takes over what the old one had, or what a new file gets: `=rw` without a who obeys the umask. */
function keepScript(now: Stat | Missing, newMode: number | undefined): Script {
  if (!now.exists || now.kind === 'link')
    return newMode === undefined ? sh`chmod =rw -- "$t" || exit ${CODES.keep}` : sh`chmod ${octal(newMode)} -- "$t" || exit ${CODES.keep}`
  const context =
    now.context === undefined
      ? sh``
      : sh`
chcon ${now.context} -- "$t" 2>/dev/null`
  return sh`[ "$(stat -c %u:%g -- "$t")" = ${`${now.uid}:${now.gid}`} ] || chown ${`${now.uid}:${now.gid}`} -- "$t" 2>/dev/null
chmod ${octal(now.mode)} -- "$t" || exit ${CODES.keep}${context}`
}

const octal = (mode: number): string => mode.toString(8).padStart(5, '0')

/** File flags such as `i` would forbid the rename, so they come after it. */
const beforeRename = (steps: readonly Step[]): Step[] => steps.filter((s) => s.what !== 'attributes')

function flagScript({ steps, path }: Install): Script {
  return scripts(
    steps.filter((s) => s.what === 'attributes'),
    path,
  )
}

function scripts(steps: readonly Step[], path: Script | string): Script {
  return steps.reduce(
    (all, step) => sh`${all}
${step.script(path)}`,
    sh``,
  )
}

/** The folder that holds a path. */
export function parentOf(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/')
  return at === -1 ? '.' : at === 0 ? '/' : path.slice(0, at)
}

/** A path's last name. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
