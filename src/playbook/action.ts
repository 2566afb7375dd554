/** A task as written → its action: which module, with which arguments, in any of the forms people write. */
import { didYouMean, looksLikeTemplate, type Raw, type Span, Template } from '../base/index.ts'
import type { Entry, MappingNode, Node, ScalarNode } from '../documents/index.ts'
import { entry, nodeToRaw, textSpan } from '../documents/index.ts'
import { parseArguments, splitArguments, Unbalanced } from './arguments.ts'
import { mistake } from './findings.ts'
import { keywordsAt } from './keywords.ts'
import { ansibleNames } from './known-names.ts'
import { firstTwo, keywordHint, nodeOf, type Reading, whatIs } from './written.ts'

export interface WrittenAction {
  readonly name: string
  readonly span: Span
  readonly args: ReadonlyMap<string, Raw> | Template
  /** do the arguments stand as words, name=value? */
  readonly words: boolean
  /** the entry that names the module, where it does so by its key */
  readonly key: string
  readonly local: boolean
  /** the node of an argument, for those that are read as keywords (apply) */
  readonly argument: (name: string) => Node | undefined
}

/**
 * Reads the action; throws the mistake where there is none, more than one, or one that cannot be understood. A module named by `action:` may
 * be a template, so whether it is known shows when the task runs.
 */
export function readAction(task: MappingNode, reading: Reading, isKnown: (module: string) => boolean): WrittenAction {
  const old = entry(task, 'action')
  const local = entry(task, 'local_action')
  if (old && local) throw mistake('action and local_action cannot stand in one task', local.key.span)
  const stated = old ?? local
  const [known, another] = firstTwo(task, ({ key }) => mayBeAction(String(key.value)) && isKnown(String(key.value)))
  if (stated) {
    const action = oldStyle(task, stated, reading)
    if (known) throw conflict(action.name, known)
    return action
  }
  if (known && another) throw conflict(String(known.key.value), another)
  if (known) return newStyle(task, known, reading)
  const candidate = task.entries.find(({ key }) => mayBeAction(String(key.value)))
  if (candidate) throw unknownModule(String(candidate.key.value), candidate.key.span, reading)
  throw mistake('no module or action is named in this task', task.span, { hint: 'a task needs one key that names a module' })
}

const NO_ACTIONS = new Set([...keywordsAt('task').keys(), ...keywordsAt('handler').keys(), 'static'])

/** Is it a key that is no keyword of any task, and so may name a module? */
export const mayBeAction = (key: string): boolean => !NO_ACTIONS.has(key) && !key.startsWith('with_')

const conflict = (first: string, second: Entry): Error =>
  mistake(`conflicting action statements: ${first}, ${String(second.key.value)}`, second.key.span, {
    hint: 'a task has one action; is an indentation or a dash missing?',
  })

function unknownModule(name: string, at: Span, { context }: Reading): Error {
  const hint = keywordHint(name, 'task') ?? didYouMean(name, [...context.moduleNames(), ...ansibleNames()])
  return mistake(`'${name}' is no module or action that is known here`, at, { hint })
}

/** `module: arguments` */
function newStyle(task: MappingNode, { key, value }: Entry, reading: Reading): WrittenAction {
  const name = String(key.value)
  const args = withExtra(task, argumentsOf(value, name, reading), reading)
  return {
    name,
    span: key.span,
    args: finished(name, args, value),
    words: value.kind === 'scalar',
    key: name,
    local: false,
    argument: argumentIn(value, task),
  }
}

/** `action: module arguments`, `action: {module: …}` and the same with local_action */
function oldStyle(task: MappingNode, { key, value }: Entry, reading: Reading): WrittenAction {
  const stated = value.kind === 'mapping' ? nodeOf(value, 'module') : value
  if (stated?.kind !== 'scalar' || typeof stated.value !== 'string')
    throw mistake(`${String(key.value)} must name a module, as text or as a dict with the key 'module', not ${whatIs(value)}`, value.span)
  const [name = '', ...rest] = balanced(stated, () => splitArguments(stated.value as string))
  const args = new Map<string, Raw>()
  if (value.kind === 'mapping') {
    for (const { key: k, value: v } of value.entries)
      if (k.value !== 'module') args.set(String(k.value), nodeToRaw(v, reading.context.documents))
  }
  for (const [k, v] of texts(stated, rest.join(' '), isFreeForm(name.trim()))) args.set(k, v)
  const nested = args.get('args')
  if (nested instanceof Map) {
    args.delete('args')
    for (const [k, v] of nested) args.set(String(k), v)
  }
  const all = withExtra(task, args, reading)
  const which = name.trim()
  return {
    name: which,
    span: stated.span,
    args: finished(which, all, value),
    words: value.kind === 'scalar',
    key: which,
    local: key.value === 'local_action',
    argument: argumentIn(value, task),
  }
}

