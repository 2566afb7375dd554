/** Hands every event, once masked, to everybody who listens, in order. */
import type { Event, Happening } from './events.ts'

export type Listener = (event: Event) => void

export interface Bus {
  emit(happening: Happening): void
  listen(listener: Listener): () => void
  /** Listens for what outlives the run (journal, report): nothing secret is in these events, whatever a debug task may show on the screen. */
  keep(listener: Listener): () => void
}

/** A bus whose events pass `mask` first, those that are kept `maskKept`; `now` gives milliseconds since the epoch. */
export function createBus(now: () => number, mask: (event: Event) => Event, maskKept = mask): Bus {
  const listeners = new Set<Listener>()
  const keepers = new Set<Listener>()
  const add = (to: Set<Listener>, listener: Listener) => {
    to.add(listener)
    return () => to.delete(listener)
  }
  return {
    emit(happening) {
      const plain = { ...happening, at: now() } as Event
      const event = mask(plain)
      for (const listener of listeners) listener(event)
      if (keepers.size === 0) return
      const kept = maskKept(plain)
      for (const keeper of keepers) keeper(kept)
    },
    listen: (listener) => add(listeners, listener),
    keep: (listener) => add(keepers, listener),
  }
}
