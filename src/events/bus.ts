/** Hands every event, once masked, to everybody who listens, in order. */
import type { Event, Happening } from './events.ts'

export type Listener = (event: Event) => void

export interface Bus {
  emit(happening: Happening): void
  listen(listener: Listener): () => void
}

/** A bus whose events pass `mask` first; `now` gives milliseconds since the epoch. */
export function createBus(now: () => number, mask: (event: Event) => Event): Bus {
  const listeners = new Set<Listener>()
  return {
    emit(happening) {
      const event = mask({ ...happening, at: now() } as Event)
      for (const listener of listeners) listener(event)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
