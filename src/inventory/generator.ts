/** Turns a `plugin: generator` file into statements: a host for each way to combine the values of its layers, and the groups above it. */
import { Problem, Template, type Value } from '../base/index.ts'
import { type Node, nodeToValue } from '../documents/index.ts'
import type { Scope, Templar } from '../template/index.ts'
import type { Statement } from './statements.ts'

type Dict = ReadonlyMap<Value, Value>

export function readGenerator(root: Node, templar: Templar): Statement[] {
  const config = nodeToValue(root)
  const part = (dict: Value | undefined, name: string): Value | undefined => (dict instanceof Map ? dict.get(name) : undefined)
  const [hosts, layers] = [part(config, 'hosts'), part(config, 'layers')]
  const name = part(hosts, 'name')
  if (!(layers instanceof Map) || typeof name !== 'string') {
    throw new Problem('a generator needs layers, a dict of lists, and hosts with a name', { kind: 'inventory', span: root.span })
  }
  return combinations(layers).flatMap((values) => {
    const render = (text: Value): Value => templar.render(typeof text === 'string' ? new Template(text) : text, scopeOf(values))
    const host = String(render(name))
    return [{ do: 'host', name: host } satisfies Statement, ...parents(host, part(hosts, 'parents'), render)]
  })
}

/** Every choice of one value from each layer, the last layer running fastest. */
function combinations(layers: Dict): Dict[] {
  let chosen: Dict[] = [new Map()]
  for (const [layer, values] of layers) {
    const list = Array.isArray(values) ? values : [...String(values)]
    chosen = chosen.flatMap((before) => list.map((value) => new Map([...before, [layer, value]])))
  }
  return chosen
}

function parents(child: string, list: Value | undefined, render: (text: Value) => Value): Statement[] {
  return (Array.isArray(list) ? list : []).flatMap((parent) => {
    const name = parent instanceof Map ? parent.get('name') : undefined
    if (!(parent instanceof Map) || typeof name !== 'string') {
      throw new Problem(`Element ${child} has a parent with no name element`, { kind: 'inventory' })
    }
    const group = String(render(name))
    const vars = parent.get('vars')
    return [
      { do: 'group', name: group } satisfies Statement,
      ...[...(vars instanceof Map ? vars : [])].map(
        ([key, value]): Statement => ({ do: 'groupVar', group, key: String(key), value: render(value) }),
      ),
      { do: 'child', group, child } satisfies Statement,
      ...parents(group, parent.get('parents'), render),
    ]
  })
}

function scopeOf(values: Dict): Scope {
  const names = new Map([...values].map(([name, value]) => [String(name), value]))
  return { get: (name) => names.get(name), has: (name) => names.has(name), names: () => names.keys(), fromHost: () => false }
}
