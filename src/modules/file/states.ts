/** The states of file: each looks at what was found and yields the change that makes it so. */
import type { Json, JsonObject } from '../../base/index.ts'
import { Fields, type Missing, type Output, type Script, type Stat, sh, statProbe, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import { attributeFailure, attributeSteps, newborn, type Step, stepsDiff } from '../files/attributes.ts'
import { makeFoldersScript, stepScripts } from '../files/folders.ts'
import { pathInfo, stateOf } from '../files/info.ts'
import { nameOf, parentOf } from '../files/install.ts'
import { REASONS } from '../files/reasons.ts'
import { isThere, lookAt, type Task } from './look.ts'
import { recurse } from './recurse.ts'
import { strangersOf } from './strangers.ts'
import { type TimeStep, timeStep, timesOf } from './times.ts'
import type { FileArgs, Run, State } from './types.ts'

export async function* makeState(args: FileArgs, host: Host): Run {
  const warnings = host.check && args.state !== 'absent' ? await strangersOf(args, host) : []
  if (warnings.length === 0) return yield* reachState(args, host)
  try {
    return { ...(yield* reachState(args, host)), warnings }
  } catch (error) {
    throw error instanceof ModuleFailure ? new ModuleFailure(error.message, { ...error.result, warnings }) : error
  }
}

async function* reachState(args: FileArgs, host: Host): Run {
  const first = await lookAt(args, args.path, timesOf(args, args.state), host)
  const path = inside(args, first)
  const found = path === args.path ? first : await lookAt(args, path, timesOf(args, args.state), host)
  const before = stateOf(found.here)
  const state: State = args.state ?? (before !== 'absent' ? before : args.recurse ? 'directory' : 'file')
  if (args.recurse && state !== 'directory') throw failure("recurse option requires state to be 'directory'", found.here, { path })
  if (args.src !== undefined && state !== 'link' && state !== 'hard')
    throw failure("src option requires state to be 'link' or 'hard'", found.here, { path })
  return yield* STATES[state]({ args: { ...args, state }, path, found, times: timesOf(args, state), host })
}

/** A folder as path of a file or hard link means the name inside it. */
function inside(args: FileArgs, found: Task['found']): string {
  if (args.state === 'link' || args.state === 'absent' || !isThere(found.here) || !found.here.leadsToDirectory) return args.path
  const name = args._original_basename || (args.src === undefined ? '' : nameOf(args.src))
  return name === '' ? args.path : `${args.path.replace(/\/+$/, '')}/${name}`
}

const STATES: Readonly<Record<State, (task: Task) => Run>> = { absent, directory, file, hard, link, touch }

async function* absent({ path, found }: Task): Run {
  if (!found.here.exists) return { path, changed: false, state: 'absent' }
  const was = stateOf(found.here)
  const diff = {
    before: { path, state: was, ...(was === 'directory' && found.below ? { path_content: found.below } : {}) },
    after: { path, state: 'absent' },
  }
  const script = was === 'directory' ? sh`rm -rf -- ${path}` : sh`rm -f -- ${path}`
  const done = yield { what: 'state', script, onFailure: 'tell', diff }
  if (!done) return { path, changed: true, diff, state: 'absent', ...pathInfo(found.here) }
  if (done.code !== 0)
    throw failure(`${was === 'directory' ? 'rmtree' : 'unlinking'} failed: ${textOf(done.stderr).trim()}`, found.here, { path })
  return { path, changed: true, diff, state: 'absent' }
}

async function* file(task: Task): Run {
  const { path, now } = followed(task)
  const was = stateOf(now)
  if (was !== 'file' && was !== 'hard') throw failure(`file (${path}) is ${was}, cannot continue`, now, { path, state: was })
  return yield* settle(task, path, now as Stat, { path }, diffOf(path, 'file', was))
}

async function* directory(task: Task): Run {
  const { path, now } = followed(task)
  const was = stateOf(now)
  if (was === 'absent' && path !== task.path)
    return yield* newDirectory({ ...task, found: await lookAt(task.args, path, task.times, task.host) }, path)
  if (was === 'absent') return yield* newDirectory(task, path)
  if (was !== 'directory') throw failure(`${path} already exists as a ${was}`, now, { path })
  const result = yield* settle(task, path, now as Stat, { path }, diffOf(path, 'directory', was))
  if (!task.args.recurse) return result
  const changed = yield* recurse(task, path)
  return changed ? { ...result, changed: true } : result
}

/** Makes each missing folder on the way, every one with the wanted attributes. */
async function* newDirectory({ found, times, host }: Task, path: string): Run {
  const mine = newborn('directory', found.wanted.self!, undefined, found.parent)
  // each folder on the way is made in one that has what is wanted already
  const inherited = !host.check && found.missing.length > 1 ? setGroupIdOf(attributeSteps(mine, found.wanted, path, true)) : 0
  const steps = host.check ? [] : attributeSteps({ ...mine, mode: mine.mode | inherited }, found.wanted, path, true)
  const time = timeStep(path, undefined, times, found.times)
  const diff = withSteps(diffOf(path, 'directory', 'absent'), steps)
  const done = yield {
    what: 'state',
    script: sh`${makeFoldersScript(found.missing, steps, 91)}${time ? time.script : sh`:`}
${statProbe(path).script}`,
    onFailure: 'tell',
    diff,
  }
  if (!done) return { path, changed: true, diff }
  if (done.code === 91) {
    // below what is no folder, the first on the way cannot be made
    const first = found.parent.exists && found.parent.kind === 'directory' ? path : (found.missing[0] ?? path)
    const why = errnoText(found.here, found.parent, first, done, true)
    throw failure(`There was an issue creating ${first} as requested: ${why}`, found.here, { path })
  }
  return { path, changed: true, diff, ...pathInfo(statAfter(done, path)) }
}

/** The set-group-id bit, where a step sets the mode and the bit with it. */
function setGroupIdOf(steps: readonly Step[]): number {
  const mode = steps.find((step) => step.what === 'mode')?.after
  return typeof mode === 'string' ? Number.parseInt(mode, 8) & 0o2000 : 0
}

async function* touch(task: Task): Run {
  const { path, found, times, host } = task
  const was = stateOf(found.here)
  if (was !== 'absent') {
    const { path: target, now } = followed(task)
    if (!now.exists) return yield* settle(task, path, found.here as Stat, { dest: path }, diffOf(path, 'touch', was))
    const touched = yield* settle(task, target, now, { dest: path }, diffOf(path, 'touch', was))
    return target === path ? touched : { ...touched, ...pathInfo(found.here) }
  }
  const steps = host.check ? [] : attributeSteps(newborn('file', found.wanted.self!, undefined, found.parent), found.wanted, path, true)
  const time = times.modified === 'now' && times.accessed === 'now' ? undefined : timeStep(path, undefined, times, found.times)
  const diff = withSteps(diffOf(path, 'touch', was), steps)
  // what cannot be given its attributes was not to be made at all
  const script = sh`: >${path} || exit 91
( ${stepScripts(steps, path)}${time ? time.script : sh`:`}
) || { rc=$?; rm -f -- ${path}; exit $rc; }
${statProbe(path).script}`
  const done = yield { what: 'state', script, onFailure: 'tell', diff }
  if (!done) return { dest: path, changed: true }
  if (done.code !== 0 && attributeFailure(done.code) === undefined)
    throw failure(`Error, could not touch target: ${errnoText(found.here, found.parent, path, done)}`, found.here, { path })
  return { dest: path, changed: true, diff, ...pathInfo(statAfter(done, path)) }
}

async function* link(task: Task): Run {
  const { args, path, found, host } = task
  const { here } = found
  const was = stateOf(here)
  const src = args.src ?? (args.follow && isThere(here) && here.resolves ? here.linkTarget : undefined)
  const source = was === 'directory' ? found.sourceInside : found.source
  if (!args.force && args.src !== undefined && !isThere(source)) {
    const absolute = args.src.startsWith('/') ? args.src : `${was === 'directory' ? path : parentOf(path)}/${args.src}`
    throw failure(`src file does not exist, use "force=yes" if you really want to create the link: ${absolute}`, here, {
      path,
      src: args.src,
    })
  }
  if (was === 'directory' && args.force && !found.empty)
    throw failure(`the directory ${path} is not empty, refusing to convert it`, here, { path })
  if ((was === 'directory' || was === 'file' || was === 'hard') && !args.force)
    throw failure(`refusing to convert from ${was} to symlink for ${path}`, here, { path })
  if (was !== 'link' && src === undefined) throw failure('src is required for creating new symlinks', here)
  const old = isThere(here) ? here.linkTarget : undefined
  const differs = was !== 'link' || (src !== undefined && old !== src)
  const diff = diffOf(path, 'link', was)
  if (was === 'link' && differs) Object.assign(diff.before, { src: old ?? '' }) && Object.assign(diff.after, { src })
  const base = { dest: path, src: src ?? null }
  if (!differs) return yield* settleLink(task, base, diff)
  const script = sh`${replaceScript(was, path, sh`ln -s -- ${src!} "$t"`, sh`ln -s -- ${src!} ${path}`)}
${statProbe(path).script}`
  const done = yield { what: 'state', script, onFailure: 'tell', diff }
  if (!done || host.check) return { ...base, changed: true, diff, ...pathInfo(here) }
  if (done.code !== 0)
    throw failure(`Error while ${was === 'absent' ? 'linking' : 'replacing'}: ${errnoText(here, found.parent, path, done)}`, here, { path })
  const made = statAfter(done, path)
  const result = yield* settleLink({ ...task, found: await lookAt(args, path, task.times, host) }, base, diff, made)
  return { ...result, changed: true }
}

/** A link's attributes are its target's where links are followed; a target that is not there has none. */
async function* settleLink(task: Task, base: JsonObject, diff: FileDiff, made?: Stat | Missing): Run {
  const { args, path, found } = task
  const here = made ?? found.here
  const plain = { ...base, changed: made !== undefined, diff, ...pathInfo(here) }
  if (args.follow && isThere(here) && here.kind === 'link' && !found.real.exists)
    return {
      ...plain,
      warnings: ['Cannot set fs attributes on a non-existent symlink target. follow should be set to False to avoid this.'],
    }
  const target = args.follow && isThere(here) && here.kind === 'link' ? (here.realPath ?? path) : path
  const now = args.follow ? found.real : here
  if (!isThere(now)) return plain
  const settled = yield* settle(task, target, now, base, diff)
  return target === path ? settled : { ...settled, ...pathInfo(here) }
}

async function* hard(task: Task): Run {
  const { args, path, found, host } = task
  const { here } = found
  const { src } = args
  const was = stateOf(here)
  if (was !== 'hard' && src === undefined) throw failure('src is required for creating new hardlinks', here)
  if (src !== undefined && !isThere(found.hardSource)) throw failure('src does not exist', here, { dest: path, src })
  const same =
    isThere(found.hardSource) && isThere(here) && found.hardSource.inode === here.inode && found.hardSource.device === here.device
  const old = isThere(here) ? here.linkTarget : undefined
  const differs = was === 'absent' || was === 'file' || was === 'directory' || (was === 'link' ? old !== src : src !== undefined && !same)
  if (was === 'directory' && same) return { path, changed: false }
  if (differs && !args.force && was === 'hard')
    throw failure('Cannot link, different hard link exists at destination', here, { dest: path, src: src ?? null })
  if (differs && !args.force && was === 'file')
    throw failure(`Cannot link, ${was} exists at destination`, here, { dest: path, src: src ?? null })
  if (differs && !args.force && was === 'directory')
    throw failure('Cannot link: different hard link exists at destination', here, { dest: path, src: src ?? null })
  const diff = diffOf(path, 'hard', was)
  if (was === 'link' && differs) Object.assign(diff.before, { src: old ?? '' }) && Object.assign(diff.after, { src: src ?? '' })
  const base = { dest: path, src: src ?? null }
  if (!differs) return yield* settle(task, path, here as Stat, base, diff)
  const script = sh`${replaceScript(was, path, sh`ln -- ${src!} "$t"`, sh`ln -- ${src!} ${path}`)}
${statProbe(path).script}`
  const done = yield { what: 'state', script, onFailure: 'tell', diff }
  if (!done || host.check) return { ...base, changed: true, diff, ...pathInfo(here) }
  if (done.code !== 0)
    throw failure(`Error while ${was === 'absent' ? 'linking' : 'replacing'}: ${linkText(task, src!, done)}`, here, { path })
  const made = statAfter(done, path)
  const result = yield* settle({ ...task, found: { ...found, here: made, real: made } }, path, made as Stat, base, diff)
  return { ...result, changed: true }
}

/** Why a hard link could not be made; a folder can have none. */
const linkText = ({ found, path }: Task, src: string, done: Output): string =>
  isThere(found.hardSource) && found.hardSource.kind === 'directory'
    ? `[Errno 1] Operation not permitted: b'${src}' -> b'${path}'`
    : errnoText(found.here, found.parent, path, done)

/** Makes the new name beside the old one and renames it over. */
function replaceScript(was: string, path: string, beside: Script, plain: Script): Script {
  if (was === 'absent') return sh`${plain} || exit 91`
  const clear =
    was === 'directory'
      ? sh`rmdir -- ${path} || exit 91
`
      : sh``
  const drop = sh`[ -L ${path} ] && [ -d ${path} ] && rm -f -- ${path}`
  return sh`t=${`${parentOf(path)}/.tsspray`}.$$.tmp
${clear}${beside} || exit 91
${drop}
mv -f -- "$t" ${path} || { rm -f -- "$t"; exit 91; }`
}

/** Mends attributes and times of what is there. */
async function* settle(task: Task, path: string, now: Stat, base: JsonObject, diff: FileDiff): Run {
  const { found, times } = task
  const steps = attributeSteps(now, found.wanted, path)
  const time = timeStep(path, now, times, found.times)
  const full = withSteps(diff, steps, time)
  if (steps.length === 0 && !time) return { ...base, changed: false, diff: full, ...pathInfo(now) }
  const done = yield {
    what: 'attributes',
    script: sh`${stepScripts(steps, path)}${time ? time.script : sh`:`}
${statProbe(path).script}`,
    onFailure: 'tell',
    diff: full,
    counts: time !== undefined || steps.some((s) => !s.idle),
  }
  const changed = time !== undefined || steps.some((s) => !s.idle)
  if (!done) return { ...base, changed: true, diff: full, ...pathInfo(now) }
  return { ...base, changed, diff: full, ...pathInfo(statAfter(done, path, now)) }
}

/** What the attributes belong to: the target of a link that is followed. */
function followed({ args, path, found }: Task): { path: string; now: Stat | Missing } {
  const { here } = found
  if (!args.follow || !isThere(here) || here.kind !== 'link') return { path, now: here }
  return { path: here.realPath ?? path, now: found.real }
}

export type FileDiff = {
  readonly before: Record<string, Json>
  readonly after: Record<string, Json>
}

function diffOf(path: string, state: string, was: string): FileDiff {
  return was === state ? { before: { path }, after: { path } } : { before: { path, state: was }, after: { path, state } }
}

function withSteps(diff: FileDiff, steps: readonly Step[], time?: TimeStep): FileDiff {
  const more = stepsDiff(steps)
  return { before: { ...diff.before, ...more.before, ...time?.before }, after: { ...diff.after, ...more.after, ...time?.after } }
}

/** The exit code of a step that sets flags. */
const FLAGS_FAILED = 75

/** The stat that a change printed at its end, or the failure its exit code means. */
export function statAfter(done: Output, path: string, was?: Stat | Missing): Stat | Missing {
  const told = { path, ...(was === undefined ? {} : pathInfo(was)) }
  if (done.code === 76) throw new ModuleFailure(`Error while updating modification or access time: ${textOf(done.stderr).trim()}`, told)
  if (done.code !== 0) {
    const said = textOf(done.stderr)
    if (done.code === FLAGS_FAILED)
      throw new ModuleFailure(attributeFailure(done.code)!, { ...told, details: `Error while setting attributes: ${said}` })
    const details = said.trim()
    throw new ModuleFailure(`${attributeFailure(done.code) ?? `could not change ${path}`}${details === '' ? '' : `: ${details}`}`, told)
  }
  return statProbe(path).read(new Fields(done.stdout))
}

/** A failure tells what was found at the path. */
function failure(message: string, found: Stat | Missing, result: JsonObject = {}): ModuleFailure {
  const named = result['path'] !== undefined || result['dest'] !== undefined
  return new ModuleFailure(message, { ...result, ...(named ? pathInfo(found) : {}) })
}

const ERRNO: Readonly<Record<Missing['why'], number>> = { absent: 2, 'not-a-directory': 20, loop: 40, 'no-permission': 13 }

/** The errno and its words for a path that could not be made. */
function errnoText(here: Stat | Missing, parent: Stat | Missing, path: string, done: Output, made = false): string {
  // folders that were missing on the way have been made, or this one tells why not
  const why = !parent.exists
    ? made && parent.why === 'absent'
      ? undefined
      : parent.why
    : parent.kind !== 'directory'
      ? 'not-a-directory'
      : undefined
  if (why === undefined) return textOf(done.stderr).trim()
  const said = !here.exists && here.why !== 'absent' ? here.why : why
  return `[Errno ${ERRNO[said]}] ${REASONS[said]}: b'${path}'`
}
