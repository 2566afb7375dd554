/** Puts finished values into results, which are JSON by type: dicts keep their order and keys, floats stay floats. */
import type { Json, Value } from '../../base/index.ts'

/** The value as a member of a result; `fromJson` gives it back as it was. */
export const inResult = (value: Value): Json => value as unknown as Json
