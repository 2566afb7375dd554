/** What a meta task may ask for, to point at a slip before the run comes to it. */
import { didYouMean, placeOf, type Raw } from '../base/index.ts'
import type { LoadContext } from './api.ts'
import type { Action } from './model.ts'

const VERBS = [
  ...['clear_facts', 'clear_host_errors', 'end_batch', 'end_host', 'end_play', 'end_role', 'flush_handlers'],
  ...['noop', 'refresh_inventory', 'reset_connection', 'role_complete'],
]

/** The run itself fails where it comes to it, as Ansible does. */
export function warnOfVerb(verb: Raw | undefined, { span }: Action, context: LoadContext): void {
  if (typeof verb !== 'string' || VERBS.includes(verb)) return
  const hint = didYouMean(verb, VERBS)
  context.warn(`${placeOf(span)}: there is no meta action '${verb}'${hint ? `, ${hint}` : ''}`)
}
