/** Puts an uploaded file in its place: validated, backed up, written beside the target and renamed, with the old file's or the wanted attributes. */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../base/index.ts'
import { Fields, type Missing, type Output, type Script, type Self, type Stat, sh, statProbe, textOf } from '../../remote/index.ts'
import { type Change, type Diff, ModuleFailure, type Upload } from '../api.ts'
import { attributeFailure, type Step } from './attributes.ts'
import { stepScripts } from './folders.ts'
import { splitWords } from './words.ts'

export interface Install {
  readonly path: string
  /** what is there now; its owner and mode are kept */
  readonly now: Stat | Missing
  /** sent along, or a file of the host */
  readonly content: Upload | { readonly remotePath: string }
  readonly steps: readonly Step[]
  readonly backup?: boolean | undefined
  /** the name that the backup is made of, where it is not the path: a link that leads there */
  readonly backupOf?: string | undefined
  /** a command with %s, run on the new file before it takes its place */
  readonly validate?: string | undefined
  readonly unsafeWrites?: boolean | undefined
  readonly diff?: Diff | readonly Diff[] | undefined
  /** a mode for a new file instead of 0666 less the umask */
  readonly newMode?: number | undefined
  /** makes the parent folders first; ends with code 81 where that fails */
  readonly folders?: Script | undefined
  /** who asks, where that is known: a file that is theirs needs no owner set */
  readonly self?: Pick<Self, 'uid' | 'gid'> | undefined
}

/** What an install has told. */
export interface Installed {
  readonly stat: Stat | Missing
  readonly backup: string
  /** where the new content lay before it took its place */
  readonly upload: string
}

/** The change that installs; read its output with `readInstalled`. */
export function installChange(install: Install): Change {
  const { content } = install
  const remote = isRemote(content)
  const told = { what: 'content', onFailure: 'tell', diff: install.diff } as const
  if (remote) return { ...told, script: installScript(install, sh`${content.remotePath}`), upload: [] }
  // a program that validates wants a file
  if (install.validate !== undefined) return { ...told, script: installScript(install, sh`"$1"`), upload: [content] }
  return { ...told, script: installScript(install, undefined), upload: [content], receives: true }
}

/** Several files in one change; read its output with `readInstalls`. */
export function installsChange(installs: readonly (Install & { readonly content: Upload })[]): Change {
  const script = installs.reduce(
    (all, install, i) => sh`${all}(
${installScript(install, sh`"\${${i + 1}}"`)}
) || exit $?
`,
    sh``,
  )
  return { what: 'content', script, upload: installs.map((i) => i.content), onFailure: 'tell', diff: installs.flatMap((i) => i.diff ?? []) }
}

/** A new file in a folder where nothing has its name, with no more than its attributes to be set. */
export interface Fresh {
  readonly path: string
  readonly content: Upload
  readonly steps: readonly Step[]
}

/**
 * Many new files in one change: those of a folder that want the same are written into a folder beside, get their attributes, and are moved to their places
 * together. Read its output with `requireInstalled`.
 */
export function freshFilesChange(files: readonly Fresh[]): Change {
  const groups = new Map<string, { readonly file: Fresh; readonly at: number }[]>()
  for (const [at, file] of files.entries()) {
    const key = JSON.stringify([parentOf(file.path), stepScripts(file.steps, sh`"$@"`).text])
    groups.set(key, [...(groups.get(key) ?? []), { file, at: at + 1 }])
  }
  const script = [...groups.values()].reduce((all, group) => sh`${all}${groupScript(group)}`, sh``)
  return { what: 'content', script, upload: files.map((file) => file.content), receives: true, onFailure: 'tell' }
}

