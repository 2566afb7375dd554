/** What is wrong in a playbook is said with its place, all of it together. */
import { expect, test } from 'vitest'
import { type Files, mistakes, playOf } from './load.ts'

const task = (text: string): Files => ({ 'site.yml': playOf(text) })
const play = (text: string): Files => ({ 'site.yml': text })
const role = (files: Files, entry = 'r'): Files => ({
  'site.yml': `- hosts: all\n  roles:\n    - ${entry}\n`,
  'roles/r/defaults/main.yml': '',
  ...files,
})

const CASES: readonly [story: string, files: Files, at: string, message: string, hint?: string][] = [
  [
    'a mistyped keyword of a task',
    task('- ping:\n  whne: true'),
    'site.yml:4:7',
    "'whne' is not a valid attribute for a Task",
    "did you mean 'when'?",
  ],
  [
    'a mistyped keyword of a play',
    play('- hosts: all\n  gather_fact: no'),
    'site.yml:2:3',
    "'gather_fact' is not a valid attribute",
    "'gather_facts'",
  ],
  [
    'a play keyword on a task',
    task('- ping:\n  serial: 1'),
    'site.yml:4:7',
    "'serial' is not a valid attribute for a Task",
    "'serial' may stand in a play",
  ],
  ['when on a play', play('- hosts: all\n  when: x'), 'site.yml:2:3', "'when' is not a valid attribute for a Play"],
  ['a mistyped module', task('- cpoy: src=a dest=b'), 'site.yml:3:7', "'cpoy' is no module or action", "'copy'"],
  ['two actions', task('- ping:\n  debug:'), 'site.yml:4:7', 'conflicting action statements: ping, debug'],
  ['an action beside a module', task('- action: ping\n  debug:'), 'site.yml:4:7', 'conflicting action statements: ping, debug'],
  ['no action', task('- name: nothing'), 'site.yml:3:7', 'no module or action is named'],
  ['action and local_action', task('- action: ping\n  local_action: ping'), 'site.yml:4:7', 'action and local_action'],
  ['a task that is text', task('- just text'), 'site.yml:3:7', "a task must be a dict, not the text 'just text'"],
  [
    'tasks that are no list',
    play('- hosts: all\n  tasks: 5'),
    'site.yml:2:10',
    'A malformed block was encountered while loading tasks: 5 should be a list or None',
  ],
  ['vars that are a list', task('- ping:\n  vars: [a]'), 'site.yml:4:13', "'vars' must be a dict, not a list"],
  ['become that is a dict', task('- ping:\n  become: {a: 1}'), 'site.yml:4:15', "'become' must be a single value, not a dict"],
  ['tags that are a number', task('- ping:\n  tags: 5'), 'site.yml:4:13', "'tags' must be a text or a list of texts"],
  ['a bad variable name', task('- ping:\n  vars: {a-b: 1}'), 'site.yml:4:14', "'a-b' is no name for a variable"],
  ['a bad register', task('- ping:\n  register: 2x'), 'site.yml:4:17', "Invalid variable name in 'register' specified: '2x'"],
  ['two loops', task('- ping:\n  loop: [1]\n  with_items: [2]'), 'site.yml:5:7', 'a task loops once'],
  ['an unknown with_', task('- ping:\n  with_itmes: [2]'), 'site.yml:4:7', "'with_itmes' is not a valid attribute for a Task"],
  ['an empty with_', task('- ping:\n  with_items:'), 'site.yml:4:7', 'with_items needs something to loop over'],
  [
    'loop_control that is a template',
    task('- ping:\n  loop: [1]\n  loop_control: "{{ x }}"'),
    'site.yml:5:21',
    "'loop_control' must be a dict",
  ],
  [
    'a mistyped loop_control',
    task('- ping:\n  loop: [1]\n  loop_control: {loopvar: i}'),
    'site.yml:5:22',
    "'loopvar' is not a valid attribute",
    'loop_var',
  ],
  ['free text for a module with parameters', task('- copy: some text'), 'site.yml:3:13', "'some text' is no parameter"],
  ['an open quote', task('- shell: echo "a'), 'site.yml:3:14', 'a quote or a template mark is not closed'],
  ['cmd beside free form', task('- command: ls\n  args: {cmd: ls}'), 'site.yml:3:16', "'cmd' cannot stand beside"],
  ['args that are text', task('- command: ls\n  args: chdir'), 'site.yml:4:13', 'args must be a dict or a template'],
  ['module arguments in a list', task('- copy: [a]'), 'site.yml:3:13', 'the arguments of copy must be a dict or text, not a list'],
  ['rescue alone', task('- rescue: [{ping: }]'), 'site.yml:3:7', "'rescue' needs a 'block' beside it"],
  [
    'a keyword on a dynamic include',
    task('- include_tasks: a.yml\n  become: yes'),
    'site.yml:4:7',
    "'become' is not a valid attribute for a TaskInclude",
  ],
  ['an option of include_tasks', task('- include_tasks: {file: a.yml, xxx: 1}'), 'site.yml:3:7', 'Invalid options for include_tasks: xxx'],
  ['no file', task('- import_tasks:'), 'site.yml:3:7', 'No file specified for import_tasks'],
  ['a missing file', task('- import_tasks: nowhere.yml'), 'site.yml:3:7', "the task file 'nowhere.yml' does not exist"],
  ['a looped import', task('- import_tasks: a.yml\n  loop: [1]'), 'site.yml:4:13', 'import_tasks cannot loop', 'include_tasks can loop'],
  [
    'apply on an import',
    { ...task('- import_tasks: {file: a.yml, apply: {tags: x}}'), 'a.yml': '[]' },
    'site.yml:3:42',
    'Invalid options for import_tasks: apply',
  ],
  [
    'a wrong apply',
    task('- include_tasks: {file: a.yml, apply: {tgas: x}}'),
    'site.yml:3:44',
    "'tgas' is not a valid attribute for a Block",
    "'tags'",
  ],
  ['an import of itself', { ...task('- import_tasks: a.yml'), 'a.yml': '- import_tasks: a.yml' }, 'a.yml:1:3', 'a.yml imports itself'],
  [
    'a name of a host',
    task('- import_tasks: "{{ nobody }}.yml"'),
    'site.yml:3:22',
    "the file of import_tasks cannot be told before the run: 'nobody' is undefined",
    'include_* can',
  ],
  ['no role name', task('- include_role: {tasks_from: x}'), 'site.yml:3:7', 'include_role names no role'],
  [
    'an option of include_role',
    task('- include_role: {name: x, task_from: y}'),
    'site.yml:3:7',
    'Invalid options for include_role: task_from',
  ],
  ['a missing role', task('- import_role: {name: nowhere}'), 'site.yml:3:7', "the role 'nowhere' was not found in "],
  ['end_role outside', task('- meta: end_role'), 'site.yml:3:7', "Cannot execute 'end_role' from outside of a role"],
  [
    'a block handler',
    play('- hosts: all\n  handlers:\n    - ping:\n    - block:\n        - block: [{ping: }]'),
    'site.yml:5:11',
    'Using a block as a handler is not supported.',
  ],
  [
    'a role as a handler',
    play('- hosts: all\n  handlers:\n    - include_role: {name: x}'),
    'site.yml:3:7',
    "Using 'include_role' as a handler is not supported.",
  ],
  ['an empty playbook', play(''), '', 'the playbook site.yml is empty'],
  ['a playbook that is a dict', play('hosts: all'), 'site.yml:1:1', 'a playbook must be a list of plays, not a dict'],
  ['a playbook of texts', play('- all'), 'site.yml:1:3', "a playbook's entry must be a play"],
  ['no hosts', play('- tasks: []'), 'site.yml:1:3', 'this play names no hosts'],
  ['empty hosts', play('- hosts: []'), 'site.yml:1:10', 'Hosts list cannot be empty. Please check your playbook'],
  ['hosts that are a dict', play('- hosts: {a: 1}'), 'site.yml:1:10', 'hosts must be patterns, not a dict'],
  [
    'user and remote_user',
    play('- hosts: all\n  user: a\n  remote_user: b'),
    'site.yml:2:3',
    "both 'user' and 'remote_user' are set for this play.",
  ],
  [
    'a prompt without a name',
    play('- hosts: all\n  vars_prompt: [{prompt: x}]'),
    'site.yml:2:17',
    "Invalid vars_prompt data structure, missing 'name' key",
  ],
  [
    'a wrong key of a prompt',
    play('- hosts: all\n  vars_prompt: {name: x, when: y}'),
    'site.yml:2:26',
    "Invalid vars_prompt data structure, found unsupported key 'when'",
  ],
  ['a missing playbook', play('- import_playbook: other.yml'), 'site.yml:1:20', "the playbook 'other.yml' does not exist"],
  ['a playbook that imports itself', play('- import_playbook: site.yml'), 'site.yml:1:3', 'the playbook site.yml imports itself'],
  ['a role with commas', role({}, 'r,1'), 'site.yml:3:7', 'Invalid old style role requirement: r,1'],
  ['a role without a name', role({}, '{tags: x}'), 'site.yml:3:7', 'a role entry must name its role'],
  ['meta that is a list', role({ 'roles/r/meta/main.yml': '- a' }), 'roles/r/meta/main.yml:1:1', 'meta/main.yml of a role must be a dict'],
  [
    'a wrong key of meta',
    role({ 'roles/r/meta/main.yml': 'dependancies: []' }),
    'roles/r/meta/main.yml:1:1',
    "'dependancies' is not a valid attribute",
    "'dependencies'",
  ],
  [
    'a role that depends on itself',
    role({ 'roles/r/meta/main.yml': 'dependencies: [r]' }),
    'roles/r/meta/main.yml:1:16',
    "the role 'r' depends on itself",
  ],
  [
    'role tasks that are a dict',
    role({ 'roles/r/tasks/main.yml': 'a: b' }),
    'roles/r/tasks/main.yml:1:1',
    'a list of tasks must be here, not a dict',
  ],
  [
    'defaults that are a list',
    role({ 'roles/r/defaults/main.yml': '- a' }),
    'roles/r/defaults/main.yml:1:1',
    'roles/r/defaults/main.yml must hold a dict of variables',
  ],
  [
    'a way out of a role',
    { ...role({}), 'site.yml': playOf('- import_role: {name: r, tasks_from: ../../../x.yml}'), 'x.yml': '[]' },
    'site.yml:3:7',
    "tasks_from: '../../../x.yml' cannot be loaded, as it is not inside the expected role path",
  ],
  [
    'a missing tasks_from',
    { ...role({}), 'site.yml': playOf('- import_role: {name: r, tasks_from: x}') },
    'site.yml:3:7',
    "tasks_from: the role has no file 'tasks/x'",
  ],
  [
    'broken YAML in a role',
    role({ 'roles/r/tasks/main.yml': '- a: [\n' }),
    'roles/r/tasks/main.yml:1:7',
    'a list or dict in brackets is not closed',
  ],
  [
    'a reserved parameter',
    task('- set_fact: {_ansible_x: 1}'),
    'site.yml:3:17',
    "Invalid parameter specified beginning with keyword '_ansible_' for action 'set_fact': '_ansible_x'. The prefix '_ansible_' is reserved for internal use only.",
  ],
]

