/** Runs a module: takes the changes it yields and alone makes them so, or only notes them in check mode. */
import { isUtf8 } from 'node:buffer'
import { type Json, type JsonObject, Problem } from '../base/index.ts'
import type { Become } from '../become/index.ts'
import { afterReceiving, requireReceived, type Session, smallContent } from '../connect/index.ts'
import { type Change, type Diff, type Done, type Host, type Module, ModuleFailure, type Result, type Upload } from '../modules/index.ts'
import type { Args, Params } from '../params/index.ts'
import { type Output, type Script, sh, textOf, userScript } from '../remote/index.ts'
import { type Detached, runDetached } from './detached.ts'

export interface ApplyContext {
  readonly check: boolean
  readonly diff: boolean
  /** bytes of a file beyond which no difference is told */
  readonly maxDiff?: number | undefined
  readonly session: () => Promise<Session>
  readonly become: Become | undefined
  readonly env: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** the changes are made by a job that outlives its connection */
  readonly detached?: Detached | undefined
  /** called before a change that counts is made */
  readonly onChange?: (() => void) | undefined
  readonly onOutput?: ((chunk: Uint8Array, stream: 'stdout' | 'stderr') => void) | undefined
}

/** The result of a module as Ansible has it; a failed module is a result with `failed`. Connection problems are thrown. */
export async function runModule(module: Module, args: Args<Params>, host: Host, context: ApplyContext): Promise<Result> {
  if (context.check && module.checkMode === false) return skippedInCheck(module, host.task.action)
  const noted: Noted = { changed: false, diffs: [] }
  try {
    const result = await drain(module.run(args, host), context, noted)
    return finished(result, noted, context)
  } catch (error) {
    if (error instanceof ModuleFailure) return { changed: false, ...error.result, failed: true, msg: error.said as string }
    if (context.signal.aborted) throw error
    if (error instanceof Problem) throw error
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return {
      changed: noted.changed,
      failed: true,
      msg: `Unexpected failure during module execution: ${(error as Error).message ?? error}`,
      exception: what,
    }
  }
}

interface Noted {
  changed: boolean
  readonly diffs: Diff[]
}

async function drain(steps: AsyncGenerator<Change, Result, Done>, context: ApplyContext, noted: Noted): Promise<Result> {
  let done: Done
  for (;;) {
    const step = await steps.next(done)
    if (step.done) return step.value
    done = await make(step.value, context, noted)
  }
}

async function make(change: Change, context: ApplyContext, noted: Noted): Promise<Done> {
  if (change.diff) noted.diffs.push(...[change.diff].flat())
  if (context.check && !change.inCheck) {
    if (change.counts !== false) noted.changed = true
    return undefined
  }
  if (change.counts !== false) context.onChange?.()
  const output = await perform(change, context)
  if (output.code !== 0 && change.onFailure !== 'tell') throw failure(change, output)
  if (change.counts !== false) noted.changed = true
  return output
}

/** Uploads what the change needs, runs its script, removes the uploads again. */
export async function perform(change: Change, context: ApplyContext): Promise<Output> {
  const session = await context.session()
  const { become, signal } = context
  const env = change.env ? new Map([...context.env, ...change.env]) : context.env
  const options = {
    become,
    env,
    signal,
    stdin: change.stdin,
    tty: change.tty,
    ownChannel: change.ownChannel,
    timeoutSeconds: change.timeoutSeconds,
    onOutput: context.onOutput,
  }
  const run = (script: Script): Promise<Output> =>
    context.detached ? runDetached(context.session, script, options, context.detached) : session.run(script, options)
  if (!change.upload?.length) return run(change.script)
  const received = change.receives ? await receivedWords(session, change.upload) : undefined
  if (received !== undefined) return run(sh`${received}${change.script}`)
  const folder = await session.scratch(become)
  const paths = change.upload.map(() => `${folder}/${uploadName()}`)
  // the last one travels with the script where it is small and nothing else is read there
  const own = context.detached || change.stdin !== undefined || change.tty || change.ownChannel
  const last = own ? undefined : await smallContent(session.endpoint.name, change.upload.at(-1)!)
  for (const [i, upload] of change.upload.entries()) {
    if (last === undefined || i < paths.length - 1) await session.put(paths[i]!, upload, { become, signal })
  }
  const receiving = change.receives ? receivedFunction(paths.map((path) => sh`cat <${path}`)) : sh``
  const script = withUploads(sh`${receiving}${change.script}`, paths)
  if (last === undefined) return run(script)
  const path = paths.at(-1)!
  const output = await session.run(afterReceiving(path, script), { ...options, stdin: last })
  requireReceived(session.endpoint.name, path, output)
  return output
}

