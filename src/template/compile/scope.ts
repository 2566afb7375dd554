/** The scopes of a template while it is compiled: which names are local to which frame. */
import type { Statement, Target } from '../syntax/ast.ts'
import { firstOccurrences, type Occurrence } from './occurrences.ts'

/** Where a name may be found at run time: so many frames out, at this place. */
export interface Slot {
  readonly hops: number
  readonly index: number
}

/** A scope that becomes a frame. */
export class CompileScope {
  readonly names: string[] = []
  /** names that were looked for and found here: `loop`, `caller`, `kwargs`, `varargs` are made only then */
  readonly used = new Set<string>()

  constructor(
    readonly parent: CompileScope | undefined,
    names: Iterable<string>,
    /** what stands in the scope */
    private readonly statements: readonly Statement[] = [],
    /** names that are given to it, such as a macro's parameters */
    private readonly given: readonly string[] = [],
    /** a template's top level has no frame: its names live in the context, where blocks and includes see them */
    readonly isTop = false,
  ) {
    if (isTop) this.topNames = new Set(names)
    else for (const name of names) this.declare(name)
  }

  private readonly topNames: ReadonlySet<string> = new Set()
  private occurrences: ReadonlyMap<string, Occurrence> | undefined

  /**
   * Is a variable of this name out of sight, although the name is not set yet? So it is where the outermost scope that
   * has the name sets it before it reads it.
   */
  hides(name: string): boolean {
    let outermost: Occurrence | undefined
    for (let scope: CompileScope | undefined = this; scope; scope = scope.parent) outermost = scope.firstOccurrence(name) ?? outermost
    return outermost === 'store'
  }

  /** Does this scope or one around it set the name? */
  sets(name: string): boolean {
    return this.topNames.has(name) || this.names.includes(name) || (this.parent?.sets(name) ?? false)
  }

  private firstOccurrence(name: string): Occurrence | undefined {
    if (this.given.includes(name)) return 'store'
    this.occurrences ??= firstOccurrences(this.statements)
    return this.occurrences.get(name)
  }

  declare(name: string): number {
    const known = this.names.indexOf(name)
    return known !== -1 ? known : this.names.push(name) - 1
  }

  /** Every place where the name may stand, innermost first; a place may still be empty at run time. */
  find(name: string): Slot[] {
    const slots: Slot[] = []
    let hops = 0
    for (let scope: CompileScope | undefined = this; scope; scope = scope.parent) {
      const index = scope.names.indexOf(name)
      if (index !== -1) {
        slots.push({ hops, index })
        scope.used.add(name)
      }
      hops++
    }
    return slots
  }
}

/** The names that statements assign in their own scope (branches of an `if` share it). */
export function assignedNames(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>()
  collect(statements, names)
  return names
}

function collect(statements: readonly Statement[], names: Set<string>): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'set':
      case 'setBlock':
        for (const name of targetNames(statement.target)) names.add(name)
        break
      case 'macro':
        names.add(statement.name)
        break
      case 'import':
        names.add(statement.target)
        break
      case 'fromImport':
        for (const { alias } of statement.names) names.add(alias)
        break
      case 'if':
        for (const { body } of statement.branches) collect(body, names)
        collect(statement.otherwise, names)
        break
    }
  }
}

/** The names a target binds; `ns.member` binds none. */
export function targetNames(target: Target): string[] {
  if (target.kind === 'name') return [target.name]
  return target.kind === 'tuple' ? target.items.flatMap(targetNames) : []
}
