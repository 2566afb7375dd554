import type { runPlaybooks as run } from './run.ts'

export type { ConnectionDefaults } from './connection.ts'
export { createRun, loadContext, type RunParts } from './parts.ts'
export type { Prompt, Run, RunSettings } from './state.ts'
export type { Replay, StepStore } from './step-store.ts'

/** Runs playbooks, as run.ts says; what that takes is loaded only now, for a listing does without. */
export const runPlaybooks: typeof run = async (...args) => (await import('./run.ts')).runPlaybooks(...args)
