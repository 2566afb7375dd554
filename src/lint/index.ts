/** Playbooks → what is suspicious in them, found without a host. */
import type { LoadContext, Playbook } from '../playbook/index.ts'
import { definedNames, type Sources } from './defined.ts'
import { deprecatedForms } from './deprecated.ts'
import type { Finding } from './findings.ts'
import { unusedHandlers } from './handlers.ts'
import { undefinedVariables } from './undefined.ts'
import { unreachableTasks } from './unreachable.ts'
import { walkPlay } from './walk.ts'

export type { Sources } from './defined.ts'
export type { Check, Finding } from './findings.ts'

/** Everything found, in the order of files and places, each once. */
export function lint(playbooks: readonly Playbook[], context: LoadContext, sources: Sources): Finding[] {
  const plays = playbooks.flatMap((playbook) => playbook.plays).map((play) => ({ play, walked: walkPlay(play, context) }))
  const defined = definedNames(plays, sources)
  const all = [
    ...plays.flatMap(({ play, walked }) => [
      ...undefinedVariables(play, walked, defined),
      ...unreachableTasks(walked),
      ...deprecatedForms(walked),
    ]),
    ...unusedHandlers(plays.map(({ walked }) => walked)),
  ]
  const each = new Map(all.map((one) => [keyOf(one), one] as const))
  return [...each.values()].sort((a, b) => order(a, b))
}

const keyOf = ({ problem: { message, span } }: Finding): string => `${message}\0${span?.source.name}\0${span?.start}`

function order({ problem: a }: Finding, { problem: b }: Finding): number {
  const [first = '', second = ''] = [a.span?.source.name, b.span?.source.name]
  return first === second ? (a.span?.start ?? 0) - (b.span?.start ?? 0) : first < second ? -1 : 1
}
