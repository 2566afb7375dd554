/**
 * One host's way through a play: a generator that yields the next task and takes what came of it, so that a block's rescue and always are the
 * language's own try and finally.
 */
import type { Block, Step, Task } from '../playbook/index.ts'

/** What the engine answers to a task that was yielded. */
export interface Verdict {
  readonly failed: boolean
  /** blocks of a dynamic include, to be run next */
  readonly inserted?: readonly Block[] | undefined
  /** meta: flush_handlers */
  readonly flush?: boolean | undefined
  /** meta: end_role */
  readonly endRole?: boolean | undefined
}

interface Frame {
  readonly block: Block
  phase: 'block' | 'rescue' | 'always'
  failed: boolean
}

/** Thrown inside the generator, and only there. */
const FAILURE = Symbol('a task failed')
const LEFT = Symbol('the failure was cleared: the block is left without one')

/** A way through tasks; nothing is yielded where a failure has ended the host, which goes on only when its errors are cleared. */
type Way = Generator<Task | undefined, void, Verdict>

/** What the walk asks of the play. */
export interface WalkHooks {
  readonly setup: () => Task | undefined
  readonly steps: readonly Block[]
  /** the handlers as they are at the beginning of a flush */
  readonly handlers: () => readonly Task[]
  readonly isNotified: (handler: Task) => boolean
  /** somebody's handlers wait, or this host has notifications */
  readonly anyNotified: () => boolean
}

export class HostWalk {
  readonly host: string
  readonly notifications = new Set<string>()
  /** the host is inside handlers: notifications take effect at once */
  inHandlers = false
  /** ended by a failure that nothing rescued */
  failed = false
  /** this host has reached its end, for whatever reason */
  ended = false

  readonly #hooks: WalkHooks
  readonly #generator: Way
  readonly #frames: Frame[] = []
  #pending: Verdict | undefined
  #current: Task | undefined
  #started = false
  #taken = false
  /** ended by a failure that can still be cleared */
  #stuck = false
  /** done before the walk goes on where it stands */
  #before: Task | undefined
  #skippingRole = false

  constructor(host: string, hooks: WalkHooks) {
    this.host = host
    this.#hooks = hooks
    this.#generator = this.#play()
  }

