/** Turns the `options` of a role's argument_specs into Params, so that roles and modules are checked by the same code. */
import { type Dict, Problem, type Value } from '../base/index.ts'
import type { Param, Params, ParamType, Rules } from './api.ts'
import { boolWord } from './coerce.ts'
import { asText } from './text.ts'

const TYPES: ReadonlySet<string> = new Set<ParamType>([
  'str',
  'int',
  'float',
  'bool',
  'path',
  'raw',
  'list',
  'dict',
  'bytes',
  'bits',
  'json',
  'jsonarg',
  'sid',
])

/** Params of an `options` dict as written in meta/argument_specs.yml. */
export function paramsFromSpec(options: Dict): Params {
  return Object.fromEntries([...options].map(([name, spec]) => [asText(name), paramFromSpec(asText(name), spec)]))
}

/** The rules that a spec's entry or a sub-option has beside its options. */
export function rulesFromSpec(spec: Dict): Rules {
  const groups = (key: string): string[][] | undefined => {
    const value = spec.get(key)
    return Array.isArray(value) ? value.map((names) => (Array.isArray(names) ? names.map(asText) : [asText(names)])) : undefined
  }
  return {
    mutuallyExclusive: groups('mutually_exclusive') ?? [],
    requiredTogether: groups('required_together') ?? [],
    requiredOneOf: groups('required_one_of') ?? [],
    requiredIf: conditions(spec.get('required_if')),
    requiredBy: dependencies(spec.get('required_by')),
  }
}

function paramFromSpec(name: string, spec: Value): Param {
  if (spec === null) return { type: 'str' }
  if (!(spec instanceof Map)) throw new Problem(`the option '${name}' must be a mapping`, { kind: 'playbook' })
  const type = typeOf(spec.get('type'), 'str', name)
  const elements = spec.get('elements')
  const options = spec.get('options')
  const fallback = spec.get('default')
  const choices = spec.get('choices')
  const aliases = spec.get('aliases')
  const description = spec.get('description')
  return {
    type,
    ...rulesFromSpec(spec),
    ...(boolWord(spec.get('required') ?? false) ? { required: true } : {}),
    ...(fallback === undefined || fallback === null ? {} : { default: fallback }),
    ...(Array.isArray(choices) ? { choices } : choices instanceof Map ? { choices: [...choices.keys()] } : {}),
    ...(Array.isArray(aliases) ? { aliases: aliases.map(asText) } : {}),
    ...(elements === undefined || elements === null ? {} : { elements: typeOf(elements, 'str', name) }),
    ...(options instanceof Map ? { options: paramsFromSpec(options) } : {}),
    ...(boolWord(spec.get('no_log') ?? false) ? { noLog: true } : {}),
    ...(description === undefined || description === null
      ? {}
      : { description: Array.isArray(description) ? description.map(asText).join(' ') : asText(description) }),
  }
}

function typeOf(value: Value | undefined, otherwise: ParamType, name: string): ParamType {
  if (value === undefined || value === null) return otherwise
  const type = asText(value)
  if (!TYPES.has(type)) throw new Problem(`the option '${name}' has the unknown type '${type}'`, { kind: 'playbook' })
  return type as ParamType
}

function conditions(value: Value | undefined): NonNullable<Rules['requiredIf']> {
  if (!Array.isArray(value)) return []
  return value.flatMap((rule) => {
    if (!Array.isArray(rule) || rule.length < 3) return []
    const names = Array.isArray(rule[2]) ? rule[2].map(asText) : [asText(rule[2]!)]
    return [[asText(rule[0]!), rule[1]!, names, boolWord(rule[3] ?? false) ?? false] as const]
  })
}

function dependencies(value: Value | undefined): NonNullable<Rules['requiredBy']> {
  if (!(value instanceof Map)) return {}
  return Object.fromEntries([...value].map(([k, v]) => [asText(k), Array.isArray(v) ? v.map(asText) : [asText(v)]]))
}
