/** What a host has said so far while changing the user → whether it asks for the password, has succeeded, or must be waited for. */
import type { Become } from './api.ts'
import { promptOf, successOf } from './rewrite.ts'

/**
 * - `success`: the user has changed
 * - `prompt`: our own prompt is being shown
 * - `perhaps`: an unfinished line that may be a prompt in any language; it is one if nothing follows for a moment
 * - `wait`: nothing to act on yet
 */
export type Said = 'success' | 'prompt' | 'perhaps' | 'wait'

/** Reads no human language: only our own marks, and whether a line is left open. */
export function recognise(become: Become, mark: string, said: string): Said {
  const success = said.indexOf(successOf(mark))
  if (success >= 0 && said.includes('\n', success)) return 'success'
  if (said.includes(promptOf(mark))) return 'prompt'
  const open = said.slice(said.lastIndexOf('\n') + 1).trim()
  return become.method !== 'sudo' && open !== '' ? 'perhaps' : 'wait'
}
