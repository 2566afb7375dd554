/** Turns statements into closures. */
import type { Value } from '../../base/index.ts'
import { iterate, lengthOf, PyError, truth, typeError, typeName, Undefined, valueError } from '../python/index.ts'
import { finalize } from '../run/finalize.ts'
import { type Frame, newFrame } from '../run/frame.ts'
import { LoopContext } from '../run/loop.ts'
import { Macro, type MacroArguments, type MacroShape } from '../run/macro.ts'
import { type BlockCode, BREAK, CONTINUE, type Evaluate, type Execute, GO_ON, type Program, type Run, type Signal } from '../run/model.ts'
import { Namespace } from '../run/namespace.ts'
import { Output } from '../run/output.ts'
import { extend, importModule, importNames, include, runBlock } from '../run/templates.ts'
import type { MacroParameters, Statement, StatementOf, Target } from '../syntax/ast.ts'
import { TemplateSyntaxError } from '../syntax/problem.ts'
import { ExpressionCompiler, makesNewText } from './expressions.ts'
import type { Plugins } from './plugins.ts'
import { assignedNames, CompileScope, targetNames } from './scope.ts'
import { type ClassOf, textClass } from './text-class.ts'

/** Compiles a template's statements. */
export function compileProgram(statements: readonly Statement[], plugins: Plugins, name?: string): Program {
  const compiler = new StatementCompiler(plugins)
  const body = compiler.program(statements)
  const blocks = new Map<string, BlockCode>()
  const program: Program = { name, body, blocks, mutates: compiler.mutates, textClass: compiler.classOfOnly(statements) }
  for (const [blockName, block] of compiler.blocks) blocks.set(blockName, { ...block, name: blockName, program })
  return program
}

/** A place that a statement assigns to. */
type Assign = (run: Run, value: Value) => void

class StatementCompiler extends ExpressionCompiler {
  readonly blocks = new Map<string, { required: boolean; body: Execute }>()
  /** is what is compiled now text that counts for nothing once the template extends another? */
  private dropping = false

  program(statements: readonly Statement[]): Execute {
    this.dropping = hasExtends(statements)
    return this.sequence(statements, new CompileScope(undefined, assignedNames(statements), statements, [], true))
  }

  /** The class of the text of a template that is one expression, worked out when it is asked for. */
  classOfOnly(statements: readonly Statement[]): ClassOf | undefined {
    const [only, ...more] = statements
    if (only?.kind !== 'output' || more.length > 0) return undefined
    let known: ClassOf | undefined
    return (run, text) => {
      known ??= textClass(this, only.value, new CompileScope(undefined, [], statements, [], true))
      return known(run, text)
    }
  }

  private sequence(statements: readonly Statement[], scope: CompileScope): Execute {
    const parts = statements.map((statement) => this.statement(statement, scope))
    if (parts.length === 1) return parts[0]!
    return (run, out) => {
      for (const part of parts) {
        const signal = part(run, out)
        if (signal !== GO_ON) return signal
      }
      return GO_ON
    }
  }

  private statement(node: Statement, scope: CompileScope): Execute {
    const compile = STATEMENTS[node.kind] as (this: StatementCompiler, node: Statement, scope: CompileScope) => Execute
    return compile.call(this, node, scope)
  }

  /** A body with names of its own: a frame is made for it whenever it runs. */
  private scoped(
    statements: readonly Statement[],
    outer: CompileScope,
    names: Iterable<string> = [],
  ): { scope: CompileScope; body: Execute } {
    const scope = new CompileScope(outer, [...names, ...assignedNames(statements)], statements, [...names])
    return { scope, body: this.sequence(statements, scope) }
  }

  /** A body whose text is kept, whatever the template extends: blocks, macros, captured text. */
  private kept<T>(compile: () => T): T {
    const { dropping } = this
    this.dropping = false
    const compiled = compile()
    this.dropping = dropping
    return compiled
  }

  data(node: StatementOf<'data'>): Execute {
    const { text } = node
    return this.writing((_, out) => out.push(text))
  }

  output(node: StatementOf<'output'>, scope: CompileScope): Execute {
    const value = this.expression(node.value, scope)
    const at = node.start
    const isNew = makesNewText(node.value)
    return this.writing((run, out) => {
      run.at = at
      const written = finalize(value(run), run.environment.keepsNone)
      const { texts } = run.context.session
      if (isNew && texts.size > 0 && typeof written === 'string') texts.delete(written)
      out.push(written)
    })
  }

  /** Text of a template that extends another counts only within blocks. */
  private writing(write: (run: Run, out: Output) => void): Execute {
    if (this.dropping) {
      return (run, out) => {
        if (!run.parent) write(run, out)
        return GO_ON
      }
    }
    return (run, out) => {
      write(run, out)
      return GO_ON
    }
  }

