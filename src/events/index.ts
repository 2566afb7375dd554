export { type Bus, createBus, type Listener } from './bus.ts'
export type { Event, Happening, HostStats, Result, Status, TaskRef } from './events.ts'
export { MASK, Secrets } from './redact.ts'
export { EVENT_SCHEMA } from './schema.ts'
