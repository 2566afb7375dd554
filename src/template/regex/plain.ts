/** Tells whether JavaScript's own regular expressions do with a pattern what Python does. */
import { childrenOf, type Flags, type RegexNode, widthOf } from './node.ts'

/**
 * Where groups are kept from round to round, what matched nothing is tried again, or groups are asked for, the two differ,
 * and JavaScript has no word for conditions and for what does not give back.
 */
export function isPlain(node: RegexNode): boolean {
  switch (node.kind) {
    case 'reference':
    case 'conditional':
    case 'atomic':
      return false
    case 'char':
      return plainCases(node.flags, node.code)
    case 'set':
      return node.items.every((item) => 'name' in item || plainCases(node.flags, item.high))
    case 'repeat':
      return node.how !== 'possessive' && canRepeat(node.body, node.max) && isPlain(node.body)
    case 'look':
      return !((node.behind || node.negated) && hasGroup(node.body)) && isPlain(node.body)
    default:
      return childrenOf(node).every(isPlain)
  }
}

/** Cases beyond ASCII follow rules of their own. */
function plainCases(flags: Flags, high: number): boolean {
  return !flags.ignoreCase || high < 128
}

function canRepeat(body: RegexNode, max: number): boolean {
  if (widthOf(body)[0] === 0) return false
  return max <= 1 || isSteady(body)
}

/** Does every group in it take part whenever it matches? */
function isSteady(node: RegexNode): boolean {
  if (node.kind === 'choice' || node.kind === 'repeat' || node.kind === 'look') return !hasGroup(node)
  return childrenOf(node).every(isSteady)
}

function hasGroup(node: RegexNode): boolean {
  return node.kind === 'group' || childrenOf(node).some(hasGroup)
}