  for(node: StatementOf<'for'>, outer: CompileScope): Execute {
    const iterable = this.expression(node.iterable, outer)
    const names = [...targetNames(node.target), 'loop']
    const filterScope = new CompileScope(outer, targetNames(node.target), [], targetNames(node.target))
    const test = node.test && this.expression(node.test, filterScope)
    const filterAssign = this.assign(node.target, filterScope)
    const scope = new CompileScope(outer, [...names, ...assignedNames(node.body)], node.body, names)
    const assign = this.assign(node.target, scope)
    const body = this.sequence(node.body, scope)
    const otherwise = node.otherwise.length > 0 ? this.scoped(node.otherwise, outer) : undefined
    const loopSlot = scope.names.indexOf('loop')
    // what is included sees a loop only where the loop's own body looks for it
    const isSeen = node.recursive || scope.used.has('loop')
    const at = node.start
    const select =
      test && ((run: Run, items: Iterable<Value>): Iterable<Value> => selected(run, items, filterScope.names, filterAssign, test))

    const rounds = (run: Run, out: Output, loop: LoopContext, outerFrame: Frame | undefined): void => {
      const { patience } = run.environment
      for (let item = loop.step(); item !== undefined; item = loop.step()) {
        const frame = newFrame(scope.names, outerFrame)
        run.frame = frame
        if (isSeen) frame.slots[loopSlot] = loop
        run.at = at
        assign(run, item)
        if (body(run, out) === BREAK) return
        if (patience.isLong()) {
          patience.guard(() => rounds(run, out, loop, outerFrame))
          return
        }
      }
    }

    const walk = (run: Run, out: Output, value: Value, depth: number): Signal => {
      const outerFrame = run.frame
      const items = select ? select(run, iterate(value)) : iterate(value)
      const recurse = node.recursive
        ? (items: Value, deeper: number): Value => {
            const inner = new Output()
            const saved = run.frame
            run.frame = outerFrame
            walk(run, inner, items, deeper)
            run.frame = saved
            return run.environment.concat(run, inner)
          }
        : undefined
      const loop = new LoopContext(items[Symbol.iterator](), select ? undefined : lengthOf(value), depth, recurse)
      rounds(run, out, loop, outerFrame)
      run.frame = outerFrame
      if (loop.hasBegun || !otherwise) return GO_ON
      return inFrame(run, otherwise.scope.names, () => otherwise.body(run, out))
    }
    return (run, out) => {
      run.at = at
      return walk(run, out, iterable(run), 0)
    }
  }

  if(node: StatementOf<'if'>, scope: CompileScope): Execute {
    const branches = node.branches.map(({ test, body }) => ({ test: this.expression(test, scope), body: this.sequence(body, scope) }))
    const otherwise = this.sequence(node.otherwise, scope)
    const at = node.start
    return (run, out) => {
      for (const { test, body } of branches) {
        run.at = at
        if (truth(test(run))) return body(run, out)
      }
      return otherwise(run, out)
    }
  }

  set(node: StatementOf<'set'>, scope: CompileScope): Execute {
    const value = this.expression(node.value, scope)
    const assign = this.assign(node.target, scope)
    const at = node.start
    return (run) => {
      run.at = at
      assign(run, value(run))
      return GO_ON
    }
  }

  setBlock(node: StatementOf<'setBlock'>, outer: CompileScope): Execute {
    const { scope, body } = this.kept(() => this.scoped(node.body, outer))
    const assign = this.assign(node.target, outer)
    const filter = node.filter && this.textFilter(node.filter, scope)
    return (run) => {
      const value = inFrame(run, scope.names, () => {
        const text = captured(run, body)
        return filter ? filter(run, text) : text
      })
      assign(run, value)
      return GO_ON
    }
  }

  with(node: StatementOf<'with'>, outer: CompileScope): Execute {
    const values = this.all(node.values, outer)
    const { scope, body } = this.scoped(node.body, outer, node.targets.flatMap(targetNames))
    const assigns = node.targets.map((target) => this.assign(target, scope))
    return (run, out) => {
      const given = values.map((value) => value(run))
      return inFrame(run, scope.names, () => {
        assigns.forEach((assign, i) => {
          assign(run, given[i]!)
        })
        return body(run, out)
      })
    }
  }

  macro(node: StatementOf<'macro'>, scope: CompileScope): Execute {
    const define = this.callable(node.name, node.parameters, node.body, scope)
    const assign = this.assign({ kind: 'name', name: node.name, start: node.start, end: node.end }, scope)
    return (run) => {
      assign(run, define(run))
      return GO_ON
    }
  }

