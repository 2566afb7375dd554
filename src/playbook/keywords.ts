/** The keywords of plays, roles, blocks and tasks as a table: where each may stand, what shape its value has, what it becomes. */
import type { Keywords } from './model.ts'

export type Place = 'play' | 'role' | 'block' | 'task' | 'handler' | 'include' | 'import_playbook' | 'loop_control' | 'meta'

/**
 * What a value may be: `value` a single value, `words` one or a list of them, `texts` one text or a list of them, `layers` anything, alone or in a
 * list, `dicts` a dict or a list of them.
 */
export type Shape = 'value' | 'words' | 'texts' | 'dict' | 'list' | 'conditions' | 'tags' | 'layers' | 'dicts' | 'any'

export interface Keyword {
  readonly shape: Shape
  readonly at: ReadonlySet<Place>
  /** the inheritable keyword it sets */
  readonly to?: keyof Keywords
}

const EVERYWHERE: readonly Place[] = ['play', 'role', 'block', 'task', 'handler', 'import_playbook']
const BELOW_PLAY: readonly Place[] = ['role', 'block', 'task', 'handler', 'import_playbook']
const TASKS: readonly Place[] = ['task', 'handler']

const keyword = (shape: Shape, at: readonly Place[], to?: keyof Keywords): Keyword => ({ shape, at: new Set(at), ...(to && { to }) })

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  name: keyword('value', [...EVERYWHERE, 'include', 'meta']),
  vars: keyword('dict', [...EVERYWHERE, 'include', 'meta']),

  any_errors_fatal: keyword('value', EVERYWHERE, 'anyErrorsFatal'),
  become: keyword('value', EVERYWHERE, 'become'),
  become_exe: keyword('value', EVERYWHERE, 'becomeExe'),
  become_flags: keyword('value', EVERYWHERE, 'becomeFlags'),
  become_method: keyword('value', EVERYWHERE, 'becomeMethod'),
  become_user: keyword('value', EVERYWHERE, 'becomeUser'),
  check_mode: keyword('value', EVERYWHERE, 'checkMode'),
  collections: keyword('texts', ['play', 'role', 'block', 'task', 'handler', 'include', 'meta'], 'collections'),
  connection: keyword('value', EVERYWHERE, 'connection'),
  debugger: keyword('value', [...EVERYWHERE, 'include'], 'debugger'),
  delegate_facts: keyword('value', ['role', 'block', 'task', 'handler'], 'delegateFacts'),
  delegate_to: keyword('value', ['role', 'block', 'task', 'handler'], 'delegateTo'),
  diff: keyword('value', EVERYWHERE, 'diff'),
  environment: keyword('layers', EVERYWHERE, 'environment'),
  ignore_errors: keyword('value', [...EVERYWHERE, 'include'], 'ignoreErrors'),
  ignore_unreachable: keyword('value', EVERYWHERE, 'ignoreUnreachable'),
  module_defaults: keyword('dicts', EVERYWHERE, 'moduleDefaults'),
  no_log: keyword('value', [...EVERYWHERE, 'include'], 'noLog'),
  notify: keyword('words', ['block', 'task', 'handler'], 'notify'),
  port: keyword('value', EVERYWHERE, 'port'),
  remote_user: keyword('value', EVERYWHERE, 'remoteUser'),
  run_once: keyword('value', [...EVERYWHERE, 'include'], 'runOnce'),
  tags: keyword('tags', [...EVERYWHERE, 'include'], 'tags'),
  throttle: keyword('value', EVERYWHERE, 'throttle'),
  timeout: keyword('value', [...EVERYWHERE, 'include'], 'timeout'),
  when: keyword('conditions', [...BELOW_PLAY, 'include'], 'when'),

  block: keyword('list', ['block']),
  rescue: keyword('list', ['block']),
  always: keyword('list', ['block']),

  action: keyword('any', [...TASKS, 'include']),
  local_action: keyword('any', [...TASKS, 'include']),
  args: keyword('any', [...TASKS, 'include']),
  async: keyword('value', TASKS),
  changed_when: keyword('conditions', TASKS),
  delay: keyword('value', TASKS),
  failed_when: keyword('conditions', TASKS),
  listen: keyword('words', ['handler']),
  loop: keyword('any', [...TASKS, 'include']),
  loop_control: keyword('dict', [...TASKS, 'include']),
  poll: keyword('value', TASKS),
  register: keyword('value', [...TASKS, 'include']),
  retries: keyword('value', TASKS),
  until: keyword('conditions', TASKS),

  hosts: keyword('words', ['play']),
  fact_path: keyword('value', ['play']),
  force_handlers: keyword('value', ['play']),
  gather_facts: keyword('value', ['play']),
  gather_subset: keyword('words', ['play']),
  gather_timeout: keyword('value', ['play']),
  handlers: keyword('list', ['play']),
  max_fail_percentage: keyword('value', ['play']),
  order: keyword('value', ['play']),
  post_tasks: keyword('list', ['play']),
  pre_tasks: keyword('list', ['play']),
  roles: keyword('list', ['play']),
  serial: keyword('words', ['play']),
  strategy: keyword('value', ['play']),
  tasks: keyword('list', ['play']),
  user: keyword('value', ['play']),
  vars_files: keyword('any', ['play']),
  vars_prompt: keyword('any', ['play']),

  role: keyword('value', ['role']),
  import_playbook: keyword('value', ['import_playbook']),

  loop_var: keyword('value', ['loop_control']),
  index_var: keyword('value', ['loop_control']),
  label: keyword('any', ['loop_control']),
  pause: keyword('value', ['loop_control']),
  extended: keyword('value', ['loop_control']),
  extended_allitems: keyword('value', ['loop_control']),
  break_when: keyword('conditions', ['loop_control']),

  allow_duplicates: keyword('value', ['meta']),
  argument_specs: keyword('any', ['meta']),
  dependencies: keyword('list', ['meta']),
  galaxy_info: keyword('any', ['meta']),
}

/** The keywords that may stand in a place. */
const BY_PLACE = new Map<Place, Map<string, Keyword>>()
for (const [name, one] of Object.entries(KEYWORDS))
  for (const place of one.at) BY_PLACE.set(place, (BY_PLACE.get(place) ?? new Map<string, Keyword>()).set(name, one))

/** The keywords that may stand here. */
export const keywordsAt = (place: Place): ReadonlyMap<string, Keyword> => BY_PLACE.get(place)!

/** The keyword of this name, if it may stand here. */
export const keywordAt = (name: string, place: Place): Keyword | undefined => BY_PLACE.get(place)?.get(name)

/** Every name that may stand here, for “did you mean”. */
export const namesAt = (place: Place): string[] => Object.keys(KEYWORDS).filter((name) => KEYWORDS[name]!.at.has(place))

/** How a message calls a place. */
/** What Ansible calls the things that have keywords. */
export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  play: 'Play',
  role: 'RoleInclude',
  block: 'Block',
  task: 'Task',
  handler: 'Handler',
  include: 'TaskInclude',
  import_playbook: 'PlaybookInclude',
  loop_control: 'LoopControl',
  meta: 'RoleMetadata',
}

export const PLACE_WORDS: Readonly<Record<Place, string>> = {
  play: 'a play',
  role: 'a role entry',
  block: 'a block',
  task: 'a task',
  handler: 'a handler',
  include: 'a dynamic include',
  import_playbook: 'an imported playbook',
  loop_control: 'loop_control',
  meta: "a role's meta/main.yml",
}
