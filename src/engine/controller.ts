/** The controller's side of a task, as modules see it: files on its search path, templates, variables, a person to ask. */
import { spawn } from 'node:child_process'
import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem, type Raw, type Span, type Value } from '../base/index.ts'
import type { Controller } from '../modules/index.ts'
import type { Task } from '../playbook/index.ts'
import type { Output } from '../remote/index.ts'
import type { FileOptions, TemplateFiles } from '../template/index.ts'
import { type LayeredScope, mapLayer } from '../vars/index.ts'
import type { Run } from './state.ts'
import { isFromHost } from './written.ts'

export interface ControllerParts {
  readonly run: Run
  readonly scope: LayeredScope
  readonly files: TemplateFiles
  readonly playbookDir: string
  readonly where: Span | undefined
  readonly task: Task
}

export function controllerOf(parts: ControllerParts): Controller {
  const { run, scope, files } = parts
  const written = (text: string): string => {
    if (!isFromHost(text, parts.task, scope, run.templar)) return text
    throw new Problem('Conditional is marked as unsafe, and cannot be evaluated.', {
      kind: 'template',
      notes: ['it comes from what a host said, and would be evaluated here'],
    })
  }
  return {
    find: (kind, name) => files.find(kind, name),
    folders: (kind) => files.folders(kind),
    read: bytesOf,
    source: (path) => ({ name: path, text: openedText(path, run.readText) }),
    stat: statOf,
    walk,
    write: writeByRename,
    exec,
    renderFile: (source, options, extraVars) => run.templar.renderFile(source, scope.with(mapLayer(extraVars)), options as FileOptions),
    render: (raw: Raw) => run.templar.render(raw, scope),
    condition: (raw: Raw) => run.templar.condition(typeof raw === 'string' ? written(raw) : raw, scope),
    expression: (text: string) => run.templar.expression(written(text), scope),
    setting: (name: string): Value | undefined => scope.run?.setting?.(name),
    variable: (name: string): Value | undefined => scope.get(name),
    readVars: (path) => run.readVars(path),
    say: (text, kind = 'say') => run.bus.emit({ kind, text }),
    keys: (wanted) => run.gate.alone(() => run.keys(wanted)),
    playbookDir: parts.playbookDir,
    where: parts.where,
  }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new Problem(`cannot read ${path}: ${(error as Error).message}`, { kind: 'file', cause: error })
  }
}

/** Files that modules send are missed in words of their own where there is no secret at all. */
function openedText(path: string, readText: (path: string) => string): string {
  try {
    return readText(path)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'vault' || !error.message.endsWith('no vault secrets found')) throw error
    throw new Problem(`A vault password or secret must be specified to decrypt ${path}`, { kind: 'vault', cause: error })
  }
}

async function statOf(path: string): ReturnType<Controller['stat']> {
  try {
    const s = await stat(path)
    return { kind: s.isFile() ? 'file' : s.isDirectory() ? 'directory' : 'other', mode: s.mode & 0o7777, size: s.size }
  } catch {
    return undefined
  }
}

type Walked = Awaited<ReturnType<Controller['walk']>>[number]

async function walk(path: string, options: { followLinks?: boolean } = {}): Promise<readonly Walked[]> {
  const out: Walked[] = []
  const visit = async (below: string, above: ReadonlySet<string>): Promise<void> => {
    const within = new Set([...above, identity(await stat(join(path, below)))])
    const entries = (await readdir(join(path, below))).sort()
    for (const name of entries) {
      const relative = below === '' ? name : `${below}/${name}`
      const full = join(path, relative)
      const info = await lstat(full)
      const seen = info.isSymbolicLink() && options.followLinks ? await behind(full, info, within) : info
      const mode = seen.mode & 0o7777
      if (seen.isSymbolicLink()) out.push({ path: relative, kind: 'link', target: await readlink(full), mode })
      else if (seen.isDirectory()) {
        out.push({ path: relative, kind: 'directory', mode })
        await visit(relative, within)
      } else if (seen.isFile()) out.push({ path: relative, kind: 'file', mode })
    }
  }
  await visit('', new Set())
  return out
}

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/** What a link leads to; a link to nowhere, or to a folder that it lies in, stays a link. */
async function behind(path: string, link: Stats, within: ReadonlySet<string>): Promise<Stats> {
  const target = await stat(path).catch(() => link)
  return target.isDirectory() && within.has(identity(target)) ? link : target
}

async function writeByRename(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = join(dirname(path), `.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`)
  await writeFile(beside, bytes)
  if (mode !== undefined) await chmod(beside, mode)
  await rename(beside, path)
}

function exec(
  argv: readonly string[],
  options: { stdin?: Uint8Array; env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0]!, argv.slice(1), {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code: code ?? (signal ? -1 : 0) }),
    )
    if (options.stdin) child.stdin?.end(options.stdin)
  })
}
