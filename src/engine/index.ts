export type { ConnectionDefaults } from './connection.ts'
export { META_VERBS } from './meta.ts'
export { createRun, loadContext, type RunParts, runPlaybooks } from './run.ts'
export type { Prompt, Run, RunSettings } from './state.ts'
