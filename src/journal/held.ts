/** A bus on which nothing is said of what was done before: a task's title waits for the first host that really does it. */
import type { Bus, Happening, Listener } from '../events/index.ts'

export interface HeldBus extends Bus {
  /** nothing at all is told while the work is done */
  quietly<T>(work: () => T): T
}

/** `isReplaying`: steps that were done before may still come. */
export function heldBus(bus: Bus, isReplaying: () => boolean): HeldBus {
  const titles = new Map<string, Happening>()
  let quiet = false
  const release = (id: string): void => {
    const title = titles.get(id)
    titles.delete(id)
    if (title) bus.emit(title)
  }
  return {
    emit(happening) {
      if (quiet) return
      if (happening.kind === 'task-start' && isReplaying()) {
        titles.set(happening.task.id, happening)
        return
      }
      const id = taskOf(happening)
      if (happening.kind === 'included' && id !== undefined && titles.has(id)) return
      if (id !== undefined) release(id)
      bus.emit(happening)
    },
    listen: (listener: Listener) => bus.listen(listener),
    keep: (listener: Listener) => bus.keep(listener),
    quietly(work) {
      const before = quiet
      quiet = true
      try {
        return work()
      } finally {
        quiet = before
      }
    },
  }
}

/** The task that something is told of. */
function taskOf(happening: Happening): string | undefined {
  if (!('task' in happening)) return undefined
  return typeof happening.task === 'string' ? happening.task : happening.task.id
}
