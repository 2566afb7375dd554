/** `tsspray [options] playbook.yml…`: lists, checks or runs playbooks and returns the exit code. */

import { setFlagsFromString } from 'node:v8'
import { didYouMean, drawProblems, own, Problem, Problems } from '../../base/index.ts'
import type { Settings } from '../../config/index.ts'
import { type RunSettings, runPlaybooks } from '../../engine/index.ts'
import type { Bus, Event } from '../../events/index.ts'
import { listingLines, listPlaybook, loadPlaybooks, type TaskListing } from '../../playbook/index.ts'
import {
  ChangeSummary,
  type CiOptions,
  COMPANIONS,
  graphLines,
  type OrderedStep,
  type Output,
  QuietSkips,
  REPORTERS,
  type Reporter,
  type ReportOptions,
} from '../../report/index.ts'
import { type Assembled, assemble, requirePlaybooks, type Surroundings } from '../assemble.ts'
import { COMMAND_NAMES } from '../command-names.ts'
import { interruption } from '../interruption.ts'
import { refuseEmptyLimit, refuseNoHosts } from '../limit.ts'
import { parseArgs } from '../options.ts'
import { pipelineOf, problemAnnotations } from '../pipeline.ts'
import type { PlaybookOptions } from '../playbook-options.ts'
import { findResumed, journalFor, withoutResume, withRunApart } from '../resume.ts'
import { keepReport } from '../run-report.ts'
import { logOf, reportOptions, type Screen, screenOf } from '../screen.ts'
import { playbookOptions } from '../tables.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { versionText } from '../version-text.ts'

export const usage = {
  name: 'tsspray',
  about: 'Runs Ansible playbooks over SSH.',
  args: '[playbooks...]',
  options: playbookOptions,
  footer: '\nOther commands: tsspray inventory, exec, vault, doc, lint, config, runs, show, completion (each with --help)',
} as const

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  refuseMistyped(argv[0], terminal.cwd)
  const typed = withRunApart(argv)
  const given = parseArgs(usage, typed, terminal)
  if (given.options.resume !== undefined) requirePlaybooks(given.args, terminal.cwd)
  const resumed = given.options.resume === undefined ? undefined : findResumed(given.options.resume, typed, given.args.length > 0, terminal)
  const { args, options } = resumed === undefined ? given : parseArgs(usage, resumed.argv, terminal)
  if (args.length === 0) return noPlaybook(terminal)
  const { env, home } = terminal
  const cwd = resumed?.cwd ?? terminal.cwd
  const isRun = !(options.listHosts || options.listTasks || options.listTags || options.graph || options.syntaxCheck)
  const screen = screenOf(terminal, options.heartbeat)
  const prompt: Surroundings['prompt'] = (text, how) =>
    screen.live ? screen.live.pausing(() => terminal.ask(text, how)) : terminal.ask(text, how)
  const readLine = (text: string) => (screen.live ? screen.live.pausing(() => terminal.readLine(text)) : terminal.readLine(text))
  return runThem(
    { ...options, playbooks: args },
    {
      cwd,
      env,
      home,
      prompt,
      readLine,
      keys: keysOf(terminal, screen),
      interactive: terminal.isInteractive,
      signal: interruption(terminal),
      journal: isRun ? journalFor({ argv: withoutResume(typed), cwd, resumed, options: given.options, terminal }) : undefined,
    },
    screen,
  )
}

/** Keys typed at the terminal; the text before them goes where the output goes. */
export function keysOf(terminal: Terminal, { live, output }: Screen): Surroundings['keys'] {
  if (!terminal.isInteractive) return undefined
  return (wanted) => {
    output.out(`${wanted.text}\n`)
    return live ? live.pausing(() => terminal.keys(wanted)) : terminal.keys(wanted)
  }
}

/** `exce` is a command with a slip rather than a playbook; said before its options are found to be unknown. */
function refuseMistyped(first: string | undefined, cwd: string): void {
  if (first !== undefined && !first.startsWith('-') && didYouMean(first, COMMAND_NAMES)) requirePlaybooks([first], cwd)
}

function noPlaybook({ err }: Terminal): number {
  err(
    'usage: tsspray [options] playbook.yml…\n\ntsspray --help tells the options and the other commands\ntsspray: error: a playbook is needed\n',
  )
  return 2
}

/** A listing is over before code that V8 makes faster, and a small space to keep tidy, would pay. */
const SHORT_RUN = ['--no-opt', '--semi-space-growth-factor=16']

