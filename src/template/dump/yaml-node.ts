/** What is left of a value when it is about to be written as YAML: texts with their tags, collections with their style. */

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly text: string
  /** would a reader that sees it without quotes get the same kind of value back? */
  readonly plain: boolean
  /** would a reader that sees it in quotes? */
  readonly quoted: boolean
  readonly tag?: string | undefined
  readonly literal?: boolean | undefined
  /** the style that is asked for: a quote, `|` or `>`; others count as none */
  readonly style?: string | undefined
  anchor?: string | undefined
}

export interface YamlSequence {
  readonly kind: 'sequence'
  readonly items: YamlNode[]
  flow: boolean
  anchor?: string | undefined
}

export interface YamlMapping {
  readonly kind: 'mapping'
  readonly entries: [YamlNode, YamlNode][]
  readonly tag?: string | undefined
  flow: boolean
  anchor?: string | undefined
}

/** A place where a collection stands that has been written already. */
export interface YamlAlias {
  readonly kind: 'alias'
  readonly target: YamlSequence | YamlMapping
}

export type YamlNode = YamlScalar | YamlSequence | YamlMapping | YamlAlias