  /** The task this host does next; undefined at the end. */
  peek(): Task | undefined {
    if (this.ended) return undefined
    if (this.#before) return this.#before
    if (!this.#started || this.#pending) this.#advance()
    return this.ended ? undefined : this.#current
  }

  /** The task is being done now; finish() or fail() must follow. */
  take(): void {
    this.#taken = true
  }

  /** Puts a task before the one the host stands at (facts, after --start-at-task); its failure ends the host's play. */
  precede(task: Task): void {
    this.#before = task
  }

  finish(verdict: Verdict): void {
    this.#taken = false
    if (this.#before) {
      this.#before = undefined
      if (verdict.failed) this.end(true)
      return
    }
    if (!this.ended) this.#pending = verdict
  }

  /** Makes the host fail where it stands: after the task it did last. */
  fail(): void {
    if (this.ended) {
      this.failed = true
      return
    }
    if (!this.#started || this.#before) {
      this.end(true)
      return
    }
    this.#taken = false
    // failing once more moves on from where the first failure led, as ansible-core does when run_once fails for everybody
    if (this.#pending?.failed) this.#advance()
    if (!this.ended) this.#pending = { failed: true }
  }

  /** Leaves the play, with or without having failed (end_host, unreachable, failed in an earlier play). */
  end(failed: boolean): void {
    this.ended = true
    this.failed ||= failed
    this.#current = undefined
  }

  /** Is a block being run whose rescue would catch a failure now? For handlers, as in ansible-core, the outermost block does not count. */
  get rescuable(): boolean {
    return this.#frames.slice(this.inHandlers ? 1 : 0).some((f) => f.phase === 'block' && f.block.rescue.length > 0)
  }

  get busy(): boolean {
    return this.#taken
  }

  /** meta: clear_host_errors */
  clearErrors(): void {
    this.failed = false
    for (const frame of this.#frames) frame.failed = false
    if (!this.#stuck) return
    this.#stuck = false
    this.ended = false
    this.#pending = { failed: false }
  }

  #advance(): void {
    try {
      const verdict = this.#pending
      this.#pending = undefined
      const next = this.#started ? this.#generator.next(verdict!) : this.#generator.next()
      this.#started = true
      if (next.done) this.end(false)
      else if (next.value) this.#current = next.value
      else {
        this.#stuck = true
        this.end(true)
      }
    } catch (error) {
      if (error !== FAILURE) throw error
      this.end(true)
    }
  }

  *#play(): Way {
    const setup = this.#hooks.setup()
    if (setup) yield* this.#task(setup)
    for (const block of this.#hooks.steps) yield* this.#block(block)
  }

  *#steps(steps: readonly Step[]): Way {
    for (const step of steps) yield* step.kind === 'block' ? this.#block(step) : this.#task(step)
  }

  *#block(block: Block): Way {
    const frame: Frame = { block, phase: 'block', failed: false }
    this.#frames.push(frame)
    try {
      yield* this.#guarded(frame, block.block)
      if (frame.failed && block.rescue.length > 0) {
        frame.phase = 'rescue'
        frame.failed = false
        yield* this.#guarded(frame, block.rescue)
      }
      frame.phase = 'always'
      yield* this.#steps(block.always)
      if (frame.failed) yield* this.#failing(this.#frames.slice(0, -1))
    } catch (error) {
      if (error !== LEFT) throw error
    } finally {
      this.#frames.splice(this.#frames.indexOf(frame), 1)
    }
  }

  *#guarded(frame: Frame, steps: readonly Step[]): Way {
    try {
      yield* this.#steps(steps)
    } catch (error) {
      if (error !== FAILURE) throw error
      frame.failed = true
    }
  }

  /** A failure that leaves a block: something catches it, or the host has reached its end, unless its errors are cleared. */
  *#failing(around: readonly Frame[]): Way {
    const isCaught = ({ phase, block }: Frame) =>
      (phase === 'block' && block.rescue.length > 0) || (phase !== 'always' && block.always.length > 0)
    if (around.some(isCaught)) throw FAILURE
    yield undefined
  }

  *#task(task: Task): Way {
    if (this.#skippingRole) {
      if (!isMeta(task, 'role_complete')) return
      this.#skippingRole = false
    }
    if (task.implicit && isMeta(task, 'flush_handlers') && !this.#hooks.anyNotified()) return
    const verdict = yield task
    if (verdict.failed) {
      if (this.#frames.length < 2) throw FAILURE
      yield* this.#failing(this.#frames)
      throw LEFT
    }
    if (verdict.endRole) this.#skippingRole = true
    if (verdict.inserted) for (const block of verdict.inserted) yield* this.#block(block)
    if (verdict.flush) yield* this.#flush()
  }

  *#flush(): Way {
    this.inHandlers = true
    try {
      for (const handler of [...this.#hooks.handlers()]) if (this.#hooks.isNotified(handler)) yield* this.#task(handler)
    } finally {
      this.inHandlers = false
    }
  }
}

/** Is it this meta action? */
export function isMeta(task: Task, verb: string): boolean {
  return (
    task.action.resolved === 'ansible.builtin.meta' &&
    !isTemplateArgs(task) &&
    (task.action.args as ReadonlyMap<string, unknown>).get('_raw_params') === verb
  )
}

const isTemplateArgs = (task: Task): boolean => !(task.action.args instanceof Map)

/** Every task of some blocks in the order they are written, rescue and always included. */
export function flatten(steps: readonly Step[]): Task[] {
  return steps.flatMap((s) => (s.kind === 'task' ? [s] : [...flatten(s.block), ...flatten(s.rescue), ...flatten(s.always)]))
}
