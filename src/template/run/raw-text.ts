/** A value as people wrote it, in Python's words, for messages about variables that do not render. */
import { type Raw, Template, Timestamp, Vaulted } from '../../base/index.ts'
import { dateOf } from '../filters/datetime.ts'
import { repr, str } from '../python/index.ts'

export const rawText = (raw: Raw): string => (raw instanceof Template ? raw.text : str(unrendered(raw)))

/** The same as Python's repr has it. */
export const rawRepr = (raw: Raw): string => repr(unrendered(raw))

/** Templates as their texts. */
function unrendered(raw: Raw): Parameters<typeof repr>[0] {
  if (raw instanceof Template) return raw.text
  if (raw instanceof Vaulted) return raw.ciphertext
  if (raw instanceof Timestamp) return dateOf(raw)
  if (Array.isArray(raw)) return raw.map(unrendered)
  return raw instanceof Map ? new Map([...raw].map(([key, value]) => [unrendered(key), unrendered(value)])) : raw
}
