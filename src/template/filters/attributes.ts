/** Gets what `attribute='a.b'` names out of an item, as Jinja2's filters do. */
import type { Value } from '../../base/index.ts'
import { isUndefined } from '../python/index.ts'
import type { CallContext } from '../registry.ts'

export type Getter = (item: Value) => Value

/** The getter of a dotted attribute, an index or nothing at all; a default replaces what is undefined. */
export function attributeGetter(context: CallContext, attribute: Value, fallback: Value = null): Getter {
  const parts = partsOf(attribute)
  return (item) => {
    let found = item
    for (const part of parts) {
      found = context.getItem(found, part)
      if (fallback !== null && isUndefined(found)) found = fallback
    }
    return found
  }
}

/** The getter of several attributes, divided by commas: a list. */
export function multiAttributeGetter(context: CallContext, attribute: Value): Getter {
  const names = typeof attribute === 'string' ? attribute.split(',') : [attribute]
  const getters = names.map((name) => attributeGetter(context, name))
  return (item) => getters.map((get) => get(item))
}

/** Text in lower case, anything else as it is. */
export const ignoreCase = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value)

function partsOf(attribute: Value): Value[] {
  if (attribute === null) return []
  if (typeof attribute !== 'string') return [attribute]
  return attribute.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}
