/** One long-lived POSIX shell on a channel: frames go in one after the other, each comes out as an Output. */
import type { Output, Script } from '../../remote/index.ts'
import type { Channel, Ending } from '../channel.ts'
import type { Meter } from '../meter.ts'
import type { Spill } from '../spill.ts'
import { Catcher } from './catcher.ts'
import { died, neverCameUp } from './ends.ts'
import { type FrameOptions, frame, greeting, inOneBlock, keepScratch, type Layout, makeScratch, scratchPath } from './frame.ts'
import type { Intake, Receiver } from './intake.ts'
import { newMark } from './mark.ts'
import { type Limits, Watch } from './watch.ts'
import { Welcome } from './welcome.ts'

export interface ShellRunOptions extends FrameOptions, Limits {
  readonly onOutput?: ((chunk: Uint8Array, stream: 'stdout' | 'stderr') => void) | undefined
}

export interface ShellSetup {
  readonly channel: Channel
  readonly intake: Intake
  readonly meter: Meter
  readonly host: string
  /** how long the shell may take to start */
  readonly seconds: number
  readonly layout: Layout
  /** ends all processes below the shell's own */
  readonly stop: (shellPid: number) => Promise<void>
  readonly scratch?: string | undefined
  /** where large output waits */
  readonly spill?: Spill | undefined
}

/** How long a script may take to end after its processes have been killed. */
const LAST_WORDS = 5000

export class Shell {
  /** takes no more scripts: dead, or something in the background still writes to it */
  spent = false
  private readonly setup: ShellSetup
  private readonly welcome = new Welcome()
  /** known once the shell has answered the greeting */
  private self: Welcome['self'] | undefined
  private ending: Ending | undefined
  private unbalanced: ((ending: Ending | undefined) => void) | undefined
  private lastWords: NodeJS.Timeout | undefined

  constructor(setup: ShellSetup) {
    this.setup = setup
    const { channel, intake, layout, scratch } = setup
    intake.direct(undefined)
    channel.stdin.on('error', () => {})
    channel.stdin.write(greeting(this.welcome.mark, layout, scratch))
    channel.closed.then((ending) => {
      this.ending = ending
      this.spent = true
      this.unbalanced?.(ending)
    })
  }

  /** it has ended, and what it keeps is gone or nobody's */
  get isDead(): boolean {
    return this.ending !== undefined
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
    const out = new Catcher(mark, tell('stdout'), this.setup.spill)
    const err = new Catcher(mark, tell('stderr'), this.setup.spill)
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
      this.unbalanced = (ending) => settle(() => reject(watch.failure(this.setup.host) ?? this.failure(ending)))
      if (this.ending !== undefined) return this.unbalanced(this.ending)

      meter.roundTrips++
      this.write(this.self?.readsBlocks ? inOneBlock(bytes) : bytes)
      intake.direct(this.past(this.receiving(out, err, finish)))
      watch.start(() => this.cutShort())
    })
  }

  /** Receivers see nothing of what came before the greeting's marks. */
  private past(next: Receiver): Receiver {
    if (this.self !== undefined) return next
    const { out, err, early } = this.welcome
    const timer = setTimeout(() => this.giveUp(), this.setup.seconds * 1000)
    this.setup.channel.closed.then(() => clearTimeout(timer))
    const done = (): void => {
      clearTimeout(timer)
      this.self = this.welcome.self
      for (const piece of early.reverse()) this.setup.intake.unread(...piece)
      this.setup.intake.direct(next)
    }
    return this.receiving(out, err, done, (...piece) => early.push(piece))
  }

  /** The shell has not said a word; it is not waited for any longer. */
  private giveUp(): void {
    this.spent = true
    this.unbalanced?.(undefined)
    this.setup.channel.destroy()
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

  private failure(ending: Ending | undefined): Error {
    const { host } = this.setup
    return this.self === undefined || ending === undefined ? neverCameUp(host, ending, this.welcome.said()) : died(host, ending)
  }

  /**
   * Kills what the script started; if the shell then says nothing, the shell as well. It takes no other script, which might be taken for the one that
   * is to end.
   */
  private async cutShort(): Promise<void> {
    this.spent = true
    const script = this.unbalanced
    const pid = this.self?.pid
    if (pid !== undefined) await this.setup.stop(pid).catch(() => {})
    if (this.unbalanced !== script) return
    this.lastWords = setTimeout(
      () => {
        this.setup.channel.signal('KILL')
        this.setup.channel.destroy()
      },
      pid === undefined ? 0 : LAST_WORDS,
    )
  }
}

/** A script that puts something in the background (an `&` that ends a command) may leave it writing to our streams; its shell is not used again. */
const leavesSomethingBehind = (script: Script): boolean => /(?<![&>|<\\])&(?=[\s;)}'"]|$)/.test(script.text)
