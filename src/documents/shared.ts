/** Remembers nodes that are used more than once through an alias: their values are one object, too. */
import type { Node } from './node.ts'

const shared = new WeakSet<Node>()

export function aliased(node: Node): Node {
  shared.add(node)
  return node
}

export const isShared = (node: Node): boolean => shared.has(node)
