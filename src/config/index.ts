export type { Definition, Origin } from './api.ts'
