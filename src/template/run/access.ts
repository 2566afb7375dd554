/** Attributes and items as Jinja2's environment finds them, and the undefined values where there are none. */
import { didYouMean, LazyDict, type Value } from '../../base/index.ts'
import { attributeOf } from '../methods/index.ts'
import { isMapping, Markup, PyObject, repr, slice, subscript, typeName, Undefined } from '../python/index.ts'

/** How the template wrote what it looks for, worked out when a message asks for it. */
type Path = () => string | undefined

/** `value.name`: the attribute, else the item. */
export function attributeOrUndefined(value: Value, name: string, path?: Path): Value {
  const attribute = attributeOf(value, name)
  if (attribute !== undefined) return attribute
  const item = subscript(value, name)
  return item === undefined ? missing(value, name, path) : item
}

/** `value[key]`: the item, else for text the attribute. */
export function itemOrUndefined(value: Value, key: Value, path?: Path): Value {
  const item = subscript(value, key)
  if (item !== undefined) return item
  if (typeof key === 'string') {
    const attribute = attributeOf(value, key)
    if (attribute !== undefined) return attribute
  }
  return missing(value, key, path)
}

/** `value[from:to:by]` */
export function sliceOrUndefined(value: Value, from: Value, to: Value, by: Value): Value {
  return value instanceof Undefined ? value.item() : slice(value, from, to, by)
}

function missing(value: Value, key: Value, path: Path | undefined): Undefined {
  const own = value instanceof LazyDict && typeof key === 'string' ? value.missing(key) : undefined
  const message =
    own ??
    (typeof key === 'string' || key instanceof Markup
      ? `'${typeRepr(value)}' has no attribute ${repr(key)}`
      : `${typeRepr(value)} has no element ${repr(key)}`)
  return new Undefined(message, { undefinedName: key, path, near: () => nearKeys(value, key) })
}

function nearKeys(value: Value, key: Value): string | undefined {
  if (typeof key !== 'string' || !isMapping(value)) return undefined
  const names = [...(value as Map<Value, Value> | LazyDict).keys()].filter((name): name is string => typeof name === 'string')
  return didYouMean(key, names)
}

/** How Jinja2 calls an object in its messages. */
export function typeRepr(value: Value): string {
  if (value === null) return 'None'
  const module = value instanceof PyObject && value.module ? `${value.module}.` : ''
  return `${module}${typeName(value)} object`
}
