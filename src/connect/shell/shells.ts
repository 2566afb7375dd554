/** The shells of one user on one host: a script takes an idle one, opens another up to a limit, or waits its turn. */
import type { Become } from '../../become/index.ts'
import { type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { TransferFailed } from '../lost.ts'
import { guarded, guardWords } from './guard.ts'
import { openAs, type Place, runOnChannel } from './own-channel.ts'
import { Shell, type ShellRunOptions } from './shell.ts'
import { stopBelow } from './stop.ts'

/** sshd counts sessions (MaxSessions, 10 by default): two shells each for a few users leave room for channels. */
const MOST = 2

export class Shells {
  private readonly place: Place
  private readonly become: Become | undefined
  private readonly idle: Shell[] = []
  private readonly busy = new Set<Shell>()
  private readonly waiting: (() => void)[] = []
  private opening = 0
  private keeper: Shell | undefined
  private scratchFolder: string | undefined
  /** folders of shells that were killed: nobody knows whether they are still there */
  readonly abandoned = new Set<string>()

  constructor(place: Place, become: Become | undefined) {
    this.place = place
    this.become = become
  }

  /** The scratch folder that the shells keep, and those that dead shells kept. */
  get kept(): readonly string[] {
    return [...this.abandoned, ...(this.scratchFolder === undefined ? [] : [this.scratchFolder])]
  }

  run(script: Script, options: ShellRunOptions): Promise<Output> {
    return this.with((shell) => shell.run(script, options))
  }

  /** The scratch folder, made at first use; one of the shells keeps it and removes it when it ends. */
  async scratch(): Promise<string> {
    return this.with(async (shell) => {
      if (this.scratchFolder !== undefined) return this.scratchFolder
      const made = await shell.scratch()
      if (made.code !== 0) throw new TransferFailed(`${this.place.host}: a temporary folder could not be made`)
      this.keeper = shell
      this.scratchFolder = textOf(made.stdout)
      return this.scratchFolder
    })
  }

  /** Lets an idle shell go, if there is one; the scratch folder waits for the next shell to keep it. */
  spare(): boolean {
    const shell = this.idle.shift()
    if (shell !== undefined) this.drop(shell)
    return shell !== undefined
  }

  /** Ends all shells; each removes what it keeps. */
  async end(milliseconds: number): Promise<void> {
    if (this.scratchFolder !== undefined && this.keeper === undefined) await this.with(async () => {}).catch(() => {})
    const all = [...this.idle, ...this.busy]
    this.idle.length = 0
    await Promise.all(all.map((shell) => shell.end(milliseconds)))
  }

  private async with<T>(work: (shell: Shell) => Promise<T>): Promise<T> {
    const shell = await this.take()
    this.busy.add(shell)
    try {
      return await work(shell)
    } finally {
      this.busy.delete(shell)
      this.giveBack(shell)
    }
  }

  private async take(): Promise<Shell> {
    for (;;) {
      const shell = this.idle.pop()
      if (shell !== undefined && !shell.spent) return shell
      if (shell !== undefined) this.drop(shell)
      else if (this.busy.size + this.opening < MOST) {
        const opened = await this.another()
        if (opened !== undefined) return opened
      } else await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  /** A new shell; nothing if the host gives us no second one and the first will do. */
  private async another(): Promise<Shell | undefined> {
    this.opening++
    try {
      return await this.open()
    } catch (error) {
      if (this.idle.length > 0) return undefined
      if (this.busy.size === 0) {
        this.waiting.shift()?.()
        throw error
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve))
      return undefined
    } finally {
      this.opening--
    }
  }

  private giveBack(shell: Shell): void {
    if (shell.spent) this.drop(shell)
    else this.idle.push(shell)
    this.waiting.shift()?.()
  }

  /** The scratch folder outlives a shell that is let go: the next one keeps it. */
  private drop(shell: Shell): void {
    if (shell === this.keeper && shell.isDead) {
      this.abandoned.add(this.scratchFolder!)
      this.keeper = undefined
      this.scratchFolder = undefined
    } else if (shell === this.keeper) {
      shell.keepScratch('')
      this.keeper = this.idle[0] ?? [...this.busy][0]
      if (this.scratchFolder !== undefined) this.keeper?.keepScratch(this.scratchFolder)
    }
    shell.retire()
  }

  private async open(): Promise<Shell> {
    const { become, place } = this
    const { channel, intake } = await openAs(place, guarded, { become, terminal: 'raw', impatient: this.busy.size > 0, shown: true })
    channel.stdin.write(guardWords())
    const scratch = this.keeper === undefined ? this.scratchFolder : undefined
    const shell = new Shell({
      channel,
      intake,
      meter: place.meter,
      host: place.host,
      seconds: place.becomeSeconds,
      layout: channel.tty ? 'one stream' : 'two streams',
      stop: async (pid) => void (await runOnChannel(place, sh`exec sh -c ${stopBelow(pid).text}`, { become })),
      scratch,
      spill: place.spill,
    })
    if (scratch !== undefined) this.keeper = shell
    return shell
  }
}
