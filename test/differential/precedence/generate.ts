/** A seed → the files of a small playbook in which some variables are set at a random choice of all the levels that Ansible knows. */

/** Paths and what stands in them; `cmd` holds the arguments of ansible-playbook. */
export type CaseFiles = Readonly<Record<string, string>>

/** mulberry32: the same numbers for the same seed, everywhere. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

class Chance {
  readonly #next: () => number
  constructor(seed: number) {
    this.#next = numbers(seed)
  }

  below(n: number): number {
    return Math.floor(this.#next() * n)
  }

  yes(share: number): boolean {
    return this.#next() < share
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  shuffled<T>(list: readonly T[]): T[] {
    const out = [...list]
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[out[i], out[j]] = [out[j]!, out[i]!]
    }
    return out
  }
}

const NAMES = Array.from({ length: 14 }, (_, i) => `v${i}`)

/** Everything that can set a variable; the order says nothing. */
const LEVELS = [
  ...['inv_all', 'inv_gp', 'inv_g1', 'inv_g2', 'inv_gx', 'inv_h1', 'inv_h2'],
  ...['gvi_all', 'gvi_gp', 'gvi_g1', 'gvi_g2', 'gvi_gx', 'hvi_h1', 'hvi_h2'],
  ...['gvp_all', 'gvp_gp', 'gvp_g1', 'gvp_g2', 'gvp_gx', 'hvp_h1', 'hvp_h2'],
  ...['cached_h1', 'play', 'play2', 'prompt', 'vf1', 'vf2', 'vf3', 'extra'],
  ...['block', 'block2', 'task', 'inc_params', 'imp_params', 'incvars', 'incvars2', 'setfact', 'setfact2', 'setcache', 'register'],
  ...['delegated', 'loop'],
  ...['ra_def', 'ra_vars', 'rb_def', 'rb_vars', 'rc_def', 'rc_vars', 'rd_def', 'rd_vars', 're_def', 're_vars', 'rf_def', 'rf_vars'],
  ...['ra_entry', 'ra_param', 'ra2_entry', 'ra2_param', 'rb_entry', 'rb_param', 'dep_entry', 'dep_param', 'dep2_param'],
  ...['rc_task', 'rd_task', 're_task', 're_other', 'rf_task', 'rf_other', 'inner_task', 'inner_block', 'inner_setfact'],
] as const

type Level = (typeof LEVELS)[number]

/** Which variables each level sets, and how the values are written. */
class Plan {
  readonly merge: boolean
  readonly #at = new Map<Level, string[]>()

  constructor(chance: Chance) {
    this.merge = chance.yes(0.15)
    for (const name of NAMES) {
      const count = 1 + chance.below(chance.yes(0.3) ? 14 : 5)
      for (const level of chance.shuffled(LEVELS).slice(0, count)) this.#at.set(level, [...(this.#at.get(level) ?? []), name])
    }
  }

  names(level: Level): readonly string[] {
    return this.#at.get(level) ?? []
  }

  value(level: string): string {
    return this.merge ? `{own_${level}: 1, who: ${level}}` : level
  }

  /** A flow mapping of what a level sets. */
  flow(level: Level, more: readonly string[] = []): string {
    return `{${[...this.names(level).map((n) => `${n}: ${this.value(level)}`), ...more].join(', ')}}`
  }

  file(level: Level): string {
    return `--- ${this.flow(level)}\n`
  }
}

/** The files of one case. */
export function generate(seed: number): CaseFiles {
  const chance = new Chance(seed * 7919 + 13)
  const plan = new Plan(chance)
  const files: Record<string, string> = {
    ...inventory(plan, chance),
    ...roles(plan, chance),
    'playbook.yml': playbook(plan, chance),
    'inc.yml': tasks([show('included')]),
    'imp.yml': tasks([show('imported')]),
    'vf1.yml': plan.file('vf1'),
    'vf2.yml': plan.file('vf2'),
    'vf_h1.yml': plan.file('vf3'),
    'iv.yml': plan.file('incvars'),
    'ivd/a.yml': plan.file('incvars2'),
    'cache/h1': json(plan, 'cached_h1'),
    'ansible.cfg': settings(plan, chance),
  }
  files['cmd'] = `-i inv/hosts.ini playbook.yml${plan.names('extra').length > 0 ? ` -e "${plan.flow('extra')}"` : ''}`
  return files
}

