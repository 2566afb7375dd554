/** Templates that use others: include, import, extends, blocks. */
import type { Value } from '../../base/index.ts'
import { iterate, PyError, PyObject, str, Undefined } from '../python/index.ts'
import type { TemplateFiles } from '../scope.ts'
import { Context, type Place } from './context.ts'
import { collectLocals } from './frame.ts'
import type { BlockCode, Program, Run } from './model.ts'
import { Output } from './output.ts'
import { Runtime } from './runtime.ts'

const NOTHING: ReadonlyMap<string, Value> = new Map()

/** Runs a template, and then the one it extends. */
export function execute(run: Run, out: Output): void {
  run.program.body(run, out)
  if (run.parent) execute(new Runtime(run.environment, run.context, run.parent, run.syntax, run.concat), out)
}

/** A running template for a program in a fresh context. */
export function start(run: Run, program: Program, context: Context<BlockCode>): Run {
  registerBlocks(context, program)
  return new Runtime(run.environment, context, program, run.syntax, run.concat)
}

/** Makes a program's blocks known; those of templates further up come after. */
export function registerBlocks(context: Context, program: Program): void {
  for (const [name, block] of program.blocks) {
    const stack = context.blocks.get(name)
    if (stack) stack.push(block)
    else context.blocks.set(name, [block])
  }
}

export function extend(run: Run, template: Value): void {
  if (run.parent) throw new PyError('TemplateRuntimeError', 'extended multiple times')
  const program = load(run, template)
  registerBlocks(run.context, program)
  run.parent = program
}

/** Finds and compiles a template by its name, or the first of a list of names that exists. */
function load(run: Run, template: Value): Program {
  if (template instanceof Undefined) template.raise()
  const names = typeof template === 'string' ? [template] : Array.from(iterate(template), str)
  for (const name of names) {
    const program = tryLoad(run, name)
    if (program) {
      if (program.mutates) run.context.session.copying = true
      return program
    }
  }
  throw new PyError(
    'TemplateNotFound',
    typeof template === 'string' ? template : `none of the templates given were found: ${names.join(', ')}`,
  )
}

function tryLoad(run: Run, name: string): Program | undefined {
  const { files } = run.scope
  const path = files && findTemplate(files, run.context.session.place, name)
  if (!files || path === undefined) return undefined
  return run.environment.compileFile({ name: path, text: files.read(path) }, run.syntax)
}

function findTemplate(files: TemplateFiles, place: Place | undefined, name: string): string | undefined {
  const { folder, first } = place ?? {}
  const at = (path: string): string | undefined => files.find('templates', path)
  if (folder === undefined) return at(name)
  return first ? (at(`${folder}/${name}`) ?? at(name)) : (at(name) ?? at(`${folder}/templates/${name}`) ?? at(`${folder}/${name}`))
}

interface IncludeOptions {
  readonly ignoreMissing: boolean
  readonly withContext: boolean
}

export function include(run: Run, out: Output, template: Value, { ignoreMissing, withContext }: IncludeOptions): void {
  let program: Program
  try {
    program = load(run, template)
  } catch (error) {
    if (ignoreMissing && error instanceof PyError && error.type === 'TemplateNotFound') return
    throw error
  }
  execute(start(run, program, contextFor(run, withContext)), out)
}

/** A context that sees all the current template sees, or only the globals. */
function contextFor(run: Run, withContext: boolean): Context<BlockCode> {
  const { context } = run
  return withContext
    ? new Context<BlockCode>(context.session, context, collectLocals(run.frame), true)
    : new Context<BlockCode>(context.session, undefined, NOTHING, false)
}

/** A template as a module: its exported names are attributes, its text is its str(). */
class TemplateModule extends PyObject {
  readonly typeName = 'TemplateModule'
  override readonly module = 'jinja2.environment'
  constructor(
    private readonly name: string,
    private readonly names: ReadonlyMap<string, Value>,
    private readonly text: Value,
  ) {
    super()
  }
  override attribute(name: string): Value | undefined {
    return name.startsWith('_') ? undefined : this.names.get(name)
  }
  override str(): string {
    return str(this.text)
  }
  override repr(): string {
    return `<TemplateModule '${this.name}'>`
  }
}

export function importModule(run: Run, template: Value, withContext: boolean): TemplateModule {
  const program = load(run, template)
  const started = start(run, program, contextFor(run, withContext))
  const out = new Output()
  execute(started, out)
  return new TemplateModule(
    typeof template === 'string' ? template : (program.name ?? ''),
    started.context.vars,
    run.environment.concat(run, out),
  )
}

export function importNames(run: Run, template: Value, names: readonly string[], withContext: boolean, line: number): Value[] {
  const module = importModule(run, template, withContext)
  return names.map((name) => {
    const value = module.attribute(name)
    if (value !== undefined) return value
    const message = `the template ${module.repr().slice('<TemplateModule '.length, -1)} (imported on line ${line}) does not export the requested name '${name}'`
    return new Undefined(message, { undefinedName: name })
  })
}

/** Writes the innermost block of a name. */
export function runBlock(run: Run, out: Output, name: string, seesLocals: boolean): void {
  const stack = run.context.blocks.get(name) ?? []
  const declared = run.program.blocks.get(name)
  if (declared?.required && stack.length <= 1) throw new PyError('TemplateRuntimeError', `Required block '${name}' not found`)
  writeBlock(run, out, name, 0, seesLocals ? derived(run) : run.context)
}

function derived(run: Run): Context<BlockCode> {
  const context = new Context<BlockCode>(run.context.session, run.context, collectLocals(run.frame), true)
  for (const [name, stack] of run.context.blocks) context.blocks.set(name, stack)
  return context
}

function writeBlock(run: Run, out: Output, name: string, depth: number, context: Context<BlockCode>): void {
  const code = context.blocks.get(name)?.[depth]
  if (!code) return
  const inner = new Runtime(run.environment, context, code.program, run.syntax, run.concat)
  inner.block = { name, depth }
  code.body(inner, out)
}

/** A block as a value: `super()`, `self.name()`. */
class BlockReference extends PyObject {
  readonly typeName = 'BlockReference'
  override readonly module = 'jinja2.runtime'
  constructor(
    private readonly run: Run,
    private readonly name: string,
    private readonly depth: number,
  ) {
    super()
  }
  override call(): Value {
    const out = new Output()
    writeBlock(this.run, out, this.name, this.depth, this.run.context)
    return this.run.environment.concat(this.run, out)
  }
  override attribute(name: string): Value | undefined {
    return name === 'super' ? parentBlock(this.run, this.name, this.depth) : undefined
  }
}

function parentBlock(run: Run, name: string, depth: number): Value {
  if (run.context.blocks.get(name)?.[depth + 1]) return new BlockReference(run, name, depth + 1)
  return new Undefined(`there is no parent block called '${name}'.`, { undefinedName: 'super' })
}

/** `super`, within a block. */
export function superReference(run: Run): Value | undefined {
  return run.block && parentBlock(run, run.block.name, run.block.depth)
}

/** `self`: the template's blocks as functions. */
class TemplateReference extends PyObject {
  readonly typeName = 'TemplateReference'
  override readonly module = 'jinja2.runtime'
  constructor(private readonly run: Run) {
    super()
  }
  override attribute(name: string): Value | undefined {
    return this.run.context.blocks.has(name) ? new BlockReference(this.run, name, 0) : undefined
  }
}

export const selfReference = (run: Run): Value => new TemplateReference(run)
