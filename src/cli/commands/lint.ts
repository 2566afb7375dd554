/** `tsspray lint PLAYBOOK…`: what is wrong or suspicious in playbooks, without a host. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { drawProblem, Problem, Problems, placeOf } from '../../base/index.ts'
import { readVars } from '../../documents/index.ts'
import { type Finding, lint, type Sources } from '../../lint/index.ts'
import { loadPlaybooks, type Playbook } from '../../playbook/index.ts'
import { annotation } from '../../report/index.ts'
import { type Assembled, assemble, requirePlaybooks, type Surroundings } from '../assemble.ts'
import { noOptions, type OptionTable, parseArgs } from '../options.ts'
import { problemAnnotations, rootOf } from '../pipeline.ts'
import type { PlaybookOptions } from '../playbook-options.ts'
import { common, extraVarsOptions, inventoryOptions, playbookOptions, vaultOptions } from '../tables.ts'
import type { Terminal } from '../terminal.ts'
import { tellError } from '../trouble.ts'

const options = {
  ...inventoryOptions,
  ...extraVarsOptions,
  ...vaultOptions,
  modulePath: playbookOptions.modulePath,
  output: { kind: 'text', names: ['--output'], value: 'format', about: 'how to tell: default or github' },
  ...common,
} as const satisfies OptionTable

export const usage = {
  name: 'tsspray lint',
  about: 'Finds unknown keys, undefined variables, unreachable tasks, unused handlers and deprecated forms, without a host.',
  args: '<playbooks...>',
  options,
  footer: '\nEnds with 0 where nothing was found, else with 4. Variables of hosts are known where an inventory is named.',
} as const

const FOUND = 4
/** More hosts give no further names. */
const MOST_HOSTS = 50

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs(usage, argv, terminal)
  const paths = requirePlaybooks(args, terminal.cwd, terminal.err)
  const asPlaybook: PlaybookOptions = { ...noOptions(playbookOptions), ...given, playbooks: args }
  const isGithub = given.output === 'github'
  if (given.output !== undefined && !isGithub && given.output !== 'default')
    throw new Problem(`there is no output '${given.output}'`, { kind: 'usage', hint: 'known are default, github' })
  const deprecated = new Set<string>()
  const parts = await assemble(asPlaybook, surroundings(terminal), (bus) => {
    bus.listen((event) => {
      if (event.kind === 'deprecation') deprecated.add(event.text)
    })
  })
  try {
    const found = await findings(parts, paths, { terminal, isGithub })
    if (found === undefined) return FOUND
    tell(found, [...deprecated], { terminal, isGithub })
    return found.length + deprecated.size > 0 ? FOUND : 0
  } finally {
    await parts.close()
  }
}

function surroundings({ cwd, env, home, ask }: Terminal): Surroundings {
  return { cwd, env, home, prompt: ask, interactive: false, signal: new AbortController().signal }
}

/** undefined: the playbooks cannot be read, and that has been told. */
async function findings(parts: Assembled, paths: readonly string[], { terminal, isGithub }: How): Promise<Finding[] | undefined> {
  try {
    const playbooks = loadPlaybooks(paths, parts.run.load)
    return lint(playbooks, parts.run.load, sourcesOf(parts, playbooks))
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Problems)) throw error
    if (isGithub) terminal.out(problemAnnotations(error, terminal))
    await tellError(error, terminal)
    return undefined
  }
}

function sourcesOf({ run, inventory }: Assembled, playbooks: readonly Playbook[]): Sources {
  const folders = new Set(playbooks.map(({ path }) => join(path, '..')))
  const hosts = inventory.hosts().length > 0 ? inventory.hosts().slice(0, MOST_HOSTS) : ['localhost']
  const namesIn = (file: string): string[] => {
    try {
      return [...readVars(file, run.load.documents).keys()]
    } catch {
      // sealed, or no file of variables: the run tells
      return []
    }
  }
  const namesBelow = (folder: string): string[] => filesBelow(folder).flatMap(namesIn)
  const given = [...folders].flatMap((folder) => hosts.flatMap((host) => [...run.variables.hostScope(host, folder).names()]))
  return { given: [...given, ...run.load.extraVars.keys()], namesIn, namesBelow }
}

const ENDINGS = /(?:\.ya?ml|\.json|\/[^./]+)$/

function filesBelow(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => ENDINGS.test(path) && statSync(path).isFile())
}

interface How {
  readonly terminal: Terminal
  readonly isGithub: boolean
}

function tell(found: readonly Finding[], deprecated: readonly string[], { terminal, isGithub }: How): void {
  for (const { problem } of found) {
    if (!isGithub) terminal.out(`${drawProblem(problem)}\n\n`)
    else {
      const place = problem.span && placeOf(problem.span)
      const text = [problem.message, problem.hint].filter((part) => part !== undefined).join('\n')
      terminal.out(annotation({ kind: 'warning', place, title: problem.message, text }, rootOf(terminal)))
    }
  }
  for (const text of deprecated)
    terminal.out(isGithub ? annotation({ kind: 'warning', place: undefined, title: 'deprecated', text }, '/') : `${text} [deprecated]\n\n`)
  const count = found.length + deprecated.length
  terminal.err(count === 0 ? 'nothing found\n' : `${count} found\n`)
}
