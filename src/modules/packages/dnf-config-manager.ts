/** dnf_config_manager: makes repositories of dnf be enabled or not. */
import { choice, fallback, list } from '../../params/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { askTool, mustSucceed, useTool } from '../system/tools.ts'

export default defineModule({
  name: 'community.general.dnf_config_manager',
  summary: "Enables and disables dnf's repositories.",
  params: {
    name: fallback(list('str', { description: 'names of the repositories; without any the states are told' }), []),
    state: choice(['enabled', 'disabled'], 'enabled', { description: 'whether they are used' }),
  },
  async *run({ name, state }, host) {
    const before = await repositories(host)
    if (name.length === 0)
      return { changed: false, repo_states_pre: before, repo_states_post: before, changed_repos: [], name, state, msg: '' }
    const unknown = name.filter((one) => !before.enabled.includes(one) && !before.disabled.includes(one))
    if (unknown.length > 0) throw new ModuleFailure(`did not find repo with ID '${unknown[0]}' in dnf repolist --all --verbose`)
    const todo = name.filter((one) => !before[state].includes(one))
    const result = { changed_repos: todo, repo_states_pre: before, name, state }
    if (todo.length === 0) return { changed: false, ...result, repo_states_post: before }
    const words = ['dnf', 'config-manager', '--assumeyes', `--set-${state}`, ...todo]
    const done = yield* useTool('repositories', words, { diff: { before, after: moved(before, todo, state) } })
    mustSucceed(done, words)
    const after = done ? await repositories(host) : moved(before, todo, state)
    if (todo.some((one) => !after[state].includes(one)))
      throw new ModuleFailure(`dnf config-manager failed to make '${todo.join(' ')}' ${state}`)
    return { changed: true, ...result, repo_states_post: after, cmd: words }
  },
})

type States = { readonly enabled: string[]; readonly disabled: string[] }

/** `Repo-id : x` and `Repo-status : enabled` */
async function repositories(host: Host): Promise<States> {
  const words = ['dnf', 'repolist', '--all', '--verbose']
  const told = await askTool(host, words)
  mustSucceed(told, words)
  const states: States = { enabled: [], disabled: [] }
  let id: string | undefined
  for (const line of told.stdout.split('\n')) {
    id = /^Repo-id\s*:\s*(\S+)/.exec(line)?.[1] ?? id
    const status = /^Repo-status\s*:\s*(enabled|disabled)/.exec(line)?.[1] as keyof States | undefined
    if (id === undefined || status === undefined) continue
    states[status].push(id)
    id = undefined
  }
  return states
}

const moved = (states: States, ids: readonly string[], state: keyof States): States => {
  const other = state === 'enabled' ? 'disabled' : 'enabled'
  return { [state]: [...states[state], ...ids], [other]: states[other].filter((one) => !ids.includes(one)) } as States
}
