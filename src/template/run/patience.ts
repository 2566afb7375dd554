/** Lets Ctrl-C end a template that computes for long: what is left of a long loop runs where a signal can stop it. */
import { constants } from 'node:os'
import { createContext, Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { Problem, type Value } from '../../base/index.ts'
import { PyRange } from '../python/index.ts'

/** After how many milliseconds a template counts as long. */
const LONG = 1000
/** How many steps pass between looks at the clock, less one: a power of two less one. */
const BETWEEN = 15
const MANY = 1_000_000
const WORK = new Script('work()')

/**
 * JavaScript's one thread hears of a signal only when it rests. Node can stop code that runs too long at Ctrl-C, but only code that was started for it,
 * which costs too much for every template: so the rest of a loop, a macro or a filter is started anew in that way once a template has taken long.
 */
export class Patience {
  private depth = 0
  private steps = 0
  private since = 0
  private isGuarded = false
  private isOver = false

  /** A template begins to run, perhaps within another. */
  enter(): void {
    if (this.depth++ > 0) return
    this.steps = 0
    this.since = 0
    this.isOver = false
  }

  leave(): void {
    this.depth--
  }

  /** One step more: has it taken so long that the rest is to be guarded? */
  isLong(): boolean {
    if (this.isGuarded) return false
    if (this.isOver || (++this.steps & BETWEEN) !== 0) return this.isOver
    const now = Date.now()
    if (this.since === 0) this.since = now
    this.isOver = now - this.since > LONG
    return this.isOver
  }

  /** Is work on this value to be guarded? A long range will take its time. */
  isLongFor(value: Value): boolean {
    if (this.isGuarded) return false
    if (value instanceof PyRange && value.length() > MANY) this.isOver = true
    return this.isOver
  }

  /** Works so that Ctrl-C ends it; the signal is then sent again, for those who wait for it. */
  guard<T>(work: () => T): T {
    if (!isMainThread) return work()
    let result: { readonly value: T } | undefined
    this.isGuarded = true
    try {
      const context = createContext({
        work: () => {
          result = { value: work() }
        },
      })
      WORK.runInContext(context, { breakOnSigint: true, displayErrors: false })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error
      process.kill(process.pid, constants.signals.SIGINT)
      throw new Problem('the template was interrupted', { kind: 'template' })
    } finally {
      this.isGuarded = false
    }
    return result!.value
  }
}