export async function runThem(options: PlaybookOptions, around: Surroundings, screen: Screen): Promise<number> {
  refuseEmptyLimit(options.limit)
  const paths = requirePlaybooks(options.playbooks, around.cwd, screen.output.err)
  const listing = options.listHosts || options.listTasks || options.listTags || options.graph
  if (listing) for (const flag of SHORT_RUN) setFlagsFromString(flag)
  let log: Output | undefined
  try {
    return await runInventoried(
      await assemble(options, around, (bus, settings, secrets) => {
        log = attach(bus, settings, options, screen, { names: settings.get('CALLBACKS_ENABLED'), pipeline: pipelineOf(around, secrets) })
        keepReport(bus, options, { cwd: around.cwd, mask: (text) => secrets.mask(text), tell: screen.output.err })
      }),
      { options, paths, listing, screen },
    )
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) log?.err(`ERROR! ${drawProblems(error)}`)
    if (options.output === 'github') screen.output.out(problemAnnotations(error, around))
    throw error
  }
}

interface Wanted {
  readonly options: PlaybookOptions
  readonly paths: readonly string[]
  readonly listing: boolean
  readonly screen: Screen
}

async function runInventoried(parts: Assembled, { options, paths, listing, screen }: Wanted): Promise<number> {
  try {
    if (parts.inventory.hosts().length === 0 && parts.settings.get('LOCALHOST_WARNING')) parts.bus.emit({ kind: 'warning', text: NO_HOSTS })
    refuseNoHosts(parts.inventory, options.limit)
    if (options.flushCache) for (const host of parts.inventory.match('all', { limit: options.limit })) parts.run.variables.clearFacts(host)
    if (options.graph) return graph(parts, paths, options, screen.output)
    if (listing) return list(parts, paths, options, screen.output)
    if (options.syntaxCheck) return syntax(parts, paths, options, screen.output)
    return await runPlaybooks(parts.run, paths, VERSION, options.playbooks)
  } finally {
    screen.live?.end()
    parts.journal?.close()
    await parts.close()
  }
}

const NO_HOSTS = "provided hosts list is empty, only localhost is available. Note that the implicit localhost does not match 'all'"

/** Which reports there are beside the main one. */
export interface Beside {
  readonly names: readonly string[]
  /** where `tree` writes, whatever the settings say */
  readonly treeFolder?: string | undefined
  readonly pipeline?: CiOptions | undefined
}

/** Their output stays and is read by many: not even a debug task shows a sealed text there, and in what reports keep. */
const PUBLIC: ReadonlySet<string> = new Set(['github', 'gitlab'])

/** Our own option means our own events by `jsonl`; the setting means Ansible's. */
const nameOf = (asked: string): string =>
  asked === 'jsonl' ? 'events' : asked.replace(/^(ansible\.(builtin|posix)|community\.general)\./, '')

/** Puts the reporters that options and settings name on the bus. */
export function attach(
  bus: Bus,
  settings: Settings,
  options: PlaybookOptions,
  screen: Screen,
  beside: Beside = { names: settings.get('CALLBACKS_ENABLED') },
): Output | undefined {
  const name = nameOf(options.output ?? mainOf(settings))
  const how = { ...reportOptions(settings, options, screen, beside.treeFolder), ci: beside.pipeline }
  const make = own(REPORTERS, name)
  if (!make && options.output !== undefined) {
    throw new Problem(`there is no output '${name}'`, {
      kind: 'usage',
      hint: didYouMean(name, Object.keys(REPORTERS)) ?? `known are ${Object.keys(REPORTERS).join(', ')}`,
    })
  }
  const main = make ?? REPORTERS['default']!
  const shown: Reporter[] = []
  const kept: Reporter[] = []
  ;(PUBLIC.has(name) ? kept : shown).push(options.quietSkips ? quiet(main(how), name, how) : main(how))
  if (options.summary) shown.push(new ChangeSummary({ ...how, rows: process.stdout.rows ?? 40 }))
  const log = logOf(settings, screen.output)
  if (log) kept.push(main(logged(how, log, settings)))
  const missing: string[] = make ? [] : [name]
  for (const full of beside.names) {
    const short = full.replace(/^.*\./, '')
    const companion = own(COMPANIONS, short)
    if (companion) kept.push(companion(log ? { ...how, output: both(how.output, log) } : how))
    else missing.push(full)
  }
  bus.listen((event: Event) => {
    for (const reporter of shown) reporter.on(event)
    screen.live?.on(event)
  })
  if (kept.length > 0) bus.keep((event: Event) => kept.forEach((reporter) => void reporter.on(event)))
  bus.emit({ kind: 'verbose', level: 2, text: versionText(settings) })
  bus.emit({
    kind: 'verbose',
    level: 1,
    text: settings.file === undefined ? 'No config file found; using defaults' : `Using ${settings.file} as config file`,
  })
  for (const one of missing) {
    const hint = didYouMean(one, [...Object.keys(REPORTERS), ...Object.keys(COMPANIONS)])
    bus.emit({ kind: 'warning', text: `the callback '${one}' is not there, the run goes on without it${hint ? `; ${hint}` : ''}` })
  }
  return log
}