  /** A macro, or the body of a call block. It remembers the frame it was defined in. */
  private callable(
    name: string | undefined,
    parameters: MacroParameters,
    statements: readonly Statement[],
    outer: CompileScope,
  ): (run: Run) => Macro {
    const scope = new CompileScope(outer, [...parameters.names, ...SPECIAL, ...assignedNames(statements)], statements, parameters.names)
    const firstDefault = parameters.names.length - parameters.defaults.length
    const caller = parameters.names.indexOf('caller')
    if (caller !== -1 && caller < firstDefault && scope.find('caller').length > 0) throw new TemplateSyntaxError(CALLER_PARAMETER, 0)
    const defaults = this.all(parameters.defaults, scope)
    const body = this.kept(() => this.sequence(statements, scope))
    const shape: MacroShape = {
      name,
      parameters: parameters.names,
      usesCaller: scope.used.has('caller'),
      usesKwargs: scope.used.has('kwargs'),
      usesVarargs: scope.used.has('varargs'),
    }
    const slotOf = (special: string): number => scope.names.indexOf(special)
    const [callerSlot, kwargsSlot, varargsSlot] = SPECIAL.map(slotOf) as [number, number, number]
    return (definer) => {
      const closure = definer.frame
      return new Macro(shape, (given: MacroArguments) => {
        const saved = definer.frame
        const frame = newFrame(scope.names, closure)
        definer.frame = frame
        try {
          if (given.caller !== undefined) frame.slots[callerSlot] = given.caller
          if (given.kwargs !== undefined) frame.slots[kwargsSlot] = given.kwargs
          if (given.varargs !== undefined) frame.slots[varargsSlot] = given.varargs
          given.values.forEach((value, i) => {
            const fallback = value === undefined ? defaults[i - firstDefault] : undefined
            frame.slots[i] = value !== undefined ? value : fallback ? fallback(definer) : notProvided(parameters.names[i]!)
          })
          const { patience } = definer.environment
          return patience.isLong() ? patience.guard(() => captured(definer, body)) : captured(definer, body)
        } finally {
          definer.frame = saved
        }
      })
    }
  }

  callBlock(node: StatementOf<'callBlock'>, scope: CompileScope): Execute {
    const define = this.callable(undefined, node.parameters, node.body, scope)
    const callee = this.expression(node.call.callee, scope)
    const given = this.callArguments(node.call, scope)
    const at = node.start
    return this.writing((run, out) => {
      run.at = at
      const kwargs = new Map(given.kwargs(run))
      const target = callee(run)
      const args = given.args(run)
      kwargs.set('caller', define(run))
      out.push(run.call(target, args, kwargs))
    })
  }

  filterBlock(node: StatementOf<'filterBlock'>, outer: CompileScope): Execute {
    const { scope, body } = this.kept(() => this.scoped(node.body, outer))
    const filter = this.textFilter(node.filter, scope)
    const at = node.start
    return this.writing((run, out) => {
      const value = inFrame(run, scope.names, () => filter(run, captured(run, body)))
      run.at = at
      out.push(value)
    })
  }

  /** A chain of filters whose innermost one has no target: it gets the text. */
  private textFilter(node: StatementOf<'filterBlock'>['filter'], scope: CompileScope): (run: Run, text: Value) => Value {
    let text: Value = ''
    const chain = (filter: StatementOf<'filterBlock'>['filter']): Evaluate => {
      const target: Evaluate = filter.target?.kind === 'filter' ? chain(filter.target) : () => text
      return this.filterOf(filter, target, scope)
    }
    const evaluate = chain(node)
    return (run, given) => {
      text = given
      return evaluate(run)
    }
  }

  scope(node: StatementOf<'scope'>, outer: CompileScope): Execute {
    const { scope, body } = this.scoped(node.body, outer)
    return (run, out) => inFrame(run, scope.names, () => body(run, out))
  }

  block(node: StatementOf<'block'>, outer: CompileScope): Execute {
    const scope = new CompileScope(undefined, assignedNames(node.body), node.body)
    const statements = this.kept(() => this.sequence(node.body, scope))
    const { name, scoped: seesLocals, required } = node
    if (seesLocals) outer.find('loop')
    this.blocks.set(name, {
      required,
      body: (run, out) => inFrame(run, scope.names, () => statements(run, out)),
    })
    return this.writing((run, out) => runBlock(run, out, name, seesLocals))
  }

  extends(node: StatementOf<'extends'>, scope: CompileScope): Execute {
    if (!scope.isTop) throw new TemplateSyntaxError('cannot use extend from a non top-level scope', node.start)
    const template = this.expression(node.template, scope)
    const at = node.start
    return (run) => {
      run.at = at
      extend(run, template(run))
      return GO_ON
    }
  }

  include(node: StatementOf<'include'>, scope: CompileScope): Execute {
    const template = this.expression(node.template, scope)
    const { ignoreMissing, withContext, start } = node
    return this.writing((run, out) => {
      run.at = start
      include(run, out, template(run), { ignoreMissing, withContext })
    })
  }