test.each(CASES)('%s', (_story, files, at, message, hint) => {
  const found = mistakes(files)
  expect(found.map((one) => `${one.at} ${one.message}`)).toContainEqual(expect.stringContaining(`${at} ${message}`))
  if (hint) expect(found.find((one) => one.message.includes(message))?.hint).toContain(hint)
})

test('all mistakes of all files are shown together, each once', () => {
  const found = mistakes({
    'site.yml': '- hosts: all\n  becom: yes\n  roles: [r, r]\n  tasks:\n    - pnig:\n    - import_tasks: more.yml\n- hostss: all\n',
    'more.yml': '- debug: {msg: x}\n  wehn: no\n- copy: [1]\n',
    'roles/r/tasks/main.yml': '- ping:\n  rgister: x\n',
  })
  expect(found.map((one) => one.at).sort()).toEqual(
    ['more.yml:2:3', 'more.yml:3:9', 'roles/r/tasks/main.yml:2:3', 'site.yml:2:3', 'site.yml:5:7', 'site.yml:7:3', 'site.yml:7:3'].sort(),
  )
})

test('an argument that a module does not know is pointed out, but does not stop the load', () => {
  const warnings: string[] = []
  expect(mistakes(task('- copy: {src: a, dset: b}'), { warn: (text) => warnings.push(text) })).toEqual([])
  expect(warnings.join()).toMatch(/site\.yml:3:\d+: copy has no parameter 'dset', did you mean 'dest'/)
})