function groupScript(group: readonly { readonly file: Fresh; readonly at: number }[]): Script {
  const { steps, path } = group[0]!.file
  const beside = `${parentOf(path)}/.ansible-tmp-${randomBytes(6).toString('hex')}`
  const named = group.map(({ file, at }) => ({ at, new: `${beside}/${nameOf(file.path)}` }))
  const write = named.reduce(
    (all, one) => sh`${all}received ${one.at} >${one.new} || exit 1
`,
    sh``,
  )
  const mode = steps.some((step) => step.what === 'mode') ? sh`:` : sh`chmod =rw -- "$@" || exit ${CODES.keep}`
  // a program that writes can tell what went wrong
  return sh`(
( umask 077; mkdir -- ${beside} ) || exit ${CODES.temporary}
trap ${sh`rm -rf -- ${beside}`.text} EXIT
( umask 077
${write}) 2>/dev/null || { received ${named[0]!.at} | cat >${`${beside}/.again`}; exit ${CODES.write}; }
set -- ${named.map((one) => one.new)}
${mode}
${stepScripts(steps, sh`"$@"`)}mv -f -- "$@" ${`${parentOf(path)}/`} || exit ${CODES.rename}
rmdir -- ${beside} && trap - EXIT
) || exit $?
`
}

/** Throws the failure that the exit code of `freshFilesChange` means. */
export function requireInstalled(done: Output, path: string): void {
  if (done.code !== 0) throw installFailure(done, path)
}

const isRemote = (content: Install['content']): content is { readonly remotePath: string } => 'remotePath' in content

/** The content is a file, as a shell word, or else what `received` writes. */
function installScript(install: Install, upload: Script | undefined): Script {
  const before =
    upload === undefined
      ? sh``
      : sh`u=${upload}
`
  return sh`${before}${validateScript(install.validate)}${install.folders ?? sh``}${backupScript(install)}${placeScript(install, upload !== undefined)}${flagScript(install)}
printf '%s\0' "$u"
${statProbe(install.path).script}`
}

