export type { Endpoint, Hop, Pool, RunOptions, Session } from './api.ts'
