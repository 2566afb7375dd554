/** A play as written → a play: its keywords read, its roles and tasks loaded, in the order in which they run. */
import { dirname, join, resolve } from 'node:path'
import { didYouMean, type Raw, type RawVars } from '../base/index.ts'
import { entry, type MappingNode, type Node, nodeToRaw } from '../documents/index.ts'
import { implicitBlock, implicitTask } from './built.ts'
import { NO_KEYWORDS, type OwnKeywords, over } from './inherit.ts'
import { playLevel } from './level.ts'
import type { PlayFrame, Session } from './loading.ts'
import type { Block, Condition, Keywords, Play, VarsPrompt } from './model.ts'
import { kindOf } from './paths.ts'
import { preparedRoles } from './prepared-role.ts'
import { lastOfEach, roleHandlers, roleSteps } from './roles.ts'
import { addLibrary } from './session.ts'
import { booleanOf, checkKeywords, nodeOf, ownKeywords, placeOfKey, rawOf, textOf, varsIn, whatIs } from './written.ts'

/** What import_playbook adds to the plays of the playbook. */
export interface PlayImport {
  /** they beat the play's own */
  readonly vars: RawVars
  readonly tags: readonly Raw[]
  readonly when: readonly Condition[]
}

export const NO_IMPORT: PlayImport = { vars: new Map(), tags: [], when: [] }

export function loadPlay(node: MappingNode, path: string, session: Session, by: PlayImport): Play {
  checkKeywords(node, 'play', session)
  checkHosts(node, session)
  checkStrategy(node, session)
  const read = ownKeywords(node, 'play', session)
  const user = rawOf(node, 'user', session)
  if (user !== undefined && read.remoteUser !== undefined)
    session.findings.report("both 'user' and 'remote_user' are set for this play.", placeOfKey(node, 'user'), {
      hint: "'user' is an old name of 'remote_user'",
    })
  const own: OwnKeywords = { ...(user !== undefined && { remoteUser: user }), ...read }
  const alone = over({ tags: by.tags }, over(own, NO_KEYWORDS))
  const keywords: Keywords = { ...alone, when: by.when }
  const vars = new Map([...varsIn(node, session), ...by.vars])
  const varsFiles = listOf(rawOf(node, 'vars_files', session))
  const folder = dirname(path)
  addLibrary(session, join(folder, 'library'))
  const frame: PlayFrame = {
    session,
    path,
    folder,
    vars,
    varsFiles,
    roles: [],
    handlers: [],
    roleCache: new Map(),
    sameRoles: new Map(),
    keywords,
  }
  if (session.context.lazyVars !== true) readKnownVarsFiles(frame)
  const parts = loadParts(node, frame, alone)
  return {
    kind: 'play',
    name: rawOf(node, 'name', session) ?? undefined,
    hosts: rawOf(node, 'hosts', session) ?? '',
    span: node.span,
    path,
    vars,
    varsFiles,
    varsPrompt: prompts(nodeOf(node, 'vars_prompt'), session),
    tags: keywords.tags,
    gatherFacts: rawOf(node, 'gather_facts', session),
    gatherSubset: rawOf(node, 'gather_subset', session),
    gatherTimeout: rawOf(node, 'gather_timeout', session),
    factPath: rawOf(node, 'fact_path', session),
    serial: listOf(rawOf(node, 'serial', session)),
    strategy: rawOf(node, 'strategy', session),
    order: rawOf(node, 'order', session),
    maxFailPercentage: rawOf(node, 'max_fail_percentage', session),
    forceHandlers: rawOf(node, 'force_handlers', session),
    keywords,
    ...parts,
  }
}

/** What is no list has been told of already. */
function listNode(node: MappingNode, name: string): Node | undefined {
  const list = nodeOf(node, name)
  return list?.kind === 'sequence' ? list : undefined
}

/** `serial` and `vars_files`: one value or a list. */
const listOf = (raw: Raw | undefined): readonly Raw[] => (raw === undefined || raw === null ? [] : Array.isArray(raw) ? raw : [raw])

/** Mistakes in vars_files whose names are written out show before the run. */
function readKnownVarsFiles({ session, folder, varsFiles }: PlayFrame): void {
  for (const name of varsFiles.flat()) {
    if (typeof name !== 'string') continue
    const path = [resolve(folder, 'vars', name), resolve(folder, name)].find((file) => kindOf(file) === 'file')
    if (path !== undefined) session.findings.attempt(() => session.readVars(path, true))
  }
}

const STRATEGIES = ['linear', 'free', 'host_pinned', 'debug']

