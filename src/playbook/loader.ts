/** Playbook files → playbooks, with all that is wrong in them thrown together. */
import type { LoadContext } from './api.ts'
import type { Makers } from './loading.ts'
import type { Playbook } from './model.ts'
import { loadPlaybook } from './playbook.ts'
import { includedRole } from './roles.ts'
import { createSession } from './session.ts'
import { blocksOf } from './tasks.ts'

/** Loads playbooks; throws Problems with every mistake that can be found before a run. */
export function loadPlaybooks(paths: readonly string[], context: LoadContext): Playbook[] {
  const session = createSession(context, MAKERS)
  const playbooks = paths.flatMap((path) => session.findings.attempt(() => loadPlaybook(path, session)) ?? [])
  session.found.clear()
  session.findings.settle()
  return playbooks
}

/** Lists of tasks import roles, and roles hold lists of tasks: here they are made known to each other. */
const MAKERS: Makers = { blocks: blocksOf, includedRole }
