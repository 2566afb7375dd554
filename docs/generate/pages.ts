/** The declarations of the native modules → the pages of docs/reference/modules, one for each collection. */
import nunjucks from 'nunjucks'
import { toJson } from '../../src/base/index.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { manualPage } from '../../src/cli/completion/manual.ts'
import { commandShapes } from '../../src/cli/completion/shape.ts'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { EVENT_SCHEMA } from '../../src/events/index.ts'
import { allModules } from '../../src/modules/index.ts'
import type { Param, Params } from '../../src/params/index.ts'

type Module = ReturnType<typeof allModules>[number]

/** The file names and texts of all pages. */
export function pages(templates: { readonly page: string; readonly index: string }): ReadonlyMap<string, string> {
  const environment = new nunjucks.Environment(null, { autoescape: false, trimBlocks: true, lstripBlocks: true, throwOnUndefined: true })
  const modules = allModules().sort((a, b) => (a.name < b.name ? -1 : 1))
  const collections = [...new Set(modules.map(collectionOf))].map((name) => ({
    name,
    modules: modules.filter((one) => collectionOf(one) === name).map(viewOf),
  }))
  return new Map([
    ...collections.map((one) => [`${one.name}.md`, environment.renderString(templates.page, one)] as const),
    ['README.md', environment.renderString(templates.index, { collections, count: modules.length })],
  ])
}

/** docs/reference/events.schema.json */
export const eventSchema = (): string => `${JSON.stringify(EVENT_SCHEMA, null, 2)}\n`

/** docs/tsspray.1 */
export const manual = async (version: string): Promise<string> => manualPage(await commandShapes(COMMANDS), EXIT_CODES, version)

/** docs/exit-codes.md */
export const exitCodes = (): string =>
  [
    '# What the program ends with',
    '',
    '| code | meaning |',
    '|--:|---|',
    ...EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`),
    '',
    "They are Ansible's, and stay as they are within a major version. `tsspray lint` ends with 0 where nothing was found, and with 4 where something was.",
    '',
  ].join('\n')

const collectionOf = ({ name }: Module): string => (name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : 'others')

function viewOf(module: Module): object {
  const { name, summary = '', aliases = [], checkMode, freeForm = false, openArgs = false, controllerOnly = false, rules = {} } = module
  const notes = [
    ...(aliases.length > 0 ? [`Also known as ${aliases.map(code).join(', ')}.`] : []),
    ...(freeForm ? ['Takes a free-form text.'] : []),
    ...(openArgs ? ['Takes any further parameter.'] : []),
    ...(controllerOnly ? ['Runs on the controller.'] : []),
    checkMode === false ? 'Is skipped in check mode.' : 'Has a check mode.',
    ...(rules.mutuallyExclusive ?? []).map((names) => `Exclude each other: ${names.map(code).join(', ')}.`),
    ...(rules.requiredOneOf ?? []).map((names) => `At least one is needed: ${names.map(code).join(', ')}.`),
    ...(rules.requiredTogether ?? []).map((names) => `Come together: ${names.map(code).join(', ')}.`),
    ...(rules.requiredIf ?? []).map(
      ([key, value, names]) => `${code(`${key}: ${String(toJson(value))}`)} needs ${names.map(code).join(', ')}.`,
    ),
  ]
  return { name, summary, notes, anchor: name.replaceAll('.', '').toLowerCase(), rows: rowsOf(module.params, '') }
}

const code = (text: string): string => `\`${text}\``

interface Row {
  readonly name: string
  readonly facts: string
  readonly description: string
}

function rowsOf(params: Params, prefix: string): Row[] {
  return Object.entries(params).flatMap(([name, param]) => [
    { name: `${prefix}${name}`, facts: factsOf(param), description: cell(param.description ?? '') },
    ...rowsOf(param.options ?? {}, `${prefix}${name}.`),
  ])
}

function factsOf(param: Param): string {
  const shown = (value: unknown): string => code(cell(JSON.stringify(value)))
  return [
    param.elements === undefined ? param.type : `${param.type} of ${param.elements}`,
    ...(param.required ? ['**required**'] : []),
    ...(param.default === undefined || param.default === null ? [] : [`default ${shown(toJson(param.default))}`]),
    ...(param.choices ? [`one of ${param.choices.map((choice) => code(String(toJson(choice)))).join(' ')}`] : []),
    ...(param.aliases?.length ? [`also ${param.aliases.map(code).join(', ')}`] : []),
    ...(param.noLog ? ['kept out of outputs'] : []),
  ].join('; ')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
