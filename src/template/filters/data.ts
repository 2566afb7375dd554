/** Filters between values and their text: JSON and YAML. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import { nodeToValue, parseYaml } from '../../documents/index.ts'
import { dumpJson, type JsonOptions } from '../dump/json.ts'
import { dumpYaml, type YamlOptions } from '../dump/yaml.ts'
import { asIndex, filterError, isPyError, type Kwargs, Markup, str, toList, truth, typeError, typeName } from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'
import { dateOf } from './datetime.ts'
import { type FilterTable, filter, plain } from './define.ts'
import { readJson } from './json-read.ts'

export const DATA: FilterTable = {
  from_json: plain('loads', (value) => {
    if (value instanceof Uint8Array) return readJson(Buffer.from(value).toString())
    if (typeof value !== 'string') throw typeError(`the JSON object must be str, bytes or bytearray, not ${typeName(value)}`)
    return readJson(value)
  }),
  from_yaml: plain('from_yaml', (value) => {
    if (typeof value !== 'string') return value
    const node = parseYaml({ name: 'from_yaml', text: value })
    return node ? nodeToValue(node, {}, dateOf) : null
  }),
  from_yaml_all: plain('from_yaml_all', (value) => {
    if (typeof value !== 'string') return value
    const node = parseYaml({ name: 'from_yaml_all', text: value }, { multi: true })
    return node ? nodeToValue(node, {}, dateOf) : []
  }),
  to_json: (_, value, args, kwargs) => {
    if (args.length > 0)
      throw typeError(
        `dumps() takes 1 positional argument but ${args.length + 1} positional arguments (and 1 keyword-only argument) were given`,
      )
    return dumpJson(value, jsonOptions(kwargs))
  },
  to_nice_json: (_, value, args, kwargs) => {
    const given = new Map(kwargs)
    for (const [i, name] of ['indent', 'sort_keys'].entries()) if (args[i] !== undefined) given.set(name, args[i]!)
    if (!given.has('indent')) given.set('indent', 4)
    if (!given.has('sort_keys')) given.set('sort_keys', true)
    given.set('separators', new Tuple([',', ': ']))
    return dumpJson(value, jsonOptions(given))
  },
  to_nice_yaml: toYaml('to_nice_yaml', (args, kwargs) => ({
    ...yamlOptions(kwargs),
    indent: integer(args[0] ?? kwargs.get('indent') ?? 4),
    flowStyle: false,
  })),
  to_yaml: toYaml('to_yaml', (_, kwargs) => yamlOptions(kwargs)),
  tojson: filter(
    'do_tojson',
    [['indent', null]],
    (value, [indent]) => {
      const text = dumpJson(value, { sortKeys: true, indent: indent === null ? undefined : integer(indent) })
      return new Markup(text.replace(/[<>&']/g, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`))
    },
    { leading: 2 },
  ),
}

/** community.general's own, which stand beside the built-in ones by their full names. */
export const COMMUNITY_YAML: FilterTable = {
  to_nice_yaml: toYaml('to_nice_yaml', (_, kwargs) => ({
    ...yamlOptions(unredacted(kwargs)),
    indent: integer(kwargs.get('indent') ?? 2),
    flowStyle: false,
  })),
  to_yaml: toYaml('to_yaml', (_, kwargs) => yamlOptions(unredacted(kwargs))),
}

const unredacted = (kwargs: Kwargs): Kwargs => new Map([...kwargs].filter(([name]) => name !== 'redact_sensitive_values'))

function toYaml(name: string, options: (args: readonly Value[], kwargs: Kwargs) => YamlOptions): FilterFunction {
  return (_, value, args, kwargs) => {
    try {
      return dumpYaml(value, options(args, kwargs))
    } catch (error) {
      if (isPyError(error)) throw filterError(`${name} - ${error.message}. ${error.message}`, error)
      throw error
    }
  }
}

function integer(value: Value): number | undefined {
  return value === null ? undefined : asIndex(value instanceof Float ? Math.trunc(value.value) : value)
}

const YAML_KEYS = new Set([
  'default_flow_style',
  'indent',
  'width',
  'sort_keys',
  'default_style',
  'explicit_start',
  'explicit_end',
  'line_break',
  'encoding',
  'version',
  'tags',
])

function yamlOptions(kwargs: Kwargs): YamlOptions {
  for (const key of kwargs.keys()) {
    if (key === 'allow_unicode') throw typeError("yaml.dump() got multiple values for keyword argument 'allow_unicode'")
    if (!YAML_KEYS.has(key)) throw typeError(`dump_all() got an unexpected keyword argument '${key}'`)
  }
  const flow = kwargs.get('default_flow_style') ?? null
  return {
    allowUnicode: true,
    flowStyle: flow === null ? null : truth(flow),
    indent: integer(kwargs.get('indent') ?? null),
    width: width(kwargs.get('width') ?? null),
    sortKeys: kwargs.has('sort_keys') ? truth(kwargs.get('sort_keys')!) : true,
    style: styleOf(kwargs.get('default_style') ?? null),
    version: versionOf(kwargs.get('version') ?? null),
    explicitStart: truth(kwargs.get('explicit_start') ?? null),
    explicitEnd: truth(kwargs.get('explicit_end') ?? null),
  }
}

function styleOf(value: Value): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return value
  throw typeError(`'${typeName(value)}' object is not subscriptable`)
}

/** The head of a document tells the version of YAML, as a pair of numbers. */
function versionOf(value: Value): string | undefined {
  const parts = value instanceof Tuple ? value.items : value
  return Array.isArray(parts) && parts.length === 2 ? parts.map(String).join('.') : undefined
}

function width(value: Value): number | undefined {
  if (value instanceof Float && !Number.isFinite(value.value)) return value.value > 0 ? -1 : undefined
  return integer(value)
}

const JSON_KEYS = new Set([
  'indent',
  'sort_keys',
  'ensure_ascii',
  'separators',
  'skipkeys',
  'allow_nan',
  'check_circular',
  'vault_to_text',
  'preprocess_unsafe',
])

function jsonOptions(kwargs: Kwargs): JsonOptions {
  for (const key of kwargs.keys()) {
    if (!JSON_KEYS.has(key)) throw typeError(`JSONEncoder.__init__() got an unexpected keyword argument '${key}'`)
  }
  const given = (key: string): boolean | undefined => (kwargs.has(key) ? truth(kwargs.get(key)!) : undefined)
  const indent = kwargs.get('indent') ?? null
  const separators = kwargs.get('separators') ?? null
  return {
    indent: typeof indent === 'string' ? indent : integer(indent),
    sortKeys: given('sort_keys'),
    ensureAscii: given('ensure_ascii'),
    skipKeys: given('skipkeys'),
    allowNan: given('allow_nan'),
    separators: separators === null ? undefined : (toList(separators).map(str) as [string, string]),
  }
}
