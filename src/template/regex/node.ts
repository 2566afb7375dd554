/** The parts of a Python regular expression, as the parser finds them and the writer spells them for JavaScript. */

/** The flags that may differ from group to group. */
export interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly verbose: boolean
  readonly ascii: boolean
}

export type ClassName = 'd' | 'D' | 's' | 'S' | 'w' | 'W'

/** A member of a set: a range of code points (a single one has low = high) or a class such as \d. */
export type SetItem = { readonly low: number; readonly high: number } | { readonly name: ClassName }

export type Repeat = 'greedy' | 'lazy' | 'possessive'

export type RegexNode =
  | { readonly kind: 'char'; readonly code: number; readonly flags: Flags }
  | { readonly kind: 'any'; readonly flags: Flags }
  | { readonly kind: 'class'; readonly name: ClassName; readonly flags: Flags }
  | { readonly kind: 'set'; readonly negated: boolean; readonly items: readonly SetItem[]; readonly flags: Flags }
  | { readonly kind: 'anchor'; readonly at: '^' | '$' | 'A' | 'Z' | 'b' | 'B'; readonly flags: Flags }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: RegexNode }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly number: number }
  | { readonly kind: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number; readonly how: Repeat }

export interface ParsedRegex {
  readonly root: RegexNode
  /** number of capturing groups */
  readonly groups: number
  /** names of groups and their numbers, in order */
  readonly names: ReadonlyMap<string, number>
  readonly flags: Flags
}

/** The least and greatest number of characters a part can take. */
export function widthOf(node: RegexNode): readonly [number, number] {
  switch (node.kind) {
    case 'char':
    case 'any':
    case 'class':
    case 'set':
      return [1, 1]
    case 'anchor':
    case 'look':
      return [0, 0]
    case 'sequence':
      return node.parts.map(widthOf).reduce<readonly [number, number]>(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    case 'choice': {
      const widths = node.branches.map(widthOf)
      return [Math.min(...widths.map((w) => w[0])), Math.max(...widths.map((w) => w[1]))]
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body)
    case 'reference':
      return [0, Number.POSITIVE_INFINITY]
    case 'repeat': {
      const [low, high] = widthOf(node.body)
      return [low * node.min, high === 0 ? 0 : high * node.max]
    }
  }
}