function argumentsOf(value: Node, name: string, { context }: Reading): Map<string, Raw> {
  if (value.kind === 'mapping') {
    const args = new Map<string, Raw>()
    const { entries } = value
    for (let i = 0; i < entries.length; i++) args.set(String(entries[i]!.key.value), nodeToRaw(entries[i]!.value, context.documents))
    return args
  }
  if (value.kind === 'scalar' && value.value === null) return new Map()
  if (value.kind === 'scalar' && typeof value.value === 'string') {
    const raw = nodeToRaw(value, context.documents)
    if (typeof raw === 'string' || raw instanceof Template) return texts(value, value.value, isFreeForm(name))
  }
  throw mistake(`the arguments of ${name} must be a dict or text, not ${whatIs(value)}`, value.span)
}

/** An argument string's parameters; those with template marks become templates that know their place where it can be told. */
function texts(node: ScalarNode, text: string, freeForm: boolean): Map<string, Raw> {
  const args = new Map<string, Raw>()
  for (const [name, value] of balanced(node, () => parseArguments(text, freeForm)))
    args.set(name, node.tag !== '!unsafe' && looksLikeTemplate(value) ? new Template(value, partSpan(node, value)) : value)
  return args
}

function partSpan(node: ScalarNode, part: string): Span {
  const whole = textSpan(node, String(node.value))
  const at = whole.source.text.slice(whole.start, whole.end).indexOf(part)
  return at === -1 ? whole : { source: whole.source, start: whole.start + at, end: whole.start + at + part.length }
}

/** What is not closed in an argument string is a mistake with a place. */
export function balanced<T>(node: Node, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unbalanced) throw mistake('a quote or a template mark is not closed in these arguments', node.span)
    throw error
  }
}

/** `args:` gives what the action itself does not. */
function withExtra(task: MappingNode, args: Map<string, Raw>, { context }: Reading): Map<string, Raw> {
  const extra = nodeOf(task, 'args')
  if (!extra || (extra.kind === 'scalar' && extra.value === null)) return args
  const raw = nodeToRaw(extra, context.documents)
  if (raw instanceof Map) return new Map([...[...raw].map(([k, v]) => [String(k), v] as const), ...args])
  if (raw instanceof Template) return new Map<string, Raw>([['_variable_params', raw], ...args])
  throw mistake(`args must be a dict or a template of one, not ${whatIs(extra)}`, extra.span, {
    hint: extra.kind === 'scalar' ? "a variable is written '{{ name }}'" : undefined,
  })
}

const FREE_FORM = new Set(['command', 'shell', 'script', 'raw', 'win_command', 'win_shell'])
const HAS_CMD = new Set(['command', 'shell', 'script'])
const RAW_ALLOWED = new Set([
  ...[...FREE_FORM, 'include_vars', 'include_tasks', 'include_role', 'import_tasks', 'import_role'],
  ...['add_host', 'group_by', 'set_fact', 'meta', 'include'],
])

const shortName = (name: string): string => /^(?:ansible\.(?:builtin|legacy|windows)\.)?([a-z_]+)$/.exec(name)?.[1] ?? name

/** Does the module take text that is no parameter? */
export const isFreeForm = (name: string): boolean => FREE_FORM.has(shortName(name))

/** Free text where none may be: a template of the whole dict, or a mistake; `cmd` is free text, too. */
function finished(name: string, args: Map<string, Raw>, at: Node): ReadonlyMap<string, Raw> | Template {
  args.forEach((_, key) => {
    if (key.startsWith('_ansible_'))
      throw mistake(
        `Invalid parameter specified beginning with keyword '_ansible_' for action '${name}': '${key}'. The prefix '_ansible_' is reserved for internal use only.`,
        at.span,
      )
  })
  const rest = args.get('_raw_params')
  if (HAS_CMD.has(shortName(name)) && args.has('cmd')) {
    if (rest !== undefined && rest !== '') throw mistake("'cmd' cannot stand beside a free-form command", at.span)
    const cmd = args.get('cmd')!
    args.delete('cmd')
    args.set('_raw_params', cmd)
  } else if (rest !== undefined && rest !== '' && !RAW_ALLOWED.has(shortName(name))) {
    if (!(rest instanceof Template)) throw mistake(`'${rest}' is no parameter: ${name} takes parameters as name=value only`, at.span)
    args.delete('_raw_params')
    args.set('_variable_params', rest)
  }
  const whole = args.get('_variable_params')
  return whole instanceof Template && args.size === 1 ? whole : args
}

function argumentIn(value: Node, task: MappingNode): (name: string) => Node | undefined {
  const extra = nodeOf(task, 'args')
  return (name) =>
    (value.kind === 'mapping' ? nodeOf(value, name) : undefined) ?? (extra?.kind === 'mapping' ? nodeOf(extra, name) : undefined)
}
