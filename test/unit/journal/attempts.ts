/** Runs of the site beside this file that are killed at a moment of one's choice, what they printed and what they left on the hosts. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const MAIN = process.env['TSSPRAY_MAIN'] ?? join(import.meta.dirname, '../../../dist/main.js')

/** As it was typed. */
export const COMMAND = ['-i', 'hosts', 'site.yml', '--vault-password-file', 'vault-password']

export interface Ended {
  readonly code: number | null
  readonly text: string
}

/** When a run is killed: with so many lines of steps in its journal, or after so many milliseconds. */
export interface Moment {
  readonly lines?: number
  readonly milliseconds?: number
  readonly signal?: NodeJS.Signals
}

/** A copy of the site with hosts and a journal of its own. */
export class Site {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'resume-')))
  readonly out = join(this.folder, 'out')
  readonly runs = join(this.folder, 'state', 'tsspray', 'runs')

  constructor() {
    cpSync(join(import.meta.dirname, 'site'), this.folder, { recursive: true })
    mkdirSync(this.out)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs the program to its end, or to its death. */
  async run(argv: readonly string[] = COMMAND, moment: Moment = {}): Promise<Ended> {
    const child = spawn(process.execPath, [MAIN, ...argv], { cwd: this.folder, env: this.env(), stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    const stop = this.#killing(child, moment)
    const code = await new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)))
    stop()
    return { code, text }
  }

  env(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !/^(ANSIBLE|TSSPRAY_(?!MAIN))/.test(name))
    return { ...Object.fromEntries(own), OUT: this.out, XDG_STATE_HOME: join(this.folder, 'state'), HOME: this.folder, NO_COLOR: '1' }
  }

  /** Kills the program, and what it runs, as soon as the moment has come. */
  #killing(child: ChildProcess, { lines, milliseconds, signal = 'SIGKILL' }: Moment): () => void {
    const kill = (): void => void child.kill(signal)
    if (milliseconds !== undefined) {
      const timer = setTimeout(kill, milliseconds)
      return () => clearTimeout(timer)
    }
    if (lines === undefined) return () => undefined
    const before = this.lines()
    const timer = setInterval(() => this.lines() >= before + lines && kill(), 1)
    return () => clearInterval(timer)
  }

  /** Lines of steps in the latest run's journal. */
  lines(): number {
    const path = this.file('steps.jsonl')
    return path === undefined ? 0 : readFileSync(path, 'latin1').split('\n').length - 1
  }

  /** A file of the latest run. */
  file(name: string): string | undefined {
    const id = existsSync(this.runs) ? readdirSync(this.runs).sort().at(-1) : undefined
    const path = id === undefined ? undefined : join(this.runs, id, name)
    return path !== undefined && existsSync(path) ? path : undefined
  }

  /** Every file below a folder of the site, with its text. */
  texts(below: string): Map<string, string> {
    const out = new Map<string, string>()
    const root = join(this.folder, below)
    if (!existsSync(root)) return out
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort())
      if (statSync(join(root, name)).isFile()) out.set(name, readFileSync(join(root, name), 'utf8'))
    return out
  }

  /** What is on the hosts: files, but for the numbers that were drawn, and for the logs of commands. */
  left(): Record<string, string> {
    const texts = this.texts('out')
    const drawn = (host: string): string => texts.get(`${host}/first`) ?? ''
    const told = [...texts]
      .filter(([name]) => !/\/(?:log|tries)$/.test(name))
      .map(([name, text]): [string, string] => {
        const numbers = ['a', 'b', 'c'].filter((host) => drawn(host) !== '')
        const plain = numbers.reduce(
          (all, host) => all.replaceAll(drawn(host), `(${host})`).replaceAll(sealed(drawn(host)), `(${host} sealed)`),
          text,
        )
        return [name, plain]
      })
    return Object.fromEntries(told)
  }

  /** How often each command has run on each host. */
  counts(): Map<string, number> {
    const out = new Map<string, number>()
    for (const [name, text] of this.texts('out')) {
      if (!name.endsWith('/log')) continue
      for (const line of text.split('\n').filter((each) => each !== '')) out.set(`${name} ${line}`, (out.get(`${name} ${line}`) ?? 0) + 1)
    }
    return out
  }
}

const sealed = (drawn: string): string => createHash('sha1').update(`staple-battery-17${drawn}`).digest('hex')

/** The recap's lines. */
export const recapOf = (text: string): string[] =>
  text
    .slice(text.lastIndexOf('PLAY RECAP'))
    .split('\n')
    .filter((line) => line.includes(' ok='))
