/** One long-lived POSIX shell on a channel: frames go in one after the other, each comes out as an Output. */
import { randomBytes } from 'node:crypto'
import type { Output, Script } from '../../remote/index.ts'
import type { Channel, Ending } from '../channel.ts'
import { type ConnectionLost, ShellDied, TimedOut } from '../lost.ts'
import type { Meter } from '../meter.ts'
import { Catcher } from './catcher.ts'
import { type FrameOptions, frame, greeting, inOneBlock, keepScratch, type Layout, makeScratch, scratchPath, selfOf } from './frame.ts'
import type { Intake, Receiver } from './intake.ts'

export interface ShellRunOptions extends FrameOptions {
  readonly timeoutSeconds?: number | undefined
  readonly onOutput?: ((chunk: Uint8Array, stream: 'stdout' | 'stderr') => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ShellSetup {
  readonly channel: Channel
  readonly intake: Intake
  readonly meter: Meter
  readonly host: string
  readonly layout: Layout
  /** ends all processes below the shell's own */
  readonly stop: (shellPid: number) => Promise<void>
  readonly scratch?: string | undefined
}

/** How long a script may take to end after its processes have been killed. */
const LAST_WORDS = 5000

export class Shell {
  /** takes no more scripts: dead, or something in the background still writes to it */
  spent = false
  private readonly setup: ShellSetup
  private readonly mark = newMark()
  private pid = 0
  private greeted = false
  private readsBlocks = false
  private ending: Ending | undefined
  private unbalanced: ((ending: Ending) => void) | undefined
  private lastWords: NodeJS.Timeout | undefined

  constructor(setup: ShellSetup) {
    this.setup = setup
    const { channel, intake, layout, scratch } = setup
    intake.direct(undefined)
    channel.stdin.on('error', () => {})
    channel.stdin.write(greeting(this.mark, layout, scratch))
    channel.closed.then((ending) => {
      this.ending = ending
      this.spent = true
      this.unbalanced?.(ending)
    })
  }

  /** Runs one script; only one at a time. */
  async run(script: Script, options: ShellRunOptions = {}): Promise<Output> {
    const mark = newMark()
    return this.exchange(frame(script, options, mark, this.setup.layout), mark, options, script)
  }

  /** Makes, or tells, the scratch folder that this shell removes when it ends. */
  async scratch(): Promise<Output> {
    const mark = newMark()
    const bytes = Buffer.concat([makeScratch(), frame(scratchPath, {}, mark, this.setup.layout)])
    return this.exchange(bytes, mark, {}, scratchPath)
  }

  keepScratch(path: string): void {
    this.write(keepScratch(path))
  }

  /** Lets the shell end by itself once it has nothing to do; it then removes what it keeps. */
  async end(milliseconds: number): Promise<void> {
    this.leave()
    const timer = setTimeout(() => this.setup.channel.destroy(), milliseconds)
    await this.setup.channel.closed
    clearTimeout(timer)
  }

  /** Lets go of the shell without waiting. */
  retire(): void {
    this.leave()
    this.setup.channel.destroy()
  }

  /** Said in words too, for a terminal knows no end of its input. */
  private leave(): void {
    this.spent = true
    if (this.setup.channel.stdin.writable) this.setup.channel.stdin.end('exit\n')
  }

  private write(bytes: Buffer): void {
    this.setup.meter.sent += bytes.length
    this.setup.channel.stdin.write(bytes)
  }

  private exchange(bytes: Buffer, mark: string, options: ShellRunOptions, script: Script): Promise<Output> {
    const { intake, meter } = this.setup
    const tell = (stream: 'stdout' | 'stderr') => (piece: Buffer) => options.onOutput?.(piece, stream)
    const out = new Catcher(mark, tell('stdout'))
    const err = new Catcher(mark, tell('stderr'))
    const watch = new Watch(options)

    return new Promise<Output>((resolve, reject) => {
      const settle = (act: () => void): void => {
        watch.stop()
        clearTimeout(this.lastWords)
        this.unbalanced = undefined
        intake.direct(this.stray)
        act()
      }
      const finish = (): void => {
        if (leavesSomethingBehind(script)) this.spent = true
        settle(() => {
          const failure = watch.failure(this.setup.host)
          if (failure === undefined) resolve({ stdout: out.take(), stderr: err.take(), code: Number(out.tail) })
          else reject(failure)
        })
      }
      this.unbalanced = (ending) => settle(() => reject(watch.failure(this.setup.host) ?? died(this.setup.host, ending)))
      if (this.ending !== undefined) return this.unbalanced(this.ending)

      meter.roundTrips++
      this.write(this.readsBlocks ? inOneBlock(bytes) : bytes)
      intake.direct(this.past(this.receiving(out, err, finish)))
      watch.start(() => this.cutShort())
    })
  }

  /** Receivers see nothing of what came before the greeting's marks. */
  private past(next: Receiver): Receiver {
    if (this.greeted) return next
    const out = new Catcher(this.mark)
    const err = new Catcher(this.mark)
    const early: Parameters<Receiver>[] = []
    const done = (): void => {
      const self = selfOf(out.tail ?? '')
      this.pid = self.pid
      this.readsBlocks = self.readsBlocks
      this.greeted = true
      for (const piece of early.reverse()) this.setup.intake.unread(...piece)
      this.setup.intake.direct(next)
    }
    return this.receiving(out, err, done, (...piece) => early.push(piece))
  }

  /** Feeds the two catchers; on a terminal both are fed from the one stream, one after the other. */
  private receiving(out: Catcher, err: Catcher, done: () => void, rest: Receiver = this.stray): Receiver {
    const one = this.setup.layout === 'one stream'
    return (chunk, stream) => {
      let left = stream === 'stdout' ? out.push(chunk) : err.push(chunk)
      if (one && stream === 'stdout' && out.done && left.length > 0) left = err.push(left)
      if (out.done && err.done) {
        if (left.length > 0) rest(left, stream)
        done()
      } else if (left.length > 0) rest(left, stream)
    }
  }

  /** Output that belongs to no script: something in the background writes, so the next script gets a shell of its own. */
  private readonly stray: Receiver = () => {
    this.spent = true
  }

  /** Kills what the script started; if the shell then says nothing, the shell as well. */
  private async cutShort(): Promise<void> {
    if (this.pid > 0) await this.setup.stop(this.pid).catch(() => {})
    if (this.unbalanced === undefined) return
    this.lastWords = setTimeout(
      () => {
        this.setup.channel.signal('KILL')
        this.setup.channel.destroy()
      },
      this.pid > 0 ? LAST_WORDS : 0,
    )
  }
}

/** The time limit and the abort signal of one script. */
class Watch {
  private readonly options: ShellRunOptions
  private timer: NodeJS.Timeout | undefined
  private why: 'time' | 'signal' | undefined
  private onAbort: (() => void) | undefined

  constructor(options: ShellRunOptions) {
    this.options = options
  }

  start(cut: () => void): void {
    const { timeoutSeconds, signal } = this.options
    const because = (why: 'time' | 'signal') => () => {
      if (this.why !== undefined) return
      this.why = why
      cut()
    }
    if (timeoutSeconds !== undefined && timeoutSeconds > 0) this.timer = setTimeout(because('time'), timeoutSeconds * 1000)
    this.onAbort = because('signal')
    if (signal?.aborted) this.onAbort()
    else signal?.addEventListener('abort', this.onAbort, { once: true })
  }

  stop(): void {
    clearTimeout(this.timer)
    if (this.onAbort) this.options.signal?.removeEventListener('abort', this.onAbort)
  }

  failure(host: string): Error | undefined {
    if (this.why === 'time') return timedOut(host, this.options.timeoutSeconds!)
    return this.why === 'signal' ? abortReason(this.options.signal!) : undefined
  }
}

export const timedOut = (host: string, seconds: number): TimedOut =>
  new TimedOut(`${host}: the script ran longer than ${seconds} s and was ended`, { notes: ['its processes were killed'] })

export const abortReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('interrupted', { cause: signal.reason })

/** A script that puts something in the background (an `&` that ends a command) may leave it writing to our streams; its shell is not used again. */
const leavesSomethingBehind = (script: Script): boolean => /(?<![&>|<\\])&(?=[\s;)}'"]|$)/.test(script.text)

/** Why a script has no result, by how its channel ended. */
export function died(host: string, ending: Ending): ConnectionLost | ShellDied {
  if (ending.how === 'lost') return ending.error
  const how = ending.how === 'exit' ? ` with code ${ending.code}` : ending.how === 'signal' ? ` by ${ending.signal}` : ''
  return new ShellDied(`${host}: the shell ended${how} while a script was running in it; how far the script came is not known`)
}

export const newMark = (): string => `<${randomBytes(15).toString('base64url')}>`
