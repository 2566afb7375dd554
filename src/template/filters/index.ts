/** Every filter by its names, short and full. */
import type { FilterFunction } from '../registry.ts'
import { JINJA_NUMBERS } from './jinja-numbers.ts'
import { JINJA_SEQUENCES } from './jinja-sequences.ts'
import { JINJA_TEXT } from './jinja-text.ts'

export const FILTERS: ReadonlyMap<string, FilterFunction> = new Map(Object.entries({ ...JINJA_TEXT, ...JINJA_NUMBERS, ...JINJA_SEQUENCES }))