function json(plan: Plan, level: Level): string {
  const value = plan.merge ? { [`own_${level}`]: 1, who: level } : level
  return JSON.stringify(Object.fromEntries(plan.names(level).map((n) => [n, value])))
}

const PRECEDENCE = [
  'all_inventory',
  'groups_inventory',
  'all_plugins_inventory',
  'all_plugins_play',
  'groups_plugins_inventory',
  'groups_plugins_play',
]

function settings(plan: Plan, chance: Chance): string {
  const lines = [
    '[defaults]',
    'gathering = explicit',
    'forks = 1',
    'fact_caching = jsonfile',
    'fact_caching_connection = ./cache',
    'fact_caching_timeout = 0',
  ]
  if (plan.merge) lines.push('hash_behaviour = merge')
  if (chance.yes(0.15)) lines.push('private_role_vars = True')
  if (chance.yes(0.1)) lines.push(`precedence = ${chance.shuffled(PRECEDENCE).join(', ')}`)
  return `${lines.join('\n')}\n`
}

function inventory(plan: Plan, chance: Chance): Record<string, string> {
  const value = (level: string) => (plan.merge ? `{'own_${level}': 1, 'who': '${level}'}` : level)
  const vars = (level: Level) =>
    plan
      .names(level)
      .map((n) => `${n}=${value(level)}\n`)
      .join('')
  const inline = (level: Level) =>
    plan
      .names(level)
      .map((n) => ` ${n}="${value(level)}"`)
      .join('')
  const priority = () => (chance.yes(0.25) ? `ansible_group_priority=${1 + chance.below(4)}\n` : '')
  const groups = [
    `[g1]\nh1${inline('inv_h1')}\n`,
    `[g2]\nh1\nh2${inline('inv_h2')}\n`,
    `[gx]\n${chance.yes(0.5) ? 'h1\n' : 'h2\n'}`,
    `[gp:children]\ng1\n${chance.yes(0.5) ? 'gx\n' : ''}`,
    `[all:vars]\nansible_connection=local\nansible_python_interpreter=/usr/bin/python3\n${vars('inv_all')}`,
    ...(['g1', 'g2', 'gx', 'gp'] as const).map((g) => `[${g}:vars]\n${priority()}${vars(`inv_${g}`)}`),
  ]
  const files: Record<string, string> = { 'inv/hosts.ini': chance.shuffled(groups).join('\n') }
  for (const [short, folder] of [
    ['i', 'inv/'],
    ['p', ''],
  ] as const) {
    for (const g of ['all', 'gp', 'g1', 'g2', 'gx'] as const) {
      const path = `${folder}group_vars/${g}${chance.one(['.yml', '', '/main.yml'])}`
      if (plan.names(`gv${short}_${g}`).length > 0) files[path] = plan.file(`gv${short}_${g}`)
    }
    for (const h of ['h1', 'h2'] as const) {
      if (plan.names(`hv${short}_${h}`).length > 0)
        files[`${folder}host_vars/${h}${chance.one(['.yml', '.json', ''])}`] = plan.file(`hv${short}_${h}`)
    }
  }
  return files
}

const tasks = (list: readonly string[]): string => `---\n${list.join('')}`

const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** Prints every variable as this moment has it. */
function show(moment: string, keywords = ''): string {
  const each = NAMES.map((n) => `{{ ${n}.msg | default(${n}) | default('-') }}`).join(' | ')
  return `- name: ${moment}\n  debug:\n    msg: "${each}"\n${indent(keywords, 2)}`
}

/** The same read through the other hosts' variables. */
const showHosts = (moment: string): string =>
  `- name: ${moment}\n  debug:\n    msg: "${['h1', 'h2'].map((h) => NAMES.map((n) => `{{ hostvars.${h}.${n}.msg | default(hostvars.${h}.${n}) | default('-') }}`).join(' | ')).join(' // ')}"\n`