/** What fits well into a frame, all files together. */
const MOST_IN_FRAME = 64 * 1024

/** `received` for small texts, as words to printf, so that no program and no file is needed to receive them; undefined where that will not do. */
async function receivedWords(session: Session, uploads: readonly Upload[]): Promise<Script | undefined> {
  const contents = await Promise.all(uploads.map((upload) => smallContent(session.endpoint.name, upload)))
  const small = contents.filter((bytes) => bytes !== undefined && isUtf8(bytes)) as Uint8Array[]
  if (small.length < uploads.length || small.reduce((sum, { length }) => sum + length, 0) > MOST_IN_FRAME) return undefined
  return receivedFunction(small.map((bytes) => sh`printf ${printfFormat(textOf(bytes))}`))
}

/** Without a number the first is meant. */
const receivedFunction = (writers: readonly Script[]): Script => sh`received() { case \${1-1} in
${writers.reduce(
  (all, writer, i) => sh`${all}${i + 1}) ${writer} ;;
`,
  sh``,
)}esac; }
`

/** Signs that mean something to printf or to a shell are written as numbers. */
const printfFormat = (text: string): string =>
  text.replace(/^-|[\0%\\'&]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)

/** The script with the uploaded paths as "$1", "$2" …; what it leaves of them is removed, its exit status kept. */
function withUploads(script: Script, paths: readonly string[]): Script {
  return sh`set -- ${paths}
( ${userScript(`\n${script.text}\n`)} )
set -- $?
rm -f -- ${paths}
exit "$1"`
}

let uploads = 0
const uploadName = (): string => `u${++uploads}.${Math.random().toString(36).slice(2, 8)}`

function failure(change: Change, output: Output): ModuleFailure {
  const stderr = textOf(output.stderr)
  const stdout = textOf(output.stdout)
  const said = (stderr || stdout).trim()
  const message = change.failMessage
    ? said
      ? `${change.failMessage}: ${said}`
      : change.failMessage
    : said || `${change.what} failed with status ${output.code}`
  return new ModuleFailure(message, { rc: output.code, stdout, stderr })
}

function finished(result: Result, noted: Noted, context: ApplyContext): Result {
  const out: Record<string, Json | undefined> = { ...result }
  out['changed'] = result.changed ?? noted.changed
  if (context.diff && noted.diffs.length > 0 && out['diff'] === undefined) {
    const all = noted.diffs.map(diffJson)
    out['diff'] = all.length === 1 ? all[0] : all
  }
  if (context.maxDiff !== undefined && out['diff'] !== undefined) out['diff'] = limited(out['diff'], context.maxDiff)
  return out as Result
}

/** Differences of files that are too large to be told. */
function limited(diff: Json, max: number): Json {
  if (Array.isArray(diff)) return diff.map((one: Json) => limited(one, max))
  if (typeof diff !== 'object' || diff === null) return diff
  const { before, after } = diff as JsonObject
  if (sizeOf(before) > max) return { dst_larger: max }
  return sizeOf(after) > max ? { src_larger: max } : diff
}

const sizeOf = (side: Json | undefined): number => (typeof side === 'string' ? Buffer.byteLength(side) : 0)

/** A diff under the names that Ansible's callbacks know. */
function diffJson(diff: Diff): JsonObject {
  if (diff.prepared !== undefined) return { prepared: diff.prepared }
  return {
    before: diff.before ?? '',
    after: diff.after ?? '',
    ...(diff.beforeHeader === undefined ? {} : { before_header: diff.beforeHeader }),
    ...(diff.afterHeader === undefined ? {} : { after_header: diff.afterHeader }),
  }
}

function skippedInCheck(module: Module, action: string): Result {
  const name = module.name.replace(/^ansible\.builtin\./, '')
  return {
    skipped: true,
    changed: false,
    msg: module.checkWords?.replace('%s', () => action) ?? `remote module (${name}) does not support check mode`,
  }
}
