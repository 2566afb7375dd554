/** `tsspray inventory --list | --host NAME | --graph`: shows hosts, groups and their variables. */
import { statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Problem, type Raw, type Value } from '../../base/index.ts'
import { readEntityVars } from '../../inventory/index.ts'
import type { Scope } from '../../template/index.ts'
import type { LayeredScope } from '../../vars/index.ts'
import { type Assembled, assemble } from '../assemble.ts'
import { graphText, hostText, listText, type View } from '../inventory-view.ts'
import { refuseEmptyLimit } from '../limit.ts'
import { noOptions, type OptionTable, parseArgs } from '../options.ts'
import type { PlaybookOptions } from '../playbook-options.ts'
import { warn } from '../session.ts'
import { common, extraVarsOptions, inventoryOptions, limitOptions, playbookOptions, vaultOptions } from '../tables.ts'
import type { Terminal } from '../terminal.ts'

const options = {
  list: { kind: 'flag', names: ['--list'], about: 'all hosts and groups, as an inventory script prints them' },
  host: { kind: 'text', names: ['--host'], value: 'name', about: 'the variables of one host' },
  graph: { kind: 'flag', names: ['--graph'], about: 'the tree of groups' },
  vars: { kind: 'flag', names: ['--vars'], about: 'graph: with variables' },
  yaml: { kind: 'flag', names: ['-y, --yaml'], about: 'YAML instead of JSON' },
  export: { kind: 'flag', names: ['--export'], about: 'list: variables where they were written rather than merged for each host' },
  outputFile: { kind: 'text', names: ['--output'], value: 'file', about: 'list: write to this file' },
  playbookDir: { kind: 'text', names: ['--playbook-dir'], value: 'folder', about: 'a folder that stands for the playbook’s' },
  ...inventoryOptions,
  ...limitOptions,
  ...extraVarsOptions,
  ...vaultOptions,
  ...common,
} as const satisfies OptionTable

export const usage = { name: 'tsspray inventory', about: 'Shows hosts and groups.', args: '[group]', options }

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs(usage, argv, terminal)
  refuseEmptyLimit(given.limit)
  const chosen = [given.list, given.host !== undefined, given.graph].filter((one) => one).length
  if (chosen !== 1) {
    const message =
      chosen === 0
        ? 'No action selected, at least one of --host, --graph or --list needs to be specified.'
        : 'Conflicting options used, only one of --host, --graph or --list can be used at the same time.'
    throw new Problem(message, { kind: 'usage' })
  }
  const asPlaybook: PlaybookOptions = { ...noOptions(playbookOptions), ...given, playbooks: [] }
  const { cwd, env, home, ask } = terminal
  const parts = await assemble(
    asPlaybook,
    { cwd, env, home, prompt: ask, interactive: terminal.isInteractive, signal: new AbortController().signal },
    (bus) => {
      bus.listen((event) => event.kind === 'warning' && warn(terminal, event.text))
    },
  )
  const exporting = given.export || parts.settings.get('INVENTORY_EXPORT')
  const folderGiven = given.playbookDir ?? parts.settings.get('PLAYBOOK_DIR')
  const view = viewOf(parts, exporting, folderGiven ? resolve(cwd, folderGiven) : undefined, given.limit, cwd)
  const text =
    given.host !== undefined
      ? hostText(view, given.host, given.yaml)
      : given.graph
        ? graphText(view, args[0] ?? 'all', given.vars)
        : listText(view, args[0] ?? 'all', given.yaml)
  if (given.outputFile !== undefined && given.list) writeFileSync(resolve(cwd, given.outputFile), text)
  else terminal.out(text)
  await parts.close()
  return 0
}

/** Names that every host has and that say nothing about it. */
const INTERNAL = new Set([
  ...[
    'ansible_check_mode',
    'ansible_config_file',
    'ansible_diff_mode',
    'ansible_facts',
    'ansible_forks',
    'ansible_inventory_sources',
    'ansible_limit',
  ],
  ...[
    'ansible_playbook_python',
    'ansible_run_tags',
    'ansible_skip_tags',
    'ansible_verbosity',
    'ansible_version',
    'environment',
    'group_names',
    'groups',
  ],
  ...['hostvars', 'inventory_dir', 'inventory_file', 'inventory_hostname', 'inventory_hostname_short', 'omit', 'playbook_dir', 'vars'],
])

function viewOf(
  { run, bus, inventory, settings }: Assembled,
  exporting: boolean,
  playbookDir: string | undefined,
  limit: string | undefined,
  cwd: string,
): View {
  const { templar, variables, load } = run
  const folders = [
    ...inventory.sources.filter((source) => source !== '').map(folderOf),
    ...(playbookDir === undefined ? [] : [playbookDir]),
  ]
  const filed = (kind: 'group_vars' | 'host_vars', name: string, written: ReadonlyMap<string, Raw>): Map<string, Raw> => {
    const read = (folder: string) => readEntityVars(folder, kind, name, settings.get('YAML_FILENAME_EXTENSIONS'), load.documents)
    const files = [...new Set(folders)].flatMap(read).map(({ vars }) => vars)
    return new Map([written, ...files].flatMap((vars) => [...vars]))
  }
  return {
    inventory,
    exporting,
    hosts: new Set(inventory.match('all', { limit })),
    groupVars: (name) => filed('group_vars', name, inventory.group(name)?.vars ?? new Map()),
    hostVars: (name) =>
      exporting
        ? filed('host_vars', name, inventory.host(name)?.vars ?? new Map())
        : mergedVars(variables.hostScope(name, playbookDir ?? cwd)),
    text: (value) => templar.text(value),
    warn: (text) => bus.emit({ kind: 'warning', text }),
    dump: (value, expression) => templar.text(templar.expression(expression, justIt(value))),
  }
}

/** All that is known of a host before a run, as written. */
function mergedVars(scope: LayeredScope): Map<string, Raw> {
  const vars = new Map<string, Raw>()
  for (const name of scope.names()) {
    const raw = INTERNAL.has(name) ? undefined : scope.raw(name)
    if (raw !== undefined) vars.set(name, raw)
  }
  return vars
}

/** A scope with the one name `it`. */
const justIt = (value: Value): Scope => ({
  get: (name) => (name === 'it' ? value : undefined),
  has: (name) => name === 'it',
  names: () => ['it'],
  fromHost: () => true,
})

const folderOf = (source: string): string => (statSync(source, { throwIfNoEntry: false })?.isDirectory() ? source : dirname(source))
