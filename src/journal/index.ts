export { isRunId, type RunFile, readRun, runIds, type State, stateOf } from './folder.ts'
export type { Change } from './inputs.ts'
export { type Earlier, eventsOf, Journal, type JournalOptions } from './journal.ts'
