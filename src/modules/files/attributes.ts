/** Compares the owner, group, mode, SELinux context and file flags of a path with what is wanted, and makes the steps between. */
import type { Json, JsonObject, Value } from '../../base/index.ts'
import { bool, raw, str } from '../../params/index.ts'
import {
  groupIdProbe,
  known,
  type Probe,
  type Script,
  type Self,
  type Stat,
  selfProbe,
  sh,
  together,
  userIdProbe,
} from '../../remote/index.ts'
import { ModuleFailure } from '../api.ts'
import { pathInfo } from './info.ts'
import { isSymbolic, modeOf, modeText } from './mode.ts'

/** The parameters that all modules that write files share. */
export const attributeParams = {
  mode: raw(),
  owner: str(),
  group: str(),
  seuser: str(),
  serole: str(),
  setype: str(),
  selevel: str(),
  attributes: str({ aliases: ['attr'] }),
  unsafe_writes: bool(),
} as const

/** What is wanted of a path, as given. */
export interface AttributeArgs {
  readonly mode?: Value | undefined
  readonly owner?: string | undefined
  readonly group?: string | undefined
  readonly seuser?: string | undefined
  readonly serole?: string | undefined
  readonly setype?: string | undefined
  readonly selevel?: string | undefined
  readonly attributes?: string | undefined
}

/** The same with names looked up on the host. */
export interface Wanted {
  readonly args: AttributeArgs
  readonly uid: number | undefined
  readonly gid: number | undefined
  readonly self: Self | undefined
}

/** One difference: what it is called in diffs, both values, and the script that mends it at a shell word. */
export interface Step {
  readonly what: 'context' | 'owner' | 'group' | 'mode' | 'attributes'
  readonly before: Json
  readonly after: Json
  readonly script: (path: Script | string) => Script
  /** has no effect and does not count outside check mode: the mode of a link */
  readonly idle?: boolean
}

/** Asks for the ids of the names in the arguments; `self` asks who the asker is, as new files need. */
export function wantedProbe(args: AttributeArgs, options: { readonly self?: boolean } = {}): Probe<Wanted> {
  const asked = together({
    uid: args.owner === undefined ? known(undefined) : userIdProbe(args.owner),
    gid: args.group === undefined ? known(undefined) : groupIdProbe(args.group),
    self: options.self || isSymbolic(args.mode) ? selfProbe : known(undefined),
  })
  return { script: asked.script, read: (fields) => ({ args, ...asked.read(fields) }) }
}

/** What the steps start from: a stat, or what a new path would have. */
export type Now = Pick<Stat, 'uid' | 'gid' | 'mode' | 'kind' | 'context' | 'attributes'>

/** What a file or directory has that was just made by the asker. */
export function newborn(kind: 'file' | 'directory', self: Self, mode = kind === 'file' ? 0o666 : 0o777, parent?: Parent): Now {
  const heir = parent?.exists === true && (parent.mode & 0o2000) !== 0
  const bits = (mode & ~self.umask) | (heir && kind === 'directory' ? 0o2000 : 0)
  return { kind, uid: self.uid, gid: heir ? parent.gid : self.gid, mode: bits, context: undefined, attributes: undefined }
}

/** A folder with the set-group-id bit gives its group, and folders the bit too. */
type Parent = Pick<Stat, 'exists' | 'mode' | 'gid'> | { readonly exists: false }

/**
 * The differences, in the order in which they are mended. Throws a ModuleFailure for unknown names and modes that are none.
 * `fresh`: the path is made by the same script, and its folder may have given it a group or set-id bit that nobody saw; so all that is wanted is set.
 */
export function attributeSteps(now: Now, wanted: Wanted, path: string, fresh = false): Step[] {
  const owner = ownerStep(now, wanted, path, fresh)
  const group = groupStep(now, wanted, path, fresh)
  const reowned = owner.length + group.length > 0
  return [...contextStep(now, wanted), ...owner, ...group, ...modeStep(now, wanted, path, reowned, fresh), ...flagStep(now, wanted)]
}

/** Before and after of steps, as diffs of files show them. */
export function stepsDiff(steps: readonly Step[]): { before: Record<string, Json>; after: Record<string, Json> } {
  const key = (s: Step): string => (s.what === 'context' ? 'secontext' : s.what)
  const seen = steps.filter((s) => s.before !== s.after)
  return {
    before: Object.fromEntries(seen.map((s) => [key(s), s.before])),
    after: Object.fromEntries(seen.map((s) => [key(s), s.after])),
  }
}

function ownerStep(now: Now, wanted: Wanted, path: string, fresh: boolean): Step[] {
  if (wanted.args.owner === undefined) return []
  const uid = wanted.uid
  if (uid === undefined) throw new ModuleFailure(`chown failed: failed to look up user ${wanted.args.owner}`, { path, ...found(now) })
  if (now.uid === uid && !fresh) return []
  return [
    { what: 'owner', before: now.uid, after: uid, script: (p) => guarded(sh`chown -h ${uid} -- ${p}`, 'owner'), idle: now.uid === uid },
  ]
}

