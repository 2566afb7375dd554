/** The implicit gathering of facts at the beginning of a play: the task, and which hosts want it. */
import type { Raw } from '../base/index.ts'
import type { Keywords, Task } from '../playbook/index.ts'
import { isYes } from './connection.ts'
import type { PlayRun } from './state.ts'
import { isTagged } from './tags.ts'

/** The implicit gathering of facts at the beginning of a play; undefined where tags leave it out. */
export function setupTask(pr: PlayRun): Task | undefined {
  const { play, run } = pr
  const args = new Map<string, Raw>()
  const give = (name: string, raw: Raw | undefined) => {
    if (raw !== undefined) args.set(name, raw)
  }
  give('gather_subset', play.gatherSubset ?? (run.settings.gatherSubset.length > 0 ? [...run.settings.gatherSubset] : undefined))
  give('gather_timeout', play.gatherTimeout)
  give('fact_path', play.factPath ?? run.settings.factPath)
  const keywords: Keywords = { ...play.keywords, runOnce: undefined, tags: play.tags.length > 0 ? play.tags : ['always'] }
  const task: Task = {
    kind: 'task',
    id: --setups,
    name: 'Gathering Facts',
    span: play.span,
    action: { name: 'gather_facts', resolved: 'ansible.builtin.gather_facts', span: play.span, args },
    keywords,
    vars: [],
    includeVars: [],
    loop: undefined,
    register: undefined,
    until: undefined,
    retries: undefined,
    delay: undefined,
    changedWhen: undefined,
    failedWhen: undefined,
    async: undefined,
    poll: undefined,
    listen: undefined,
    isHandler: false,
    role: undefined,
    implicit: false,
    file: play.path,
    fileChain: [],
    context: undefined,
  }
  return isTagged(task, pr) ? task : undefined
}

let setups = 0

/** gather_facts as `gathering` reads it. */
export function wantsFacts(pr: PlayRun, host: string): boolean {
  const { gathering } = pr.run.settings
  const raw = pr.play.gatherFacts
  const said = raw === undefined ? undefined : pr.run.templar.render(raw, pr.run.variables.scope({ view: pr.view }))
  const implied = said === undefined || said === null || isYes(said)
  if (gathering === 'explicit') return said !== undefined && said !== null && isYes(said)
  if (gathering === 'smart') return implied && pr.run.variables.facts.of(host).get('_ansible_facts_gathered') !== true
  return implied
}