function setFact(plan: Plan, level: Level, keywords = '', more: readonly string[] = []): string {
  if (plan.names(level).length === 0) return ''
  return `- name: ${level}\n  set_fact: ${plan.flow(level, more)}\n${indent(keywords, 2)}`
}

const register = (plan: Plan): string =>
  plan
    .names('register')
    .map((n) => `- name: register\n  debug: {msg: register}\n  register: ${n}\n`)
    .join('')

const vars = (plan: Plan, level: Level): string => (plan.names(level).length === 0 ? '' : `vars: ${plan.flow(level)}\n`)

const yesNo = (chance: Chance): string => (chance.yes(0.5) ? 'true' : 'false')

function entry(plan: Plan, role: string, entryLevel: Level, paramLevel: Level, more: readonly string[] = []): string {
  const params = plan.names(paramLevel).map((n) => `${n}: ${plan.value(paramLevel)}`)
  const written = plan.names(entryLevel).length > 0 ? [`vars: ${plan.flow(entryLevel)}`] : []
  return `- {${[`role: ${role}`, ...params, ...written, ...more].join(', ')}}\n`
}

function playbook(plan: Plan, chance: Chance): string {
  const middle: Record<string, string> = {
    block: `- block:\n${indent(show('in block') + (chance.yes(0.5) ? `- block:\n${indent(show('in inner block', vars(plan, 'task')), 4)}  ${vars(plan, 'block2') || 'when: true\n'}` : ''), 4)}  ${vars(plan, 'block') || 'when: true\n'}`,
    task: show('task vars', vars(plan, 'task')),
    inc: `- include_tasks: inc.yml\n${indent(vars(plan, 'inc_params'), 2)}`,
    imp: `- import_tasks: imp.yml\n${indent(vars(plan, 'imp_params'), 2)}`,
    rc: `- import_role: {name: rc}\n${indent(vars(plan, 'rc_task'), 2)}`,
    rd: `- include_role: {name: rd, public: ${yesNo(chance)}}\n${indent(vars(plan, 'rd_task'), 2)}`,
    re: `- ${chance.one(['include', 'import'])}_role: {name: re, vars_from: other, defaults_from: other.yml, public: ${yesNo(chance)}}\n${indent(vars(plan, 're_task'), 2)}`,
    rf: `- include_role: {name: rf, apply: {tags: [x]}}\n  tags: [always]\n${indent(vars(plan, 'rf_task'), 2)}`,
    incvars: `- include_vars: iv.yml\n`,
    incvars2: `- include_vars: {dir: ivd}\n`,
    setfact: setFact(plan, 'setfact'),
    setfact2: setFact(plan, 'setfact2', 'when: inventory_hostname == "h1"\n'),
    setcache: setFact(plan, 'setcache', '', ['cacheable: true']),
    delegated: setFact(plan, 'delegated', `delegate_to: h2\ndelegate_facts: ${yesNo(chance)}\nrun_once: ${yesNo(chance)}\n`),
    register: register(plan),
    loop:
      plan.names('loop').length === 0
        ? ''
        : `${show('in loop', `loop: [${plan.value('loop')}]\nloop_control: {loop_var: ${plan.names('loop')[0]}, label: x}\n`)}- include_tasks: inc.yml\n  loop: [${plan.value('loop')}]\n  loop_control: {loop_var: ${plan.names('loop')[0]}, label: x}\n`,
    clear: chance.yes(0.3) ? '- meta: clear_facts\n' : '',
    flush: chance.yes(0.5) ? '- meta: flush_handlers\n' : '',
  }
  const steps = chance.shuffled(Object.keys(middle)).flatMap((key) => [middle[key]!, chance.yes(0.6) ? show(`after ${key}`) : ''])
  const before = chance.shuffled([middle['setfact']!, middle['register']!, middle['incvars']!, '', '', '']).slice(0, chance.below(3))
  const entries = [
    entry(plan, 'ra', 'ra_entry', 'ra_param'),
    entry(plan, 'rb', 'rb_entry', 'rb_param'),
    entry(plan, 'ra', 'ra2_entry', 'ra2_param', chance.yes(0.5) ? ['tags: [t]'] : []),
  ]
  const prompts = plan
    .names('prompt')
    .map((n) => `    - {name: ${n}, prompt: p, default: prompt, private: ${yesNo(chance)}}\n`)
    .join('')
  return `---
- hosts: all
  name: first
  gather_facts: false
  vars: ${plan.flow('play')}
  vars_files:
    - vf1.yml
    - [nope.yml, "{{ inventory_hostname }}_none.yml", vf2.yml]
    - ["vf_{{ inventory_hostname }}.yml", vf2.yml]
${prompts ? `  vars_prompt:\n${prompts}` : ''}  pre_tasks:
${indent(show('pre') + before.join(''), 4)}  roles:
${indent(
  chance
    .shuffled(entries)
    .slice(0, 1 + chance.below(3))
    .join(''),
  4,
)}  tasks:
${indent(`- debug:\n  name: notify\n  changed_when: true\n  notify: in play\n${show('tasks')}${steps.join('')}`, 4)}  post_tasks:
${indent(show('post') + showHosts('hostvars'), 4)}  handlers:
${indent(`- name: in play\n  debug: {msg: "${NAMES.map((n) => `{{ ${n}.msg | default(${n}) | default('-') }}`).join(' | ')}"}\n`, 4)}
- hosts: ${chance.one(['h1', 'all', 'h2', 'localhost'])}
  name: second
  gather_facts: false
  vars: ${plan.flow('play2')}
${chance.yes(0.3) ? '  roles: [rb]\n' : ''}  tasks:
${indent(show('second') + showHosts('second hostvars'), 4)}`
}

