/** The parts of a JMESPath expression. */
import type { Value } from '../../../base/index.ts'

export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>='

export type Expression =
  | { readonly kind: 'current' }
  | { readonly kind: 'identity' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start: number | null; readonly stop: number | null; readonly step: number | null }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'chain'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'pipe'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'or' | 'and'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly body: Expression }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'project' | 'projectValues'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'filter'; readonly left: Expression; readonly right: Expression; readonly condition: Expression }
  | { readonly kind: 'flatten'; readonly body: Expression }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'reference'; readonly body: Expression }