function groupStep(now: Now, wanted: Wanted, path: string, fresh: boolean): Step[] {
  if (wanted.args.group === undefined) return []
  const gid = wanted.gid
  if (gid === undefined) throw new ModuleFailure(`chgrp failed: failed to look up group ${wanted.args.group}`, { path, ...found(now) })
  if (now.gid === gid && !fresh) return []
  return [
    { what: 'group', before: now.gid, after: gid, script: (p) => guarded(sh`chgrp -h ${gid} -- ${p}`, 'group'), idle: now.gid === gid },
  ]
}

/** A failure tells what is there. */
const found = (now: Now): JsonObject => ('exists' in now ? pathInfo(now as Stat) : {})

/** A change of owner clears set-id bits, so the mode is set again after one. */
function modeStep(now: Now, wanted: Wanted, path: string, reowned: boolean, fresh: boolean): Step[] {
  const given = wanted.args.mode
  if (given === undefined || given === null) return []
  const mode = modeOf(given, { mode: now.mode, directory: now.kind === 'directory', umask: wanted.self?.umask ?? 0o022 })
  if (typeof mode !== 'number')
    throw new ModuleFailure('mode must be in octal or symbolic form', { path, details: mode.wrong, ...found(now) })
  if ((mode & ~0o7777) !== 0 || mode < 0)
    throw new ModuleFailure('Invalid mode supplied, only permission info is allowed', { path, details: mode, ...found(now) })
  if (mode === now.mode && !fresh && !(reowned && (mode & 0o6000) !== 0)) return []
  const idle = now.kind === 'link' || mode === now.mode
  const script =
    now.kind === 'link' ? () => sh`:` : (p: Script | string) => guarded(sh`chmod ${mode.toString(8).padStart(5, '0')} -- ${p}`, 'mode')
  return [{ what: 'mode', before: modeText(now.mode), after: modeText(mode), script, idle }]
}

const CONTEXT_PARTS = ['seuser', 'serole', 'setype', 'selevel'] as const

function contextStep(now: Now, wanted: Wanted): Step[] {
  if (now.context === undefined || CONTEXT_PARTS.every((p) => wanted.args[p] === undefined)) return []
  const current = splitContext(now.context)
  // `_default` asks for what the policy says, which restorecon knows
  const byPolicy = CONTEXT_PARTS.some((p) => wanted.args[p] === '_default')
  const next = CONTEXT_PARTS.map((p, i) => (wanted.args[p] === undefined || wanted.args[p] === '_default' ? current[i]! : wanted.args[p]!))
  if (!byPolicy && next.join(':') === current.join(':')) return []
  const script = (p: Script | string): Script =>
    guarded(byPolicy ? sh`restorecon -F -- ${p} && chcon -h ${next.join(':')} -- ${p}` : sh`chcon -h ${next.join(':')} -- ${p}`, 'context')
  return [{ what: 'context', before: current, after: next, script }]
}

/** user, role, type and level; the level has colons of its own. */
function splitContext(context: string): string[] {
  const parts = context.split(':')
  return [parts[0] ?? '', parts[1] ?? '', parts[2] ?? '', parts.slice(3).join(':')]
}

function flagStep(now: Now, wanted: Wanted): Step[] {
  const given = wanted.args.attributes
  if (given === undefined) return []
  const operator = /^[-+]/.exec(given)?.[0] ?? '='
  const flags = given.replace(/^[-+]/, '')
  const current = now.attributes?.flags ?? ''
  // all flags are compared, also those that nobody named: a flag to be added or taken away is told as a change each time
  if (flags === '' || (current === flags && operator !== '-')) return []
  return [
    {
      what: 'attributes',
      before: current,
      after: operator + flags,
      script: (p) => guarded(sh`chattr ${operator + flags} -- ${p}`, 'attributes'),
    },
  ]
}

/** Exit codes of steps that failed, for `attributeFailure`. */
const STEP_CODES: Readonly<Record<Step['what'], number>> = { context: 71, owner: 72, group: 73, mode: 74, attributes: 75 }

const STEP_MESSAGES: Readonly<Record<number, string>> = {
  71: 'set selinux context failed',
  72: 'chown failed',
  73: 'chgrp failed',
  74: 'chmod failed',
  75: 'chattr failed',
}

const guarded = (script: Script, what: Step['what']): Script => sh`${script} || exit ${STEP_CODES[what]}`

/** What a failed step's exit code means, or undefined where it is none of ours. */
export const attributeFailure = (code: number): string | undefined => STEP_MESSAGES[code]
