/** The two things a way to a host must offer, so that ssh and local differ nowhere else: a Link opens Channels. */
import type { Readable, Writable } from 'node:stream'
import type { ConnectionLost } from './lost.ts'

/** How a far process ended. */
export type Ending =
  | { readonly how: 'exit'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  | { readonly how: 'lost'; readonly error: ConnectionLost }
  | { readonly how: 'unknown' }

/** One far process with its three streams. */
export interface Channel {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** there is a terminal: stderr comes with stdout */
  readonly tty: boolean
  /** the process has ended, though its output may still be coming; never rejects */
  readonly ended: Promise<Ending>
  /** ended, and all output has been read; never rejects */
  readonly closed: Promise<Ending>
  /** sends a signal to the process where the way there can do so */
  signal(name: 'TERM' | 'KILL'): void
  /** closes the streams at once; the process is not killed, but may notice */
  destroy(): void
}

export interface OpenOptions {
  /** cooked: as a person has it; raw: one that changes no byte */
  readonly tty?: 'cooked' | 'raw' | undefined
  /** called before the host is asked again after it has refused: something idle may be let go */
  readonly makeRoom?: (() => void) | undefined
  /** a refusal is told at once rather than waited out */
  readonly impatient?: boolean | undefined
}

export interface Link {
  /** who we are on the far side */
  readonly user: string
  /** starts a command with the login shell (ssh) or sh (local) */
  open(command: string, options?: OpenOptions): Promise<Channel>
  /** set once the link is of no use any more */
  readonly lost: ConnectionLost | undefined
  close(): void
}

/** 128+n as shells tell a death by signal; an unknown name is 255. */
export function codeOf(ending: Ending): number {
  if (ending.how === 'exit') return ending.code
  return ending.how === 'signal' ? 128 + (numbers[ending.signal] ?? 127) : 255
}

const numbers: Readonly<Record<string, number>> = {
  SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10,
  SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGXCPU: 24, SIGXFSZ: 25, SIGSYS: 31,
} // biome-ignore format: a table
