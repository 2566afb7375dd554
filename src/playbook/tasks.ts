/** Lists of tasks and blocks as written → blocks and tasks with everything inherited; static imports are put in their place. */
import { placeOf, Template } from '../base/index.ts'
import { entry, type MappingNode, type Node } from '../documents/index.ts'
import { implicitBlock, taskOf } from './built.ts'
import { mistake } from './findings.ts'
import { within } from './level.ts'
import type { Level } from './loading.ts'
import { warnOfVerb } from './meta-verbs.ts'
import type { Block, Step } from './model.ts'
import { roleRequest } from './role-request.ts'
import { fileArgument, importedRole, importedTasks, refuseAsHandler } from './static-imports.ts'
import { checkKeywords, nodeOf, ownKeywords, rawOf, varsIn, whatIs } from './written.ts'
import { readTask, type WrittenTask } from './written-task.ts'

/** A list of tasks and blocks as blocks: bare tasks in a row share an implicit one. */
export function blocksOf(list: Node | undefined, level: Level, handlers: boolean): Block[] {
  if (!list || isNothing(list)) return []
  const { findings } = level.play.session
  if (list.kind !== 'sequence') {
    findings.report(`a list of ${handlers ? 'handlers' : 'tasks'} must be here, not ${whatIs(list)}`, list.span)
    return []
  }
  const blocks: Block[] = []
  let bare: Node[] = []
  const close = (): void => {
    const steps = stepsOf(bare, level, handlers)
    if (steps.length > 0) blocks.push(implicitBlock(steps, level, bare[0]!.span))
    bare = []
  }
  for (const item of list.items) {
    if (!isBlock(item)) bare.push(item)
    else {
      close()
      const block = findings.attempt(() => blockOf(item, level, handlers))
      if (block) blocks.push(block)
    }
  }
  close()
  return blocks
}

const isNothing = (node: Node): boolean => node.kind === 'scalar' && node.value === null

const isBlock = (node: Node): node is MappingNode =>
  node.kind === 'mapping' && (entry(node, 'block') ?? entry(node, 'rescue') ?? entry(node, 'always')) !== undefined

function blockOf(node: MappingNode, level: Level, handlers: boolean): Block {
  const { session } = level.play
  checkKeywords(node, 'block', session)
  if (!entry(node, 'block')) {
    const key = entry(node, 'rescue')?.key ?? entry(node, 'always')?.key
    session.findings.report(`'${key?.value}' needs a 'block' beside it`, key?.span)
  }
  const own = session.once(node, 'own', () => ownKeywords(node, 'block', session))
  const inner = within(
    level,
    own,
    session.once(node, 'vars', () => varsIn(node, session)),
  )
  const part = (name: string): Step[] => {
    const list = nodeOf(node, name)
    return list?.kind === 'sequence' ? stepsOf(list.items, inner, handlers) : []
  }
  return {
    kind: 'block',
    name: rawOf(node, 'name', session) ?? undefined,
    span: node.span,
    keywords: inner.keywords,
    block: part('block'),
    rescue: part('rescue'),
    always: part('always'),
    role: level.use?.role,
  }
}

function stepsOf(nodes: readonly Node[], level: Level, handlers: boolean): Step[] {
  const { findings } = level.play.session
  const steps: Step[] = []
  for (const node of nodes) if (!isNothing(node)) steps.push(...(findings.attempt(() => stepOf(node, level, handlers)) ?? []))
  return steps
}

function stepOf(node: Node, level: Level, handlers: boolean): readonly Step[] {
  if (node.kind !== 'mapping') throw mistake(`a task must be a dict, not ${whatIs(node)}`, node.span)
  if (isBlock(node)) {
    if (handlers)
      throw mistake('Using a block as a handler is not supported.', node.span, {
        hint: 'put the tasks into a file and notify a handler that includes it',
      })
    return [blockOf(node, level, handlers)]
  }
  const { session } = level.play
  const { collections } = level.keywords
  const kind = handlers ? 'handler' : 'task'
  const written = session.once(node, collections.length === 0 ? kind : `${kind} ${collections.join()}`, () =>
    session.findings.attempt(() => readTask(node, handlers, session, collections)),
  )
  if (!written) return []
  return STEPS[stepKind(written, level)](written, level, handlers)
}

type StepKind = 'import_tasks' | 'import_role' | 'include_tasks' | 'include_role' | 'meta' | 'module'

/** What becomes of a task; `include` of old is an import where its file can be told. */
function stepKind({ engine, loop, node, action }: WrittenTask, level: Level): StepKind {
  if (engine !== 'include') return engine ?? 'module'
  level.play.session.context.deprecated(`${placeOf(node.span)}: 'include' is import_tasks or include_tasks now`)
  const name = action.args instanceof Template ? undefined : action.args.get('_raw_params')
  const isStatic = typeof name === 'string' && !loop && !level.trail.some(({ dir, role }) => !role && dir.startsWith('/'))
  return isStatic ? 'import_tasks' : 'include_tasks'
}

const STEPS: Readonly<Record<StepKind, (written: WrittenTask, level: Level, handlers: boolean) => readonly Step[]>> = {
  module: (written, level, handlers) => [taskOf(written, level, handlers)],
  meta(written, level, handlers) {
    const verb = written.action.args instanceof Template ? undefined : written.action.args.get('_raw_params')
    if (verb === 'end_role' && (handlers || !level.use))
      throw mistake(
        handlers ? "Cannot execute 'end_role' from a handler" : "Cannot execute 'end_role' from outside of a role",
        written.action.span,
      )
    warnOfVerb(verb, written.action, level.play.session.context)
    return [taskOf(written, level, handlers)]
  },
  include_tasks(written, level, handlers) {
    fileArgument(written)
    return [taskOf(written, level, handlers)]
  },
  include_role(written, level, handlers) {
    refuseAsHandler(written, handlers)
    roleRequest(written.action)
    return [taskOf(written, level, handlers)]
  },
  import_tasks: importedTasks,
  import_role: importedRole,
}
