/** A result as one line or as indented JSON or YAML, without what only callbacks need. */
import { type Json, record } from '../base/index.ts'
import type { Result } from '../events/index.ts'
import { pythonJson } from './python-json.ts'
import type { ReportOptions } from './reporter.ts'
import { yamlBlock } from './yaml-block.ts'

const DEBUG = new Set(['debug', 'ansible.builtin.debug', 'ansible.legacy.debug'])
const DEBUG_KEEPS = new Set(['msg', 'exception', 'warnings', 'deprecations'])
const DEBUG_HIDES = new Set(['changed', 'failed', 'skipped', 'invocation', 'skip_reason'])

/** `{…}` behind `=>`, as the default output shows it. */
export function dumpResult(
  result: Result,
  action: string,
  options: Pick<ReportOptions, 'verbosity' | 'resultFormat' | 'prettyResults'>,
): string {
  const always = result['_ansible_verbose_always'] === true
  const shown = visible(result, action, options.verbosity)
  const pretty = options.prettyResults ?? (always || options.verbosity > 2)
  if (options.resultFormat === 'yaml') return `\n${indented(yamlBlock(options.prettyResults === false ? shown : withoutLines(shown)))}`
  return pythonJson(shown as Json, pretty ? 4 : 0)
}

/** Output that is shown whole need not be shown line by line, too. */
function withoutLines(result: Result): Result {
  const doubled = ['stdout', 'stderr'].filter((key) => key in result && `${key}_lines` in result)
  return { ...result, ...Object.fromEntries(doubled.map((key) => [`${key}_lines`, '<omitted>'])) }
}

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((l) => (l === '' ? l : `    ${l}`))
    .join('\n')

/** The keys that are shown. */
export function visible(result: Result, action: string, verbosity: number): Result {
  const out: Record<string, Json | undefined> = record()
  const debug = DEBUG.has(action)
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
