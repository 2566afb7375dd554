/** `tsspray doc [MODULE…]`: what modules do and which parameters they take, from their own declarations. */
import { didYouMean, Problem, toJson } from '../../base/index.ts'
import { allModules, findModule, moduleNames, worded } from '../../modules/index.ts'
import type { Param } from '../../params/index.ts'
import { type OptionTable, parseArgs } from '../options.ts'
import { common } from '../tables.ts'
import type { Terminal } from '../terminal.ts'

const options = {
  list: { kind: 'flag', names: ['-l, --list'], about: 'list all modules' },
  snippet: { kind: 'flag', names: ['-s, --snippet'], about: 'show a task to begin with' },
  ...common,
} as const satisfies OptionTable

type Module = ReturnType<typeof allModules>[number]

export const usage = { name: 'tsspray doc', about: 'Explains modules.', args: '[modules...]', options }

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs(usage, argv, terminal)
  if (given.list || args.length === 0) terminal.out(listed())
  for (const name of args) {
    const module = findModule(name)
    if (!module) throw new Problem(`there is no module '${name}'`, { kind: 'usage', hint: didYouMean(name, moduleNames()) })
    terminal.out(given.snippet ? snippet(module) : explained(worded(module)))
  }
  return 0
}

function listed(): string {
  const modules = allModules().sort((a, b) => (a.name < b.name ? -1 : 1))
  const width = Math.max(...modules.map(({ name }) => name.length))
  return modules.map(({ name, summary = '' }) => `${`${name.padEnd(width)}  ${summary}`.trimEnd()}\n`).join('')
}

function explained({ name, summary, aliases = [], params, freeForm, openArgs, checkMode }: Module): string {
  const facts = [
    summary ?? '',
    aliases.length > 0 ? `also: ${aliases.join(', ')}` : '',
    freeForm ? 'takes a free-form text' : '',
    openArgs ? 'takes any further parameter' : '',
    checkMode === false ? 'is skipped in check mode' : '',
  ].filter((fact) => fact !== '')
  const rows = shown(params).map(([param, declared]) => paramLines(param, declared, 2))
  return `${name}\n${facts.map((fact) => `  ${fact}\n`).join('')}\n${rows.join('')}\n`
}

function paramLines(name: string, param: Param, indent: number): string {
  const blank = ' '.repeat(indent)
  const facts = [
    param.elements === undefined ? (param.type === 'raw' ? 'any' : param.type) : `${param.type} of ${param.elements}`,
    param.required ? 'required' : '',
    param.default === undefined || param.default === null ? '' : `default ${JSON.stringify(toJson(param.default))}`,
    param.choices ? `one of ${param.choices.map((choice) => JSON.stringify(toJson(choice))).join(', ')}` : '',
    param.aliases ? `also ${param.aliases.join(', ')}` : '',
    param.description ?? '',
  ].filter((fact) => fact !== '')
  const below = Object.entries(param.options ?? {}).map(([key, declared]) => paramLines(key, declared, indent + 4))
  return `${blank}${name}: ${facts.join('; ')}\n${below.join('')}`
}

function snippet({ name, params }: Module): string {
  const lines = shown(params).map(([param, declared]) => {
    return `    ${declared.required ? param : `# ${param}`}:\n`
  })
  return `- name: ${name.slice(name.lastIndexOf('.') + 1)}\n  ${name}:\n${lines.join('')}`
}

/** Those for people; what begins with an underscore is Ansible’s own affair. */
const shown = (params: Module['params']): [string, Param][] => Object.entries(params).filter(([name]) => !name.startsWith('_'))
