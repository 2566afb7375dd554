/** A task's node → what it says itself, before anything is inherited. */
import { didYouMean, looksLikeTemplate, placeOf, type Raw, type RawVars, Template } from '../base/index.ts'
import type { MappingNode, Node } from '../documents/index.ts'
import { readAction, type WrittenAction } from './action.ts'
import type { ModuleInfo } from './api.ts'
import type { OwnKeywords } from './inherit.ts'
import type { Place } from './keywords.ts'
import { knownName } from './known-names.ts'
import type { Session } from './loading.ts'
import { isLookupLoop, readLoop } from './loops.ts'
import type { Action, Condition, Loop } from './model.ts'
import { checkKeywords, conditions, isVariableName, nodeOf, ownKeywords, rawOf, textOf, varsIn, whatIs } from './written.ts'

export interface WrittenTask {
  readonly node: MappingNode
  readonly name: Raw | undefined
  readonly action: Action
  /** `include_tasks`, `import_role`, `meta`, … for what the engine or the loader carries out itself */
  readonly engine: EngineAction | undefined
  readonly own: OwnKeywords
  readonly vars: RawVars
  readonly loop: Loop | undefined
  readonly register: string | undefined
  readonly until: readonly Condition[] | undefined
  readonly changedWhen: readonly Condition[] | undefined
  readonly failedWhen: readonly Condition[] | undefined
  readonly retries: Raw | undefined
  readonly delay: Raw | undefined
  readonly async: Raw | undefined
  readonly poll: Raw | undefined
  readonly listen: readonly Raw[] | undefined
  /** `apply` of a dynamic include: keywords for everything that is included */
  readonly apply: Applied | undefined
}

export interface Applied {
  readonly own: OwnKeywords
  readonly vars: RawVars
}

const ENGINE_ACTIONS = ['meta', 'include_tasks', 'include_role', 'import_tasks', 'import_role', 'include'] as const
export type EngineAction = (typeof ENGINE_ACTIONS)[number]

/** Which of the actions that need no module a name means. */
export const engineAction = (name: string): EngineAction | undefined => BY_NAME.get(name)

const BY_NAME: ReadonlyMap<string, EngineAction> = new Map(
  ENGINE_ACTIONS.flatMap((action) => ['', 'ansible.builtin.', 'ansible.legacy.'].map((before) => [before + action, action] as const)),
)

/** Reads a task; throws where its action cannot be told, notes everything else that is wrong. */
export function readTask(node: MappingNode, handler: boolean, session: Session, collections: readonly string[]): WrittenTask {
  const { findings } = session
  const own = nodeOf(node, 'collections') ? (ownKeywords(node, 'task', session).collections ?? collections) : collections
  const isKnown = (name: string): boolean =>
    engineAction(name) !== undefined || session.module(name, own) !== undefined || knownName(name) !== undefined
  const action = readAction(node, session, isKnown)
  const engine = engineAction(action.name)
  const module = engine ? undefined : session.module(action.name, own)
  const place: Place = engine === 'include_tasks' || engine === 'include_role' ? 'include' : handler ? 'handler' : 'task'
  const besides = (key: string): boolean =>
    key === action.key || isLookupLoop(key, session) || (handler && place === 'include' && key === 'listen')
  checkKeywords(node, place, session, besides)
  checkRegister(node, session)
  const list = (name: string): Condition[] | undefined => {
    const value = nodeOf(node, name)
    const read = value ? conditions(value, session) : []
    return read.length > 0 ? read : undefined
  }
  const raw = (name: string): Raw | undefined => rawOf(node, name, session)
  const keywords = ownKeywords(node, 'task', session)
  const listen = nodeOf(node, 'listen')
  const apply = action.argument('apply')
  if (apply) checkApply(apply, engine, action.name, session)
  if (module) warnUnknownArguments(action, module, session)
  return {
    node,
    name: raw('name') ?? undefined,
    action: resolved(action, engine, module),
    engine,
    own: action.local ? { ...keywords, delegateTo: 'localhost' } : keywords,
    vars: varsIn(node, session),
    loop: findings.attempt(() => readLoop(node, session)),
    register: textOf(nodeOf(node, 'register')),
    until: list('until'),
    changedWhen: list('changed_when'),
    failedWhen: list('failed_when'),
    retries: raw('retries'),
    delay: raw('delay'),
    async: raw('async'),
    poll: raw('poll'),
    listen: handler && listen ? (Array.isArray(raw('listen')) ? (raw('listen') as Raw[]) : [raw('listen')!]) : undefined,
    apply: apply?.kind === 'mapping' ? { own: ownKeywords(apply, 'block', session), vars: varsIn(apply, session) } : undefined,
  }
}

function resolved(action: WrittenAction, engine: EngineAction | undefined, module: ModuleInfo | undefined): Action {
  const { name, span, args, words } = action
  if (engine) return { name, span, args, resolved: `ansible.builtin.${engine === 'include' ? 'include_tasks' : engine}` }
  if (looksLikeTemplate(name)) return { name, span, args, resolved: name, template: new Template(name, span) }
  return { name, span, args, words, resolved: module?.resolved ?? knownName(name) ?? name, ...(module?.file && { file: module.file }) }
}

function checkRegister(node: MappingNode, { findings }: Session): void {
  const value = nodeOf(node, 'register')
  if (value?.kind !== 'scalar' || value.value === null) return
  if (!isVariableName(String(value.value)))
    findings.report(`Invalid variable name in 'register' specified: '${String(value.value)}'`, value.span)
}

function checkApply(apply: Node, engine: EngineAction | undefined, name: string, { findings, ...reading }: Session): void {
  if (engine === 'import_tasks' || engine === 'import_role')
    findings.report(`Invalid options for ${name}: apply`, apply.span, { hint: 'what it imports inherits its keywords anyway' })
  else if (engine === 'include_tasks' || engine === 'include_role') {
    if (apply.kind === 'mapping') checkKeywords(apply, 'block', { findings, context: reading.context })
    else findings.report(`apply must be a dict of keywords, not ${whatIs(apply)}`, apply.span)
  }
}

/** Arguments that a native module does not know are pointed out; the run itself will fail the task if it comes to it. */
function warnUnknownArguments(action: WrittenAction, module: ModuleInfo, session: Session): void {
  if (action.args instanceof Template || !module.parameters || module.openArgs) return
  const known = module.parameters
  for (const name of action.args.keys()) {
    if (name.startsWith('_') || known.includes(name)) continue
    const hint = didYouMean(name, known)
    session.context.warn(`${placeOf(action.span)}: ${action.name} has no parameter '${name}'${hint ? `, ${hint}` : ''}`)
  }
}
