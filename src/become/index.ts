export type { Become } from './api.ts'
