/** The process's streams as commands use them: text out, text to standard error, questions. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { Problem } from '../base/index.ts'
import { Exit } from './exit.ts'
import { gathered } from './gathered.ts'
import { keysFrom, type Pressed, type Waiting } from './keys.ts'
import { Lines } from './lines.ts'

/** Ctrl-C at a question. */
const INTERRUPTED = 99

export interface Terminal {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** width that titles fill */
  readonly columns: number
  readonly colour: boolean
  /** output is a terminal on which a line can be drawn over */
  readonly isTerminal: boolean
  /** somebody sits there who can be asked */
  readonly isInteractive: boolean
  out(text: string): void
  err(text: string): void
  /** Asks a person; throws a Problem of kind 'usage' where there is nobody. */
  ask(text: string, options: { readonly echo: boolean }): Promise<string>
  /** A line typed after a prompt on standard output, from a terminal or not; undefined at the end of input. */
  readLine(prompt: string): Promise<string | undefined>
  /** Waits for keys; only where somebody can be asked. */
  keys(waiting: Waiting): Promise<Pressed>
  /** everything that was written is out */
  flush(): Promise<void>
}

const FALLBACK_COLUMNS = 80

export function openTerminal(process: NodeJS.Process): Terminal {
  const { env, stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || tell(error))
  const tell = (error: Error): void => void stderr.write(`${error.message}\n`)
  const out = gathered(stdout)
  process.once('exit', out.flush)
  let piped: Lines | undefined
  const lines = (): Lines => {
    piped ??= new Lines(process.stdin)
    return piped
  }
  const history: string[] = []
  // standard input itself is opened by those who read it
  const isInteractive = isatty(0)
  return {
    cwd: process.cwd(),
    env,
    home: env['HOME'] ?? '/',
    columns: Number(env['COLUMNS']) || (stdout.isTTY ? stdout.columns : FALLBACK_COLUMNS),
    colour: wantsColour(env, stdout.isTTY === true),
    isInteractive,
    isTerminal: stdout.isTTY === true && stderr.isTTY === true && env['TERM'] !== 'dumb',
    out: out.write,
    err: (text) => {
      out.flush()
      stderr.write(text)
    },
    ask: (text, options) => {
      out.flush()
      return isInteractive ? ask(process.stdin, stderr, text, options) : askLines(lines(), stderr, text)
    },
    readLine: (prompt) => {
      out.flush()
      if (isInteractive) return typed(process.stdin, stdout, prompt, history)
      stdout.write(prompt)
      return lines().next()
    },
    keys: (waiting) => {
      out.flush()
      return keysFrom(process.stdin, stdout, waiting)
    },
    flush: async () => {
      out.flush()
      await Promise.all([stdout, stderr].map((stream) => new Promise<void>((done) => stream.write('', () => done()))))
    },
  }
}

/** Forced by ANSIBLE_FORCE_COLOR; never under NO_COLOR; off a terminal only where FORCE_COLOR asks for it. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const isOn = (name: string): boolean => /^(?:1|y|yes|t|true|on)$/i.test(env[name] ?? '')
  if (isOn('ANSIBLE_FORCE_COLOR')) return true
  if (env['NO_COLOR'] || isOn('ANSIBLE_NOCOLOR')) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return !/^(?:0|false)$/i.test(forced)
  return isTerminal && env['TERM'] !== 'dumb'
}

/** A line with editing and history; Ctrl-C ends the run, Ctrl-D is the end of input. */
function typed(input: NodeJS.ReadStream, output: NodeJS.WriteStream, prompt: string, history: string[]): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: true, history: [...history], prompt })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() !== '') history.unshift(line)
      resolve(line)
      lines.close()
    })
    lines.on('SIGINT', () => {
      lines.close()
      process.kill(process.pid, 'SIGINT')
    })
    lines.on('close', () => resolve(undefined))
    lines.prompt()
  })
}

async function askLines(lines: Lines, output: NodeJS.WriteStream, text: string): Promise<string> {
  output.write(text)
  const line = await lines.next()
  if (line !== undefined) return line
  throw new Problem(`there is nobody to answer: ${text.trim()}`, { kind: 'usage' })
}

function ask(input: NodeJS.ReadStream, output: NodeJS.WriteStream, text: string, { echo }: { readonly echo: boolean }): Promise<string> {
  const muted = new Writable({
    write: (chunk, _encoding, done) => {
      if (echo) output.write(chunk)
      done()
    },
  })
  output.write(text)
  const lines = createInterface({ input, output: muted, terminal: input.isTTY === true })
  return new Promise<string>((resolve, reject) => {
    let done = false
    const finish = (settle: () => void): void => {
      if (done) return
      done = true
      lines.close()
      if (!echo) output.write('\n')
      settle()
    }
    lines.on('line', (line) => finish(() => resolve(line)))
    lines.on('SIGINT', () => {
      finish(() => reject(new Exit(INTERRUPTED)))
      process.kill(process.pid, 'SIGINT')
    })
    lines.on('close', () => finish(() => reject(new Problem(`there is nobody to answer: ${text.trim()}`, { kind: 'usage' }))))
  })
}
