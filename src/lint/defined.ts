/** What gives variables their names → every name that some play, role, file or task may define. */
import { type Raw, Template } from '../base/index.ts'
import type { Play, Task } from '../playbook/index.ts'
import { argument, type Walked } from './walk.ts'

export interface Sources {
  /** names that hosts have from the inventory, files beside it, the command line and the engine */
  readonly given: Iterable<string>
  /** all variables in files below a folder: vars, group_vars, host_vars */
  readonly namesBelow: (folder: string) => Iterable<string>
  readonly namesIn: (file: string) => Iterable<string>
}

export function definedNames(plays: readonly { readonly play: Play; readonly walked: Walked }[], sources: Sources): Set<string> {
  const names = new Set<string>(sources.given)
  const add = (vars: Iterable<string>): void => {
    for (const name of vars) names.add(name)
  }
  for (const { play, walked } of plays) {
    add(play.vars.keys())
    add(play.varsPrompt.map(({ name }) => name))
    const folder = play.path.replace(/\/[^/]*$/, '')
    for (const kind of ['group_vars', 'host_vars']) add(sources.namesBelow(`${folder}/${kind}`))
    for (const file of play.varsFiles.flatMap((one) => (Array.isArray(one) ? one : [one]))) {
      // a name that is made in the run may be any file there
      if (typeof file === 'string') add(sources.namesIn(file.startsWith('/') ? file : `${folder}/${file}`))
      else if (file instanceof Template) add(sources.namesBelow(`${folder}/${file.text.split('{{')[0]!.replace(/[^/]*$/, '')}`))
    }
    for (const role of walked.roles) {
      for (const vars of [...role.defaults(), ...role.vars(), role.entryVars, role.params]) add(vars.keys())
      for (const kind of ['vars', 'defaults']) add(sources.namesBelow(`${role.path}/${kind}`))
    }
    for (const task of [...walked.tasks, ...walked.handlers]) addOfTask(task, add, sources)
  }
  return names
}

function addOfTask(task: Task, add: (names: Iterable<string>) => void, sources: Sources): void {
  for (const vars of [...task.vars, ...task.includeVars]) add(vars.keys())
  if (task.register !== undefined) add([task.register])
  if (task.loop) add(['item', 'ansible_loop', ...texts(task.loop.control.loopVar), ...texts(task.loop.control.indexVar)])
  const giver = GIVERS[task.action.resolved]
  if (giver) add(giver(task, sources))
}

const texts = (raw: Raw | undefined): string[] => (typeof raw === 'string' ? [raw] : [])
const keys = (raw: Raw | undefined): string[] => (raw instanceof Map ? [...raw.keys()].map(String) : [])

/** Actions that define variables. */
const GIVERS: Readonly<Record<string, (task: Task, sources: Sources) => Iterable<string>>> = {
  'ansible.builtin.set_fact': ({ action }) => keys(action.args as Raw),
  'ansible.builtin.add_host': ({ action }) => keys(action.args as Raw),
  'ansible.builtin.include_vars': (task, { namesBelow }) => {
    const folders = [
      task.role ? `${task.role.path}/vars` : undefined,
      `${task.file.replace(/\/[^/]*$/, '')}/vars`,
      task.file.replace(/\/[^/]*$/, ''),
    ]
    return [...texts(argument(task, 'name')), ...folders.flatMap((folder) => (folder === undefined ? [] : [...namesBelow(folder)]))]
  },
  'ansible.builtin.include_role': (task) => keys(argument(task, 'vars')),
}