/** A strategy that looks like one of those there are is a slip of the pen; any other shows when the play begins. */
function checkStrategy(node: MappingNode, { findings }: Session): void {
  const strategy = nodeOf(node, 'strategy')
  if (strategy?.kind !== 'scalar' || typeof strategy.value !== 'string') return
  const name = strategy.value.replace(/^ansible\.(?:builtin|legacy)\./, '')
  const hint = STRATEGIES.includes(name) ? undefined : didYouMean(name, STRATEGIES)
  if (hint !== undefined) findings.report(`Invalid play strategy specified: ${strategy.value}`, strategy.span, { hint })
}

function checkHosts(node: MappingNode, { findings }: Session): void {
  const hosts = nodeOf(node, 'hosts')
  if (!hosts) findings.report('this play names no hosts', node.span, { hint: "a play needs 'hosts', or it is an 'import_playbook'" })
  if (!hosts) return
  const items = hosts.kind === 'sequence' ? hosts.items : [hosts]
  if (items.length === 0) findings.report('Hosts list cannot be empty. Please check your playbook', hosts.span)
  for (const item of items) {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '') continue
    findings.report(
      `hosts must be patterns, not ${item.kind === 'scalar' && item.value === '' ? 'an empty text' : whatIs(item)}`,
      item.span,
    )
  }
}

/**
 * pre_tasks, roles with what they depend on, tasks, post_tasks, with handlers flushed between; what import_playbook demands goes for all
 * of them, but not for handlers. Roles come first, for tasks may use their variables in static names.
 */
function loadParts(node: MappingNode, frame: PlayFrame, alone: Keywords): Pick<Play, 'roles' | 'steps' | 'handlers'> {
  const { session } = frame
  const level = playLevel(frame, frame.keywords)
  const part = (name: string): Block[] => session.make.blocks(listNode(node, name), level, false)
  const prepared = preparedRoles(nodeOf(node, 'roles'), frame)
  frame.roles.push(...prepared.map((use) => use.role))
  const roles = prepared.flatMap((use) => session.findings.attempt(() => roleSteps(use, frame)) ?? [])
  const ofRoles = lastOfEach(prepared.flatMap((use) => session.findings.attempt(() => roleHandlers(use, frame)) ?? []))
  const own = session.make.blocks(listNode(node, 'handlers'), playLevel(frame, alone), true)
  const before = part('pre_tasks')
  const after = part('post_tasks')
  const tasks = part('tasks')
  const flush = (): Block =>
    implicitBlock(
      [implicitTask(undefined, 'meta', new Map([['_raw_params', 'flush_handlers']]), playLevel(frame, alone), node.span)],
      level,
      node.span,
    )
  return {
    roles: frame.roles.filter((role) => role.public),
    steps: [...before, flush(), ...roles, ...tasks, flush(), ...after, flush()],
    handlers: [...ofRoles, ...own, ...frame.handlers],
  }
}

const PROMPT_KEYS = new Set(['name', 'prompt', 'default', 'private', 'confirm', 'encrypt', 'salt_size', 'salt', 'unsafe'])

/** `vars_prompt`: a list of dicts, or one dict. */
function prompts(node: Node | undefined, session: Session): VarsPrompt[] {
  if (!node || (node.kind === 'scalar' && node.value === null)) return []
  const items = node.kind === 'sequence' ? node.items : [node]
  return items.flatMap((item) => {
    if (item.kind !== 'mapping') session.findings.report(`an entry of vars_prompt must be a dict, not ${whatIs(item)}`, item.span)
    else return prompt(item, session)
    return []
  })
}

function prompt(node: MappingNode, session: Session): VarsPrompt[] {
  const name = nodeOf(node, 'name')
  if (name?.kind !== 'scalar' || name.value === null) {
    session.findings.report("Invalid vars_prompt data structure, missing 'name' key", node.span)
    return []
  }
  for (const { key } of node.entries)
    if (!PROMPT_KEYS.has(String(key.value)))
      session.findings.report(`Invalid vars_prompt data structure, found unsupported key '${String(key.value)}'`, key.span, {
        hint: `it has ${[...PROMPT_KEYS].join(', ')}`,
      })
  const raw = (key: string): Raw | undefined => {
    const value = entry(node, key)?.value
    return value && nodeToRaw(value, session.context.documents)
  }
  const size = raw('salt_size')
  return [
    {
      name: String(name.value),
      prompt: raw('prompt') ?? String(name.value),
      default: raw('default'),
      private: booleanOf(nodeOf(node, 'private')) ?? true,
      confirm: booleanOf(nodeOf(node, 'confirm')) ?? false,
      encrypt: textOf(nodeOf(node, 'encrypt')),
      saltSize: size === undefined || size === null ? undefined : Number(size),
      salt: textOf(nodeOf(node, 'salt')),
      unsafe: booleanOf(nodeOf(node, 'unsafe')) ?? false,
    },
  ]
}
