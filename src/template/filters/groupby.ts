/** groupby: items → (grouper, list) pairs in the order of their keys. */
import { Tuple, type Value } from '../../base/index.ts'
import { equals, hashKey, PyObject, repr, sortValues, toList, truth } from '../python/index.ts'
import { attributeGetter, type Getter, ignoreCase } from './attributes.ts'
import { filter } from './define.ts'

/** A tuple of two whose parts have names. */
export class Group extends PyObject {
  readonly typeName = '_GroupTuple'
  private readonly pair: Tuple
  constructor(
    readonly grouper: Value,
    readonly list: Value[],
  ) {
    super()
    this.pair = new Tuple([grouper, list])
  }
  override attribute(name: string): Value | undefined {
    return name === 'grouper' ? this.grouper : name === 'list' ? this.list : undefined
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'number' ? this.pair.items[key < 0 ? key + 2 : key] : undefined
  }
  override iterate(): Iterable<Value> {
    return this.pair.items
  }
  override length(): number {
    return 2
  }
  override repr(): string {
    return repr(this.pair)
  }
  override equals(other: Value): boolean {
    return equals(this.pair, other instanceof Group ? other.pair : other)
  }
  override hash(): string {
    return String(hashKey(this.pair))
  }
}

export const groupBy = filter(
  'do_groupby',
  ['attribute', ['default', null], ['case_sensitive', false]],
  (value, [attribute, fallback, sensitive], context) => {
    const get = attributeGetter(context, attribute, fallback)
    const key: Getter = truth(sensitive) ? get : (item) => ignoreCase(get(item))
    const groups: { key: Value; items: Value[] }[] = []
    for (const item of sortValues(toList(value), { key })) {
      const itemKey = key(item)
      const last = groups.at(-1)
      if (last && equals(last.key, itemKey)) last.items.push(item)
      else groups.push({ key: itemKey, items: [item] })
    }
    return groups.map((group) => new Group(truth(sensitive) ? group.key : get(group.items[0]!), group.items))
  },
  { leading: 2 },
)
