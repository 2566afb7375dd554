/** What is shown → the lines of a log file: the time, the process, the user and how grave it is before each message. */
import type { Output } from './reporter.ts'

export interface LogOptions {
  readonly write: (text: string) => void
  readonly now: () => Date
  readonly process: number
  readonly user: string
}

export class LogOutput implements Output {
  readonly #options: LogOptions

  constructor(options: LogOptions) {
    this.#options = options
  }

  out(text: string): void {
    this.#log('INFO', text.replace(/\n$/, ''))
  }

  /** A warning keeps its last line break: an empty line follows it. */
  err(text: string): void {
    if (text.startsWith('[WARNING]')) this.#log('WARNING', text)
    else this.#log(text.startsWith('ERROR!') ? 'ERROR' : 'INFO', text.replace(/\n$/, ''))
  }

  #log(level: string, text: string): void {
    const message = text.replace(/^\n+/, '')
    if (message === '') return
    const { write, now, process, user } = this.#options
    write(`${stamp(now())} p=${process} u=${user} n=ansible ${level}| ${message}\n`)
  }
}

/** `2015-06-11 22:50:53,042` */
function stamp(at: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return `${day} ${time},${String(at.getMilliseconds()).padStart(3, '0')}`
}