/** @throws Problem for outputs in which every result has its place */
function quiet(main: Reporter, name: string, how: ReportOptions): Reporter {
  if (QUIET.has(name)) return new QuietSkips(main, how)
  throw new Problem(`--quiet-skips does not go with the output '${name}'`, { kind: 'usage', hint: `it goes with ${[...QUIET].join(', ')}` })
}

const QUIET: ReadonlySet<string> = new Set(['default', 'yaml', 'github'])

/** What is shown is logged, too. */
const both = (...outputs: readonly Output[]): Output => ({
  out: (text) => outputs.forEach((output) => void output.out(text)),
  err: (text) => outputs.forEach((output) => void output.err(text)),
})

/** stdout_callback by its full name. */
export function mainOf(settings: Settings): string {
  const name = settings.get('DEFAULT_STDOUT_CALLBACK')
  return name === 'jsonl' ? 'ansible.posix.jsonl' : name
}

/** The same report without colours, into the log file. */
function logged(how: ReportOptions, output: Output, settings: Settings): ReportOptions {
  return { ...how, output, colour: false, messageVerbosity: settings.get('LOG_VERBOSITY') ?? how.verbosity, writeFile: undefined }
}

function list({ run, inventory }: Assembled, paths: readonly string[], options: PlaybookOptions, output: Output): number {
  for (const [index, playbook] of loadPlaybooks(paths, { ...run.load, lazyVars: true }).entries()) {
    const listing = listPlaybook(
      { ...playbook, path: options.playbooks[index]! },
      {
        context: run.load,
        filter: listed(run.settings.tags, options),
        tasks: options.listTasks,
        tags: options.listTags,
        hosts: options.listHosts ? (patterns) => inventory.match(patterns, { limit: options.limit }) : undefined,
      },
    )
    output.out(`${listingLines(listing).join('\n')}\n`)
  }
  return 0
}

/** --graph: what a run would do, play by play. */
function graph({ run, inventory }: Assembled, paths: readonly string[], options: PlaybookOptions, output: Output): number {
  const hosts = (patterns: readonly string[]) => inventory.match(patterns, { limit: options.limit })
  for (const [index, playbook] of loadPlaybooks(paths, { ...run.load, lazyVars: true }).entries()) {
    const how = { context: run.load, filter: run.settings.tags, tasks: true, tags: false, hosts }
    const plays = listPlaybook(playbook, how).plays.map(({ name, patterns, hosts = [], serial, tasks = [] }) => {
      return {
        name,
        hosts,
        pattern: patterns.join(','),
        serial: serial.length === 0 ? undefined : serial.join(', then '),
        steps: stepsOf(tasks),
      }
    })
    output.out(`\nplaybook: ${options.playbooks[index]}\n\n${graphLines(plays).join('\n')}\n`)
  }
  return 0
}

/** Tasks of one role that follow each other are one step. */
function stepsOf(tasks: readonly TaskListing[]): OrderedStep[] {
  const steps: { role: string | undefined; tasks: number }[] = []
  for (const { role } of tasks) {
    const last = steps.at(-1)
    if (last && last.role === role) last.tasks++
    else steps.push({ role, tasks: 1 })
  }
  return steps
}

/** --list-tags without a choice of tags shows those of tasks that run only when they are asked for, too. */
function listed(filter: RunSettings['tags'], { listTags, tags, skipTags }: PlaybookOptions): RunSettings['tags'] {
  return listTags && tags.length === 0 && skipTags.length === 0 ? { ...filter, only: ['never', 'all'] } : filter
}

function syntax({ run }: Assembled, paths: readonly string[], options: PlaybookOptions, output: Output): number {
  loadPlaybooks(paths, run.load)
  for (const path of options.playbooks) output.out(`\nplaybook: ${path}\n`)
  return 0
}
