export type { Endpoint, Hop, Pool, RunOptions, Session } from './api.ts'
export { afterReceiving, requireReceived, smallContent } from './files.ts'
export { BecomeFailed, ConnectionLost, ShellDied, TimedOut, TransferFailed } from './lost.ts'
export { createPool, type PoolOptions } from './pool.ts'