/** Mends attributes alone; read its output with `readInstalled`. */
export function attributeChange(path: string, steps: readonly Step[], diff?: Diff | readonly Diff[]): Change {
  return {
    what: 'attributes',
    script: sh`${stepScripts(steps, path)}printf '\0\0'
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
  return readOne(new Fields(done.stdout), path)
}

/** The same of a change of several files. */
export function readInstalls(done: Output, paths: readonly string[]): Installed[] {
  if (done.code !== 0) throw installFailure(done, paths[0] ?? '')
  const fields = new Fields(done.stdout)
  return paths.map((path) => readOne(fields, path))
}

function readOne(fields: Fields, path: string): Installed {
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
          (all, part) => (all ? sh`${all}"$u"${part === '' ? sh`` : part}` : part === '' ? sh`` : sh`${part}`),
          undefined,
        ) ?? sh``,
  )
  const command = words.reduce((all, word) => sh`${all} ${word}`, sh``)
  return sh`o=$(${command} 2>"$u.err" </dev/null; r=$?; printf x; exit $r); r=$?
if [ $r -ne 0 ]; then printf '%s\0%s\0' $r "\${o%x}"; cat "$u.err"; exit ${CODES.validate}; fi
rm -f "$u.err"
`
}

function readValidation(done: Output): Validation {
  const fields = new Fields(done.stdout)
  return { code: fields.number() ?? 1, stdout: fields.text(), stderr: textOf(fields.rest()) }
}

/** The backup's name has the time and a number, as people know it: `name.123.2024-01-31@23:59:59~`. */
function backupScript({ backup, backupOf, now, path }: Install): Script {
  if (!backup || !now.exists)
    return sh`b=
`
  const name = backupOf ?? path
  return sh`b=${name}.$$.$(date +%Y-%m-%d@%H:%M:%S)~; cp -p -- ${name} "$b" || { rm -f -- "$b"; exit ${CODES.backup}; }
`
}

/** Writes beside the target, sets owner and mode there, and renames. A link to a folder is removed first, for mv would go into it. */
function placeScript(install: Install, fromFile: boolean): Script {
  const { path, now } = install
  const mayWriteOver = install.unsafeWrites === undefined ? UNSAFE_ON_THE_HOST : install.unsafeWrites ? sh`true` : sh`false`
  // a program that writes can tell what went wrong
  const write = (to: Script | string): Script =>
    fromFile
      ? sh`cat <"$u" >${to}`
      : sh`[ "$({ { received 3>&-; echo $? >&3; } | cat 3>&- >${to}; echo $? >&3; } 3>&1)" = '0
0' ]`
  const inPlace = sh`{ ${mayWriteOver} || exit ${CODES.temporary}; ${write(path)} || exit ${CODES.write}; t=${path}; }`
  const refused = sh`{ rm -f -- "$t"; exit ${CODES.rename}; }`
  const overwrite = now.exists ? sh`{ { ${mayWriteOver} && cat <"$t" >${path} && rm -f -- "$t"; } || ${refused}; }` : refused
  const replaceLink =
    now.exists && now.kind === 'link' && now.leadsToDirectory
      ? sh`rm -f -- ${path}
`
      : sh``
  const beside = sh`t=$(mktemp ${`${parentOf(path)}/.ansible-tmp-XXXXXX`}) || ${inPlace}
[ "$t" = ${path} ] || { trap 'rm -f -- "$t"' EXIT; ${write(sh`"$t"`)} || exit ${CODES.write}; }
`
  return sh`${fromFile ? beside : writtenByTheShell(path, beside)}if [ "$t" != ${path} ]; then
${keepScript(install)}
${stepScripts(beforeRename(install.steps), sh`"$t"`)}
${replaceLink}if [ -d ${path} ]; then rm -f -- "$t"; printf 'it is a folder\n' >&2; exit ${CODES.rename}; fi
mv -f -- "$t" ${path} || ${overwrite}
trap - EXIT
else :
${stepScripts(beforeRename(install.steps), path)}
fi
printf '%s\0' "$b"
`
}

/** Content that came with the script needs no program to be written; where that does not go well, the other way is gone and tells why. */
const writtenByTheShell = (path: string, otherwise: Script): Script => {
  const beside = `${parentOf(path)}/.ansible-tmp-${randomBytes(6).toString('hex')}`
  return sh`t=${beside} u=${beside}
trap 'rm -f -- "$t"' EXIT
( umask 077; set -C; received >"$t" ) 2>/dev/null || {
[ ! -e "$t" ] || rm -f -- "$t"
trap - EXIT
${otherwise}}
`
}

/** Without a word of the task, a host's environment may allow writing over a file that nothing can take the place of. */
const UNSAFE_ON_THE_HOST = sh`case "$(printf '%s' "\${ANSIBLE_UNSAFE_WRITES-}" | tr A-Z a-z)" in 1|t|true|y|yes|on) true ;; *) false ;; esac`

/**
 * The new file takes over what the old one had, or what a new file gets: `=rw` without a who obeys the umask. Where a step gives it its mode, it is never
 * open to more people in between.
 */
function keepScript({ path, now, newMode, steps, self }: Install): Script {
  const given = beforeRename(steps).some((step) => step.what === 'mode')
  const chmod = (mode: string): Script => (given ? sh`:` : sh`chmod ${mode} -- "$t" || exit ${CODES.keep}`)
  if (!now.exists || now.kind === 'link') return chmod(newMode === undefined ? '=rw' : octal(newMode))
  const context =
    now.context === undefined
      ? sh``
      : sh`
chcon ${now.context} -- "$t" 2>/dev/null`
  const owner = `${now.uid}:${now.gid}`
  const isOurs =
    self?.uid === now.uid && self.gid === now.gid ? sh`[ -O "$t" ] && [ -G "$t" ]` : sh`[ "$(stat -c %u:%g -- "$t")" = ${owner} ]`
  return sh`{ ${isOurs}; } || chown ${owner} -- "$t" 2>/dev/null
${chmod(octal(now.mode))}${context}
${accessListScript(path)}`
}

/** An access control list, which ls shows as a plus behind the mode, goes along where the tools for it are there. */
const accessListScript = (path: string): Script =>
  sh`if command -v setfacl >/dev/null; then
case $(ls -ld -- ${path} 2>/dev/null) in ??????????+*) getfacl -p -- ${path} 2>/dev/null | setfacl --set-file=- -- "$t" 2>/dev/null ;; esac
fi`

const octal = (mode: number): string => mode.toString(8).padStart(5, '0')

/** File flags such as `i` would forbid the rename, so they come after it. */
const beforeRename = (steps: readonly Step[]): Step[] => steps.filter((s) => s.what !== 'attributes')

function flagScript({ steps, path }: Install): Script {
  return stepScripts(
    steps.filter((s) => s.what === 'attributes'),
    path,
  )
}

/** The folder that holds a path. */
export function parentOf(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/')
  return at === -1 ? '.' : at === 0 ? '/' : path.slice(0, at)
}

/** A path's last name. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