function roles(plan: Plan, chance: Chance): Record<string, string> {
  const files: Record<string, string> = {}
  const inner = [
    show('inner'),
    show('inner task', vars(plan, 'inner_task')),
    `- block:\n${indent(show('inner block'), 4)}  ${vars(plan, 'inner_block') || 'when: true\n'}`,
    setFact(plan, 'inner_setfact'),
    '- include_role: {name: rf}\n',
    '- import_tasks: more.yml\n',
    '- include_tasks: more.yml\n',
    '- debug:\n  name: notify\n  changed_when: true\n  notify: from role\n',
    '- include_role: {name: re, tasks_from: more.yml}\n',
  ]
  for (const role of ['ra', 'rb', 'rc', 'rd', 're', 'rf'] as const) {
    const steps = chance.shuffled(role === 'rf' || role === 're' ? inner.slice(0, 3) : inner).slice(0, 4)
    files[`roles/${role}/tasks/main.yml`] = tasks([show(`role ${role}`), ...steps])
    files[`roles/${role}/tasks/more.yml`] = tasks([show(`more ${role}`)])
    files[`roles/${role}/handlers/main.yml`] = tasks([show('from role').replace('from role', 'from role')])
    files[`roles/${role}/defaults/main.yml`] = plan.file(`${role}_def`)
    files[`roles/${role}/vars/main.yml`] = plan.file(`${role}_vars`)
  }
  for (const [kind, level] of [
    ['defaults', 're_other'],
    ['vars', 'rf_other'],
  ] as const)
    files[`roles/re/${kind}/other.yml`] = plan.file(level)
  const dependency = entry(plan, 'rc', 'dep_entry', 'dep_param', chance.yes(0.3) ? ['tags: [u]'] : [])
  const second = entry(plan, 'rc', 'dep_entry', 'dep2_param')
  const twice = chance.yes(0.4)
  if (chance.yes(0.7)) files['roles/ra/meta/main.yml'] = `---\ndependencies:\n${indent(dependency + (twice ? second : ''), 2)}`
  if (chance.yes(0.4)) files['roles/rb/meta/main.yml'] = `---\ndependencies:\n${indent(second, 2)}`
  if (chance.yes(0.3)) files['roles/rc/meta/main.yml'] = `---\nallow_duplicates: true\n`
  if (chance.yes(0.3)) files['roles/rd/meta/main.yml'] = `---\ndependencies: [rc]\n`
  if (chance.yes(0.2)) files['roles/ra/meta/main.yml'] ??= '---\nallow_duplicates: true\n'
  return files
}
