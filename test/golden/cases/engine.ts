/** Cases in a folder → one play of all their tasks, run by an engine: the result of each task. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asideOf, hideProgramsFor, layTools, toolsOf } from '../../harness/busybox.ts'
import { type Case, type Dict, PRIVATE } from './case.ts'

export interface Engine {
  readonly name: string
  readonly command: readonly string[]
  /** what the `sh` of the host is; nothing for the machine's own */
  readonly shell?: readonly string[]
  /** whether the host has BusyBox and no other programs */
  readonly bare?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** What becomes a copy of its own where that can be had: accounts, tables, tasks of cron. */
const OWN = ['/etc', '/var/spool/cron', '/var/lib/dpkg/alternatives']

/** Where a run finds what it needs. */
export const placeOf = (root: string) => ({
  work: join(root, 'w'),
  system: PRIVATE ? join(root, 's') : '/',
  log: join(root, 'log'),
})

export const folderOf = (root: string, one: Case): string => join(placeOf(root).work, one.name)

/** Makes what is common to all cases: the private system, and a `sh` that writes down what it is told. */
export function prepare(root: string, engine: Engine, cases: readonly Case[]): void {
  const { work, system, log } = placeOf(root)
  for (const folder of [work, log, join(root, 'bin'), join(root, 'home')]) mkdirSync(folder, { recursive: true })
  if (PRIVATE)
    for (const path of OWN.filter((path) => existsSync(path))) {
      mkdirSync(dirname(join(system, path)), { recursive: true })
      execFileSync('cp', ['-a', path, join(system, path)])
    }
  if (engine.bare === true) layTools(root)
  const programs = cases.flatMap((one) => Object.entries(one.programs))
  for (const [name, body] of programs) writeProgram(join(root, 'bin', name), body)
  if (engine.shell === undefined) return
  const words = engine.shell.join(' ')
  writeProgram(join(root, 'bin/sh'), `[ $# -gt 0 ]&&exec ${words} "$@"\ntee ${log}/$$|exec ${words}`)
}

function writeProgram(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

/** Runs the tasks of all cases; results by case, then by task. */
export async function play(engine: Engine, root: string, cases: readonly Case[], words: readonly string[], url: string): Promise<Dict[][]> {
  const { system } = placeOf(root)
  const playbook = join(root, 'play.yml')
  const tasks = cases.map((one) => ({
    name: one.name,
    vars: { ...one.vars, d: folderOf(root, one) },
    block: one.tasks.map((task) => ({ name: one.name, ...task })),
  }))
  const play = { hosts: 'all', gather_facts: false, ignore_errors: true, vars: { url, ansible_python_interpreter: '/usr/bin/python3' } }
  writeFileSync(playbook, JSON.stringify([{ ...play, tasks }]))
  const [program, ...rest] = engine.command
  const isBare = engine.bare === true && PRIVATE
  const command = [isBare ? asideOf(root) : program!, ...rest, '-i', 'here,', '-c', 'local', '-D', ...words, playbook]
  const own = OWN.filter((path) => existsSync(path)).map((path) => `mount --bind '${join(system, path)}' '${path}'`)
  const mounts = [...own, ...(isBare ? hideProgramsFor(root, program!) : [])]
  const all = PRIVATE ? ['unshare', '-mu', 'sh', '-c', [...mounts, 'exec "$@"'].join('&&'), 'sh', ...command] : command
  const { out, err } = await run(all, root, environment(engine, root))
  const found = new Map<string, Dict[]>(cases.map(({ name }) => [name, []]))
  try {
    const told = JSON.parse(out.slice(out.search(/^\{$/m))) as Told
    for (const { task, hosts } of told.plays.flatMap((one) => one.tasks)) found.get(task.name)?.push(hosts['here'] ?? {})
  } catch (cause) {
    throw new Error(`${engine.name} told nothing that can be read:\n${out.slice(-2000)}\n${err.slice(-3000)}`, { cause })
  }
  return cases.map(({ name }) => found.get(name)!)
}

interface Told {
  readonly plays: readonly {
    readonly tasks: readonly { readonly task: { readonly name: string }; readonly hosts: Readonly<Record<string, Dict>> }[]
  }[]
}

function environment(engine: Engine, root: string): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ANSIBLE|TSSPRAY|LC_|LANG|VITEST|NODE_)/.test(name)),
  )
  const all = `${process.env['PATH']}:/usr/sbin:/sbin`
  return {
    ...inherited,
    ...{
      HOME: join(root, 'home'),
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      PATH: `${join(root, 'bin')}:${engine.bare === true ? toolsOf(root) : all}`,
    },
    ...{ ANSIBLE_STDOUT_CALLBACK: 'json', ANSIBLE_RETRY_FILES_ENABLED: '0', ANSIBLE_LOCALHOST_WARNING: '0', ANSIBLE_PIPELINING: '1' },
    ...engine.env,
  }
}

function run(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<{ out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0]!, command.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', () => resolve({ out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }))
  })
}

export const readLog = (root: string, name: string): string => readFileSync(join(placeOf(root).log, name), 'latin1')