  import(node: StatementOf<'import'>, scope: CompileScope): Execute {
    const template = this.expression(node.template, scope)
    const assign = this.assign({ kind: 'name', name: node.target, start: node.start, end: node.end }, scope)
    return (run) => {
      run.at = node.start
      assign(run, importModule(run, template(run), node.withContext))
      return GO_ON
    }
  }

  fromImport(node: StatementOf<'fromImport'>, scope: CompileScope): Execute {
    const template = this.expression(node.template, scope)
    const assigns = node.names.map(({ alias }) => this.assign({ kind: 'name', name: alias, start: node.start, end: node.end }, scope))
    const names = node.names.map(({ name }) => name)
    const line = this.plugins.lineOf(node.start)
    return (run) => {
      run.at = node.start
      const values = importNames(run, template(run), names, node.withContext, line)
      assigns.forEach((assign, i) => {
        assign(run, values[i]!)
      })
      return GO_ON
    }
  }

  do(node: StatementOf<'do'>, scope: CompileScope): Execute {
    const value = this.expression(node.value, scope)
    return (run) => {
      run.at = node.start
      value(run)
      return GO_ON
    }
  }

  break(): Execute {
    return () => BREAK
  }

  continue(): Execute {
    return () => CONTINUE
  }

  private assign(target: Target, scope: CompileScope): Assign {
    if (target.kind === 'tuple') return this.unpack(target, scope)
    const { name } = target
    if (target.kind === 'member') {
      const object = this.expression({ kind: 'name', name: target.object, start: target.start, end: target.end }, scope)
      return (run, value) => {
        const namespace = object(run)
        if (!(namespace instanceof Namespace)) throw new PyError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object')
        namespace.set(name, value)
      }
    }
    if (scope.isTop) {
      return (run, value) => {
        run.context.vars.set(name, value)
      }
    }
    const index = scope.declare(name)
    return (run, value) => {
      run.frame!.slots[index] = value
    }
  }

  private unpack(target: Extract<Target, { kind: 'tuple' }>, scope: CompileScope): Assign {
    const assigns = target.items.map((item) => this.assign(item, scope))
    return (run, value) => {
      const items = unpacked(value, assigns.length)
      assigns.forEach((assign, i) => {
        assign(run, items[i]!)
      })
    }
  }
}

const CALLER_PARAMETER = 'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.'
const SPECIAL = ['caller', 'kwargs', 'varargs'] as const

function hasExtends(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    if (statement.kind === 'extends') return true
    return statement.kind === 'if' && (statement.branches.some(({ body }) => hasExtends(body)) || hasExtends(statement.otherwise))
  })
}

function inFrame<T>(run: Run, names: readonly string[], work: () => T): T {
  const outer: Frame | undefined = run.frame
  run.frame = newFrame(names, outer)
  try {
    return work()
  } finally {
    run.frame = outer
  }
}

/** What a body writes, joined. */
function captured(run: Run, body: Execute): Value {
  const out = new Output()
  body(run, out)
  return run.environment.concat(run, out)
}

const notProvided = (name: string): Undefined => new Undefined(`parameter '${name}' was not provided`, { undefinedName: name })

function* selected(run: Run, items: Iterable<Value>, names: readonly string[], assign: Assign, test: Evaluate): Iterable<Value> {
  const outer = run.frame
  for (const item of items) {
    const saved = run.frame
    run.frame = newFrame(names, outer)
    assign(run, item)
    const keep = truth(test(run))
    run.frame = saved
    if (keep) yield item
  }
}

function unpacked(value: Value, count: number): Value[] {
  let items: Value[]
  try {
    items = Array.from(iterate(value))
  } catch (error) {
    if (value instanceof Undefined) throw error
    throw typeError(`cannot unpack non-iterable ${typeName(value)} object`)
  }
  if (items.length > count) throw valueError(`too many values to unpack (expected ${count})`)
  if (items.length < count) throw valueError(`not enough values to unpack (expected ${count}, got ${items.length})`)
  return items
}

const { prototype } = StatementCompiler
const STATEMENTS = {
  data: prototype.data,
  output: prototype.output,
  for: prototype.for,
  if: prototype.if,
  set: prototype.set,
  setBlock: prototype.setBlock,
  with: prototype.with,
  macro: prototype.macro,
  callBlock: prototype.callBlock,
  filterBlock: prototype.filterBlock,
  scope: prototype.scope,
  block: prototype.block,
  extends: prototype.extends,
  include: prototype.include,
  import: prototype.import,
  fromImport: prototype.fromImport,
  do: prototype.do,
  break: prototype.break,
  continue: prototype.continue,
} as const
