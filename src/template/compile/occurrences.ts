/** Which names a scope reads or sets by itself, and which of the two comes first: a name that is set first hides a variable of the same name. */
import type { Expression, Statement, Target } from '../syntax/ast.ts'

export type Occurrence = 'load' | 'store'

/** The first occurrence of every name in these statements; bodies with a scope of their own are left out, as Jinja2's compiler does. */
export function firstOccurrences(statements: readonly Statement[]): Map<string, Occurrence> {
  const seen = new Map<string, Occurrence>()
  visitAll(statements, seen)
  return seen
}

type Seen = Map<string, Occurrence>

function visitAll(statements: readonly Statement[], seen: Seen): void {
  for (const statement of statements) visit(statement, seen)
}

function visit(statement: Statement, seen: Seen): void {
  switch (statement.kind) {
    case 'if':
      visitBranches(statement, seen)
      return
    case 'for':
      load(statement.iterable, seen)
      return
    case 'set':
      load(statement.value, seen)
      store(statement.target, seen)
      return
    case 'setBlock':
      store(statement.target, seen)
      return
    case 'macro':
      note(statement.name, 'store', seen)
      return
    case 'import':
      load(statement.template, seen)
      note(statement.target, 'store', seen)
      return
    case 'fromImport':
      load(statement.template, seen)
      for (const { alias } of statement.names) note(alias, 'store', seen)
      return
    case 'with':
      for (const value of statement.values) load(value, seen)
      return
    case 'callBlock':
      load(statement.call, seen)
      return
    case 'filterBlock':
      load(statement.filter, seen)
      return
    case 'output':
    case 'do':
      load(statement.value, seen)
      return
    case 'include':
    case 'extends':
      load(statement.template, seen)
  }
}

/** What only some branches set may still be the variable's value after them. */
function visitBranches(statement: Extract<Statement, { kind: 'if' }>, seen: Seen): void {
  for (const { test } of statement.branches) load(test, seen)
  const branches = [...statement.branches.map(({ body }) => firstOccurrences(body)), firstOccurrences(statement.otherwise)]
  for (const name of new Set(branches.flatMap((branch) => [...branch.keys()]))) {
    note(name, branches.every((branch) => branch.get(name) === 'store') ? 'store' : 'load', seen)
  }
}

function store(target: Target, seen: Seen): void {
  if (target.kind === 'tuple') for (const item of target.items) store(item, seen)
  else if (target.kind === 'member') note(target.object, 'load', seen)
  else note(target.name, 'store', seen)
}

/** Every name in an expression, whatever its shape. */
function load(expression: Expression | undefined, seen: Seen): void {
  if (expression === undefined) return
  if (expression.kind === 'name') {
    note(expression.name, 'load', seen)
    return
  }
  for (const part of Object.values(expression)) loadPart(part, seen)
}

function loadPart(part: unknown, seen: Seen): void {
  if (Array.isArray(part)) for (const one of part) loadPart(one, seen)
  else if (isExpression(part)) load(part, seen)
  else if (part !== null && typeof part === 'object' && !(part instanceof Map))
    for (const inner of Object.values(part)) loadPart(inner, seen)
}

const isExpression = (part: unknown): part is Expression => part !== null && typeof part === 'object' && 'kind' in part && 'start' in part

function note(name: string, occurrence: Occurrence, seen: Seen): void {
  if (!seen.has(name)) seen.set(name, occurrence)
}
