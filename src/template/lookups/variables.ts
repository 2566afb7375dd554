/** Lookups of variables, hosts, settings and the environment. */
import { looksLikeTemplate, own, Template, Tuple, type Value } from '../../base/index.ts'
import { isUndefined, lookupError, str, typeName, undefinedError } from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { CallContext } from '../registry.ts'
import { isAbsent } from './absent.ts'
import { environmentOf, type LookupTable, Options, pluginError, textTerm } from './define.ts'
import { pluginSetting } from './plugin-settings.ts'

/** What stands beside the settings in the reference and is none. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['ConfigManager', 'Sequence', 'add_internal_fqcns', 'set_constant', 'to_text'])

export const VARIABLE_LOOKUPS: LookupTable = {
  config: (context, terms, kwargs) => {
    const options = new Options(kwargs)
    const missing = options.text('on_missing', 'error')
    if (!['error', 'warn', 'skip'].includes(missing))
      throw lookupError(
        `Invalid value "${missing}" for configuration option "plugin_type: lookup plugin: config setting: on_missing ", valid values are: error, warn, skip`,
      )
    const [type, plugin] = [options.text('plugin_type', ''), options.text('plugin_name', '')]
    if ((type === '') !== (plugin === ''))
      throw lookupError('Both plugin_type and plugin_name are required, cannot use one without the other')
    return terms.flatMap((term) => {
      if (typeof term !== 'string')
        throw lookupError(`Invalid setting identifier, "${str(term)}" is not a string, its a <class '${typeName(term)}'>`)
      if (plugin === '' && NO_SETTINGS.has(term)) throw lookupError(`Invalid setting "${term}" attempted`)
      const found =
        type && plugin ? pluginSetting(context, type, plugin, term) : { value: context.scope.run?.setting?.(term), origin: null }
      if (found?.value !== undefined) return options.flag('show_origin', false) ? [new Tuple([found.value, found.origin])] : [found.value]
      if (missing === 'error') throw lookupError(`Unable to find setting ${term}`)
      return []
    })
  },
  env: (context, terms, kwargs) => {
    const fallback = new Options(kwargs).value('default', '')
    const env = environmentOf(context)
    return terms.map((term) => {
      const name =
        str(term)
          .split(/\s+/)
          .filter((part) => part !== '')[0] ?? ''
      const value: Value = own(env, name) ?? fallback
      if (isUndefined(value)) throw undefinedError(`The "env" lookup, found an undefined variable: ${name}`)
      return value
    })
  },
  inventory_hostnames: (context, terms) => [...(context.scope.run?.hostsOf?.(terms.map((term) => str(term)).join(',')) ?? [])],
  varnames: (context, terms) => {
    const names = [...context.scope.names()]
    return terms.flatMap((term) => {
      if (typeof term !== 'string')
        throw pluginError(`Invalid setting identifier, "${str(term)}" is not a string, it is a <class '${typeName(term)}'>`)
      const pattern = term
      const regex = searchFor(pattern)
      return names.filter((name) => regex.search(name) !== undefined)
    })
  },
  vars: (context, terms, kwargs) => {
    const fallback = new Options(kwargs).value('default')
    return terms.map((term) => variable(context, textTerm(term), fallback))
  },
}

function variable(context: CallContext, name: string, fallback: Value): Value {
  try {
    const value = strictly(context, name)
    if (value === undefined) throw undefinedError(`No variable found with this name: ${name}`)
    if (isUndefined(value)) value.raise()
    for (const text of context.scope.texts?.(name) ?? []) context.keepText(text)
    return value
  } catch (error) {
    if (fallback !== null && isAbsent(error)) return fallback
    throw error
  }
}

/** Its text is rendered here once more where undefined values are no mistakes elsewhere: to this lookup they are. */
function strictly(context: CallContext, name: string): Value | undefined {
  const value = context.scope.get(name)
  const raw = typeof value === 'string' && looksLikeTemplate(value) ? context.scope.raw?.(name) : undefined
  return raw instanceof Template ? context.renderText(raw.text, { strict: true }) : value
}

function searchFor(pattern: string): ReturnType<typeof compileRegex> {
  try {
    return compileRegex(pattern)
  } catch (error) {
    throw pluginError(`Unable to use "${pattern}" as a search parameter: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
