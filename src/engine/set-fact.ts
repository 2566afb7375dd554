/** set_fact: its arguments become variables, with the types they have. */
import { Tuple, type Value } from '../base/index.ts'
import { isYes } from './connection.ts'
import { failure } from './result.ts'
import type { Res } from './state.ts'

/** `native`: jinja2_native is on, and words for true and false stay what they are. */
export function setFact(args: ReadonlyMap<string, Value>, native: boolean): Res {
  const facts = new Map<Value, Value>()
  for (const [name, value] of args) {
    if (name === 'cacheable' || name === '_raw_params') continue
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return failure(
        `The variable name '${name}' is not valid. Variables must start with a letter or underscore character, and contain only letters, numbers and underscores.`,
      )
    }
    facts.set(
      name,
      asLists(!native && typeof value === 'string' && /^(true|false|yes|no)$/i.test(value) ? /^(true|yes)$/i.test(value) : value),
    )
  }
  if (facts.size === 0) return failure('No key/value pairs provided, at least one is required for this action to succeed')
  return new Map<string, Value>([
    ['ansible_facts', facts],
    ['changed', false],
    ['_ansible_facts_cacheable', isYes(args.get('cacheable') ?? false)],
  ])
}

/** What is kept as a fact has lists where a template made tuples. */
function asLists(value: Value): Value {
  if (value instanceof Tuple) return value.items.map(asLists)
  if (Array.isArray(value)) return value.map(asLists)
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, asLists(item)])) : value
}
