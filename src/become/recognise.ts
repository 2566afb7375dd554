/** What a host has said so far while changing the user → whether it asks for the password, has succeeded, or must be waited for. */
import { promptOf, successOf } from './rewrite.ts'

/**
 * - `success`: the user has changed
 * - `prompt`: our own prompt is being shown
 * - `perhaps`: an unfinished line that may be a prompt in any language; it is one if nothing follows for a moment
 * - `wait`: nothing to act on yet
 */
export type Said = 'success' | 'prompt' | 'perhaps' | 'wait'

/** Reads no human language: only our own marks, and whether a line is left open, as su's prompts are and those of some login modules behind sudo. */
export function recognise(mark: string, said: string): Said {
  const success = said.indexOf(successOf(mark))
  if (success >= 0) return said.includes('\n', success) ? 'success' : 'wait'
  if (said.includes(promptOf(mark))) return 'prompt'
  const open = said.slice(said.lastIndexOf('\n') + 1).trim()
  return open === '' ? 'wait' : 'perhaps'
}
