/** The tree a template is parsed into. Every node knows the offset where it starts and where it ends. */
import type { Scalar } from '../../base/index.ts'

export interface Place {
  readonly start: number
  readonly end: number
}

type Node<Kind extends string, Parts> = Place & { readonly kind: Kind } & Parts

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**'
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

export interface CallArguments {
  readonly args: readonly Expression[]
  readonly kwargs: readonly { readonly key: string; readonly value: Expression }[]
  readonly star: Expression | undefined
  readonly starStar: Expression | undefined
}

export type NameNode = Node<'name', { readonly name: string }>
export type CallNode = Node<'call', { readonly callee: Expression } & CallArguments>
export type FilterNode = Node<'filter', { readonly target: Expression | undefined; readonly name: string } & CallArguments>

export type Expression =
  | Node<'constant', { readonly value: Scalar }>
  | NameNode
  | Node<'list', { readonly items: readonly Expression[] }>
  | Node<'tuple', { readonly items: readonly Expression[] }>
  | Node<'dict', { readonly items: readonly (readonly [Expression, Expression])[] }>
  | Node<'binary', { readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }>
  | Node<'concat', { readonly items: readonly Expression[] }>
  | Node<
      'compare',
      { readonly first: Expression; readonly rest: readonly { readonly operator: CompareOperator; readonly operand: Expression }[] }
    >
  | Node<'and', { readonly left: Expression; readonly right: Expression }>
  | Node<'or', { readonly left: Expression; readonly right: Expression }>
  | Node<'not', { readonly operand: Expression }>
  | Node<'sign', { readonly operator: '-' | '+'; readonly operand: Expression }>
  | Node<'condition', { readonly test: Expression; readonly then: Expression; readonly otherwise: Expression | undefined }>
  | Node<'attribute', { readonly object: Expression; readonly name: string }>
  | Node<'item', { readonly object: Expression; readonly key: Expression }>
  | Node<'slice', { readonly from: Expression | undefined; readonly to: Expression | undefined; readonly by: Expression | undefined }>
  | CallNode
  | FilterNode
  | Node<'test', { readonly target: Expression; readonly name: string } & CallArguments>

/** What can stand left of `=`, or after `for`. */
export type Target =
  | Node<'name', { readonly name: string }>
  | Node<'tuple', { readonly items: readonly Target[] }>
  | Node<'member', { readonly object: string; readonly name: string }>

export interface MacroParameters {
  readonly names: readonly string[]
  /** the defaults of the last parameters */
  readonly defaults: readonly Expression[]
}

export type Statement =
  | Node<'data', { readonly text: string }>
  | Node<'output', { readonly value: Expression }>
  | Node<
      'for',
      {
        readonly target: Target
        readonly iterable: Expression
        readonly test: Expression | undefined
        readonly recursive: boolean
        readonly body: readonly Statement[]
        readonly otherwise: readonly Statement[]
      }
    >
  | Node<
      'if',
      {
        readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[]
        readonly otherwise: readonly Statement[]
      }
    >
  | Node<'set', { readonly target: Target; readonly value: Expression }>
  | Node<'setBlock', { readonly target: Target; readonly filter: FilterNode | undefined; readonly body: readonly Statement[] }>
  | Node<'with', { readonly targets: readonly Target[]; readonly values: readonly Expression[]; readonly body: readonly Statement[] }>
  | Node<'macro', { readonly name: string; readonly parameters: MacroParameters; readonly body: readonly Statement[] }>
  | Node<'callBlock', { readonly call: CallNode; readonly parameters: MacroParameters; readonly body: readonly Statement[] }>
  | Node<'filterBlock', { readonly filter: FilterNode; readonly body: readonly Statement[] }>
  | Node<'scope', { readonly body: readonly Statement[] }>
  | Node<'block', { readonly name: string; readonly scoped: boolean; readonly required: boolean; readonly body: readonly Statement[] }>
  | Node<'extends', { readonly template: Expression }>
  | Node<'include', { readonly template: Expression; readonly ignoreMissing: boolean; readonly withContext: boolean }>
  | Node<'import', { readonly template: Expression; readonly target: string; readonly withContext: boolean }>
  | Node<
      'fromImport',
      {
        readonly template: Expression
        readonly names: readonly { readonly name: string; readonly alias: string }[]
        readonly withContext: boolean
      }
    >
  | Node<'do', { readonly value: Expression }>
  | Node<'break', unknown>
  | Node<'continue', unknown>

export type StatementOf<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>
export type ExpressionOf<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>
