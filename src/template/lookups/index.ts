/** Every lookup by its name. */
import type { LookupFunction } from '../registry.ts'

export const LOOKUPS: ReadonlyMap<string, LookupFunction> = new Map()
