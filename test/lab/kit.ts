/** What tests of faults share: playbooks run by the built program on hosts of the lab, things done to hosts meanwhile, and looks at what is left there. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'

/** The numbers of three hosts of the lab. */
export const hosts = (process.env['LAB_HOSTS'] ?? '1,2,3').split(',')
export const LAB = process.env['LAB'] ?? '/tmp/tsspray-lab'
export const KEY = `${LAB}/key`
const MAIN = process.env['LAB_MAIN'] ?? join(import.meta.dirname, '../../dist/main.js')
export const LAB_SH = join(import.meta.dirname, 'lab.sh')

export const address = (n: string): string => `10.77.0.${10 + Number(n)}`

/** A command on a host, beside ssh; its output. */
export const on = (n: string, script: string): string =>
  execFileSync('bash', [LAB_SH, 'exec', n, 'bash', '-c', script], { encoding: 'utf8' })

/** Packets to and from a host vanish; nobody is told. */
export const link = (n: string, state: 'up' | 'down'): void => void execFileSync('ip', ['link', 'set', `v${n}`, state])

/** What the traffic of a host goes through; nothing: as it was. */
export function slow(n: string, ...how: string[]): void {
  execFileSync(
    'tc',
    how.length === 0 ? ['qdisc', 'del', 'dev', `v${n}`, 'root'] : ['qdisc', 'add', 'dev', `v${n}`, 'root', 'netem', ...how],
  )
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export async function until(holds: () => boolean, what: string, milliseconds = 60_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!holds()) {
    if (Date.now() > end) throw new Error(`it did not come so far: ${what}`)
    await pause(50)
  }
}

/** Programs of the host's own that come and go by themselves. */
const OWN = /^(systemd.*|\(sd-.*|dbus-.*|agetty|login|cron|apt.*|unattended-.*|sshd|ps|nsenter|\(.*\))$/
const PROCESSES = `ps -e -o pid= -o user= -o comm= -o args=; for p in $(pgrep -x sshd); do tr '\\0' ' ' </proc/$p/cmdline; echo; done | grep -c '@notty\\|@pts'; :`
/** Where we and those we imitate put things. */
const PLACES =
  'find /tmp /var/tmp /dev/shm /root /home /etc/fault* -mindepth 1 -not -path "*/systemd-private-*" -not -name .ansible_async -not -name .bash_history -not -name .sudo_as_admin_successful 2>/dev/null | sort; :'

/** What a host has: its processes, and files in folders for temporary ones. */
function stateOf(n: string): { processes: string[]; files: string[]; sessions: number } {
  const lines = on(n, PROCESSES).trimEnd().split('\n')
  const sessions = Number(lines.pop())
  const processes = lines
    .map((line) => /^\s*\d+ (\S+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null && !OWN.test(found[2]!))
    .map((found) => `${found![1]}: ${found![3]}`)
  return { processes, files: on(n, PLACES).split('\n'), sessions }
}

/** Remembers what some hosts have; the function that comes back demands that there is no more, after some seconds at the latest. */
export function clean(...those: string[]): (within?: number) => Promise<void> {
  const before = new Map(those.map((n) => [n, stateOf(n)]))
  const more = (n: string): unknown => {
    const [then, now] = [before.get(n)!, stateOf(n)]
    const left = [...then.processes]
    const processes = now.processes.filter((each) => {
      const at = left.indexOf(each)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    return { processes, files: now.files.filter((file) => !then.files.includes(file)), sessions: Math.max(0, now.sessions - then.sessions) }
  }
  return async (within = 6000) => {
    for (const n of those) await expect.poll(() => more(n), { timeout: within, interval: 300, message: `left on node${n}` }).toEqual({ processes: [], files: [], sessions: 0 }) // biome-ignore format: short
  }
}

export interface Ran {
  readonly text: string
  readonly code: number | null
  readonly seconds: number
}

export interface Running {
  readonly child: ChildProcess
  readonly text: () => string
  readonly done: Promise<Ran>
}

export interface How {
  /** of the inventory's hosts, for all of them */
  readonly vars?: Readonly<Record<string, string>>
  readonly on?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** lines of the inventory for the hosts, in place of the usual ones */
  readonly inventory?: readonly string[]
}

/** A folder for playbooks, with a way to run them. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'faults-'))
  readonly main = MAIN
  private count = 0

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  file(name: string, content: string | Buffer): string {
    writeFileSync(join(this.path, name), content)
    return join(this.path, name)
  }

  /** Runs tasks (YAML, each beginning with `- `) in a play without facts. */
  start(tasks: string, how: How = {}): Running {
    const id = ++this.count
    const vars = { ansible_user: 'admin', ansible_ssh_private_key_file: KEY, ansible_host_key_checking: 'false', ...how.vars }
    const lines = how.inventory ?? (how.on ?? hosts).map((n) => `node${n} ansible_host=${address(n)}`)
    const said = Object.entries(vars).map(([name, value]) => `${name}=${value}`)
    const inventory = this.file(`inventory${id}.ini`, `${lines.join('\n')}\n[all:vars]\n${said.join('\n')}\n`)
    const body = tasks.trim().startsWith('- hosts')
      ? tasks
      : `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.replace(/^/gm, '    ')}\n`
    const playbook = this.file(`play${id}.yml`, body)
    const began = Date.now()
    const env = { ...process.env, NO_COLOR: '1', ANSIBLE_CONFIG: '/dev/null', ...how.env }
    const child = spawn(process.execPath, [MAIN, playbook, '-i', inventory, ...(how.args ?? [])], { cwd: this.path, env })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
    const done = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, text, seconds: (Date.now() - began) / 1000 })))
    return { child, text: () => text, done }
  }

  run(tasks: string, how: How = {}): Promise<Ran> {
    return this.start(tasks, how).done
  }

  /** Does something to a host a moment after a task has begun. */
  async during(task: string, fault: () => void, tasks: string, how: How = {}): Promise<Ran> {
    const run = this.start(tasks, how)
    await until(() => run.text().includes(`TASK [${task}]`), `TASK [${task}]`)
    await pause(1200)
    fault()
    return run.done
  }
}
