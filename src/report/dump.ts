/** A result as one line or as indented JSON or YAML, without what only callbacks need. */
import { type Json, record } from '../base/index.ts'
import type { Result } from '../events/index.ts'
import { pythonJson } from './python-json.ts'
import type { ReportOptions } from './reporter.ts'

const DEBUG = new Set(['debug', 'ansible.builtin.debug', 'ansible.legacy.debug'])
const DEBUG_KEEPS = new Set(['msg', 'exception', 'warnings', 'deprecations'])
const DEBUG_HIDES = new Set(['changed', 'failed', 'skipped', 'invocation', 'skip_reason'])

/** `{…}` behind `=>`, as the default output shows it. */
export function dumpResult(
  result: Result,
  action: string,
  options: Pick<ReportOptions, 'verbosity' | 'resultFormat' | 'prettyResults' | 'yaml'>,
  indent?: number,
): string {
  const always = result['_ansible_verbose_always'] === true
  const shown = visible(result, action, options.verbosity)
  const { yaml, resultFormat, prettyResults } = options
  const isYaml = yaml !== undefined && resultFormat === 'yaml'
  const pretty = prettyResults ?? (always || isYaml || options.verbosity > 2)
  const depth = prettyResults === false ? undefined : (indent ?? (pretty ? 4 : undefined))
  if (!isYaml) return pythonJson(shown as Json, depth ?? 0)
  const lossy = prettyResults !== false
  return `\n${indented(yaml((lossy ? withoutLines(shown) : shown) as Json, { indent: depth, lossy }), depth ?? 4)}`
}

/** Output that is shown whole need not be shown line by line, too. */
function withoutLines(result: Result): Result {
  const doubled = ['stdout', 'stderr'].filter((key) => key in result && `${key}_lines` in result)
  return { ...result, ...Object.fromEntries(doubled.map((key) => [`${key}_lines`, '<omitted>'])) }
}

const indented = (text: string, depth: number): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line.trim() === '' ? line : ' '.repeat(depth) + line))
    .join('\n')

export const isDebug = (action: string): boolean => DEBUG.has(action)

/** The keys that are shown. */
export function visible(result: Result, action: string, verbosity: number): Result {
  const out: Record<string, Json | undefined> = record()
  const debug = isDebug(action)
  for (const [key, value] of Object.entries(result)) {
    if (
      key.startsWith('_ansible_') ||
      key === 'failed' ||
      key === 'skipped' ||
      key === 'warnings' ||
      key === 'deprecations' ||
      key === 'exception'
    )
      continue
    if (debug && ('msg' in result ? !DEBUG_KEEPS.has(key) : DEBUG_HIDES.has(key))) continue
    if (verbosity < 3 && (key === 'invocation' || key === 'diff')) continue
    out[key] = key === 'results' ? withoutInternals(value) : value
  }
  return out
}

/** Items keep for the engine what nobody is shown. */
function withoutInternals(results: Json | undefined): Json | undefined {
  if (!Array.isArray(results)) return results
  return results.map((item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).filter(([key]) => !key.startsWith('_ansible_')))
      : item,
  )
}

export function isVerbose(result: Result, verbosity: number): boolean {
  return (verbosity > 0 || result['_ansible_verbose_always'] === true) && result['_ansible_verbose_override'] !== true
}

/** How structures in a diff are written; undefined: as JSON. */
export function structureOf({ yaml, resultFormat, prettyResults }: Pick<ReportOptions, 'resultFormat' | 'prettyResults' | 'yaml'>) {
  if (!yaml || resultFormat !== 'yaml') return undefined
  return (json: Json): string => `${indented(yaml(json, { indent: 4, lossy: prettyResults !== false }), 4)}\n`
}
