/** `tsspray exec PATTERN -m MODULE -a ARGS`: runs one module on hosts, without a playbook. */
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { didYouMean, Problem, Problems } from '../../base/index.ts'
import { runPlaybooks } from '../../engine/index.ts'
import type { Inventory } from '../../inventory/index.ts'
import { assemble } from '../assemble.ts'
import { interruption } from '../interruption.ts'
import { refuseEmptyLimit, refuseNoHosts } from '../limit.ts'
import { noOptions, type OptionTable, type Parsed, parseArgs } from '../options.ts'
import { pipelineOf } from '../pipeline.ts'
import type { PlaybookOptions } from '../playbook-options.ts'
import { keepReport } from '../run-report.ts'
import { screenOf } from '../screen.ts'
import { readSettings } from '../session.ts'
import {
  becomeOptions,
  common,
  connectionOptions,
  extraVarsOptions,
  inventoryOptions,
  limitOptions,
  playbookOptions,
  runOptions,
  vaultOptions,
} from '../tables.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { attach, keysOf, mainOf } from './playbook.ts'

const options = {
  module: { kind: 'text', names: ['-m, --module-name'], value: 'name', about: 'the module (command)' },
  args: { kind: 'text', names: ['-a, --args'], value: 'args', about: "its arguments: 'name=value …' or JSON" },
  background: { kind: 'number', names: ['-B, --background'], value: 'seconds', about: 'run in the background, for so long at most' },
  poll: { kind: 'number', names: ['-P, --poll'], value: 'seconds', about: 'how often to look after it' },
  taskTimeout: { kind: 'number', names: ['--task-timeout'], value: 'seconds', about: 'how long it may take' },
  oneLine: { kind: 'flag', names: ['-o, --one-line'], about: 'a line for each host' },
  tree: { kind: 'text', names: ['-t, --tree'], value: 'folder', about: "a file for each host's result goes there" },
  listHosts: { kind: 'flag', names: ['--list-hosts'], about: 'only list the hosts' },
  ...inventoryOptions,
  ...limitOptions,
  ...extraVarsOptions,
  ...runOptions,
  ...connectionOptions,
  ...becomeOptions,
  ...vaultOptions,
  ...common,
} as const satisfies OptionTable

type Options = Parsed<typeof options>

/** What the settings say of a run without -m or -a. */
function withDefaults(typed: Options, terminal: Terminal): Options {
  const { get } = readSettings(terminal)
  return { ...typed, module: typed.module ?? get('DEFAULT_MODULE_NAME'), args: typed.args ?? (get('DEFAULT_MODULE_ARGS') || undefined) }
}

export const usage = { name: 'tsspray exec', about: 'Runs one module on hosts.', args: '<pattern>', options }

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: typed } = parseArgs(usage, argv, terminal)
  const given = withDefaults(typed, terminal)
  const [pattern = '', ...rest] = args
  if (rest.length > 0)
    throw new Problem(`what is '${rest.join(' ')}' for?`, {
      kind: 'usage',
      hint: 'one pattern is taken; arguments of the module go after -a, in quotes',
    })
  refuseEmptyLimit(given.limit)
  const path = join(realpathSync(terminal.cwd), '(ad hoc)')
  const asPlaybook: PlaybookOptions = { ...noOptions(playbookOptions), ...given, playbooks: [path] }
  const screen = screenOf(terminal, given.heartbeat)
  const { cwd, env, home, ask } = terminal
  const around = {
    cwd,
    env,
    home,
    prompt: ask,
    keys: keysOf(terminal, screen),
    interactive: terminal.isInteractive,
    signal: interruption(terminal),
    texts: new Map([[path, playText(pattern, given)]]),
  }
  const parts = await assemble(asPlaybook, around, (bus, settings, secrets) => {
    keepReport(bus, given, { cwd, mask: (text) => secrets.mask(text), tell: screen.output.err })
    const loads = settings.get('DEFAULT_LOAD_CALLBACK_PLUGINS')
    const own = loads ? mainOf(settings) : 'minimal'
    const beside = {
      names: [...(loads ? settings.get('CALLBACKS_ENABLED') : []), ...(given.tree === undefined ? [] : ['tree'])],
      treeFolder: given.tree === undefined ? undefined : resolve(cwd, given.tree),
      pipeline: pipelineOf(around, secrets),
    }
    attach(bus, settings, { ...asPlaybook, output: given.output ?? (given.oneLine ? 'oneline' : own) }, screen, beside)
  })
  try {
    const hosts = parts.inventory.match(pattern, { limit: given.limit })
    if (given.listHosts) return list(hosts, terminal)
    if (hosts.length === 0) return nobody(parts.inventory, pattern, given.limit, terminal)
    checkModule(given)
    return await runPlaybooks(parts.run, [path], VERSION)
  } catch (error) {
    throw withoutPlace(error, path)
  } finally {
    await parts.close()
  }
}

/** The play is ours: a place in it tells nobody anything. */
function withoutPlace(error: unknown, play: string): unknown {
  const placeless = (problem: Problem): Problem => {
    if (problem.span?.source.name !== play) return problem
    const { message, kind, hint, notes, cause } = problem
    return new Problem(message, { kind, hint, notes, cause })
  }
  if (error instanceof Problems) return new Problems(error.problems.map(placeless))
  return error instanceof Problem ? placeless(error) : error
}

function list(hosts: readonly string[], { out }: Terminal): number {
  out(`  hosts (${hosts.length}):\n${hosts.map((host) => `    ${host}\n`).join('')}`)
  return 0
}

/** Nobody to do it is no mistake of the run, but mostly one of the pattern. */
function nobody(inventory: Inventory, pattern: string, limit: string | undefined, { err }: Terminal): number {
  refuseNoHosts(inventory, limit)
  const hint = didYouMean(pattern, [...inventory.groups(), ...inventory.hosts()])
  err(`[WARNING]: No hosts matched, nothing to do${hint === undefined ? '' : `: ${hint}`}\n`)
  return 0
}

function checkModule({ module = 'command', args = '' }: Options): void {
  if (/^(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|script|raw)$/.test(module) && args === '') {
    throw new Problem(`No argument passed to ${module} module`, { kind: 'usage', hint: "give one with -a 'the command'" })
  }
}

/** The play, as JSON, which is YAML. */
function playText(pattern: string, { module = 'command', args, background, poll, taskTimeout }: Options): string {
  const isJson = args?.trimStart().startsWith('{') === true && !args.trimStart().startsWith('{{')
  const task = {
    name: module,
    [module]: isJson ? fromText(args) : (args ?? null),
    ...(background === undefined ? {} : { async: background, poll: poll ?? 15 }),
    ...(taskTimeout === undefined ? {} : { timeout: taskTimeout }),
  }
  return JSON.stringify([{ name: 'Ad hoc', hosts: pattern, gather_facts: false, tasks: [task] }])
}

function fromText(args: string): unknown {
  try {
    return JSON.parse(args) as unknown
  } catch (error) {
    throw new Problem(`-a is not the JSON it begins as: ${(error as Error).message}`, { kind: 'usage', cause: error })
  }
}
