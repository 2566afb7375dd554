/** The folder of all runs: a new run's own folder, which runs there are, and which are old enough to go. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { HostStats } from '../events/index.ts'

/** What `run.json` says of a run. */
export interface RunFile {
  readonly format: 1
  readonly id: string
  /** the program's release */
  readonly version: string
  /** as it was typed, but for secrets */
  readonly argv: readonly string[]
  /** a secret was typed, which is not kept */
  readonly hidesSecrets: boolean
  readonly cwd: string
  /** milliseconds since the epoch: the beginning, and each time that it was gone on with */
  readonly started: number
  readonly resumed: readonly number[]
  readonly playbooks: readonly string[]
  /** who is at it */
  readonly process: Worker
  readonly end?: End | undefined
}

/** How a run came to its end. */
export interface End {
  readonly at: number
  readonly code: number
  readonly interrupted: boolean
  readonly hosts: { readonly [host: string]: HostStats }
}

export interface Worker {
  readonly host: string
  readonly pid: number
  /** when the process began, as the kernel counts; undefined where it does not tell */
  readonly born: string | undefined
}

/** `ok` and `failed` have come to their end; `running` is still at it; `cut off` ended without a word. */
export type State = 'ok' | 'failed' | 'interrupted' | 'running' | 'cut off'

const ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/

export const isRunId = (text: string): boolean => ID.test(text)

/** An id that sorts by time. */
export function newRunId(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}-${randomBytes(2).toString('hex')}`
}

/** Makes a run's folder, which nobody else can look into. */
export function makeFolder(root: string, id: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const folder = join(root, id)
  mkdirSync(folder, { mode: 0o700 })
  chmodSync(folder, 0o700)
  return folder
}

export function writeRun(folder: string, run: RunFile): void {
  const beside = join(folder, 'run.json.new')
  writeFileSync(beside, `${JSON.stringify(run, null, 1)}\n`, { mode: 0o600 })
  renameSync(beside, join(folder, 'run.json'))
}

export function readRun(folder: string): RunFile | undefined {
  try {
    const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunFile
    return run.format === 1 ? run : undefined
  } catch {
    return undefined
  }
}

/** Ids of the runs, the newest first. */
export function runIds(root: string): string[] {
  try {
    return readdirSync(root).filter(isRunId).sort().reverse()
  } catch {
    return []
  }
}

/** Removes all but the newest; those that somebody is at stay. */
export function prune(root: string, keep: number): void {
  for (const id of runIds(root).slice(Math.max(1, keep))) {
    const run = readRun(join(root, id))
    if (run && stateOf(run) === 'running') continue
    try {
      rmSync(join(root, id), { recursive: true, force: true })
    } catch {
      // another run is at it, too
    }
  }
}

export function stateOf({ end, process }: RunFile): State {
  if (end) return end.interrupted ? 'interrupted' : end.code === 0 ? 'ok' : 'failed'
  return isAlive(process) ? 'running' : 'cut off'
}

export const thisProcess = (): Worker => ({ host: hostname(), pid: process.pid, born: birthOf(process.pid) })

/** Of another machine's process nothing can be known: it counts as gone. */
function isAlive({ host, pid, born }: Worker): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return born === undefined || birthOf(pid) === born
}

/** The 22nd field of the kernel's line; the second may have blanks in it. */
function birthOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
