/** The parts of a Python regular expression, as the parser finds them. */

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

export type AnchorName = '^' | '$' | 'A' | 'Z' | 'b' | 'B'

/** The parts that take one character. */
export type CharacterNode =
  | { readonly kind: 'char'; readonly code: number; readonly flags: Flags }
  | { readonly kind: 'any'; readonly flags: Flags }
  | { readonly kind: 'class'; readonly name: ClassName; readonly flags: Flags }
  | { readonly kind: 'set'; readonly negated: boolean; readonly items: readonly SetItem[]; readonly flags: Flags }

/** The least and greatest number of characters a part can take. */
export type Width = readonly [number, number]

export type RegexNode =
  | CharacterNode
  | { readonly kind: 'anchor'; readonly at: AnchorName; readonly flags: Flags }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: RegexNode }
  | { readonly kind: 'atomic'; readonly body: RegexNode }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly kind: 'reference'; readonly number: number; readonly width: Width; readonly flags: Flags }
  | { readonly kind: 'conditional'; readonly number: number; readonly then: RegexNode; readonly otherwise: RegexNode }
  | { readonly kind: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number; readonly how: Repeat }

export type NodeOf<K extends RegexNode['kind']> = Extract<RegexNode, { kind: K }>

export interface ParsedRegex {
  readonly root: RegexNode
  /** number of capturing groups */
  readonly groups: number
  /** names of groups and their numbers, in order */
  readonly names: ReadonlyMap<string, number>
}

/** Does it take exactly one character whenever it matches, by a single test? */
export function isCharacter(node: RegexNode): node is CharacterNode {
  return node.kind === 'char' || node.kind === 'any' || node.kind === 'class' || node.kind === 'set'
}

export function widthOf(node: RegexNode): Width {
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
      return node.parts.map(widthOf).reduce<Width>(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    case 'choice':
      return widest(node.branches.map(widthOf))
    case 'conditional':
      return widest([widthOf(node.then), widthOf(node.otherwise)])
    case 'group':
    case 'atomic':
      return widthOf(node.body)
    case 'reference':
      return node.width
    case 'repeat': {
      const [low, high] = widthOf(node.body)
      return [low * node.min, high === 0 || node.max === 0 ? 0 : high * node.max]
    }
  }
}

function widest(widths: readonly Width[]): Width {
  return [Math.min(...widths.map((w) => w[0])), Math.max(...widths.map((w) => w[1]))]
}

/** The parts directly within a part. */
export function childrenOf(node: RegexNode): readonly RegexNode[] {
  if (node.kind === 'sequence') return node.parts
  if (node.kind === 'choice') return node.branches
  if (node.kind === 'conditional') return [node.then, node.otherwise]
  return 'body' in node ? [node.body] : []
}
