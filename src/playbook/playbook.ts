/** A playbook's file → its plays, those of imported playbooks among them. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Raw, RawVars } from '../base/index.ts'
import { type Entry, entry, type MappingNode, type Node, nodeToRaw } from '../documents/index.ts'
import { balanced } from './action.ts'
import { splitArguments } from './arguments.ts'
import { collectionsNear } from './find-role.ts'
import { mistake } from './findings.ts'
import { NO_KEYWORDS } from './inherit.ts'
import { playLevel } from './level.ts'
import type { PlayFrame, Session } from './loading.ts'
import type { Play, Playbook } from './model.ts'
import { kindOf } from './paths.ts'
import { loadPlay, NO_IMPORT, type PlayImport } from './play.ts'
import { addLibrary } from './session.ts'
import { staticName } from './static-names.ts'
import { checkKeywords, ownKeywords, varsIn, whatIs } from './written.ts'

export function loadPlaybook(path: string, session: Session): Playbook {
  const full = resolve(path)
  if (session.context.documents.texts?.has(full)) return { path, plays: plays(full, session, NO_IMPORT, []) }
  if (kindOf(full) === undefined) throw mistake(`the playbook ${path} does not exist`, undefined, { kind: 'file' })
  if (kindOf(full) === 'folder') throw mistake(`the playbook ${path} is a folder, not a file`, undefined, { kind: 'file' })
  return { path, plays: plays(join(realpathSync(dirname(full)), basename(full)), session, NO_IMPORT, []) }
}

function plays(path: string, session: Session, by: PlayImport, importing: readonly string[]): Play[] {
  addLibrary(session, join(dirname(path), 'library'))
  const node = session.read(path)
  if (!node || (node.kind === 'scalar' && node.value === null)) throw mistake(`the playbook ${path} is empty`, node?.span)
  if (node.kind !== 'sequence') throw mistake(`a playbook must be a list of plays, not ${whatIs(node)}`, node.span)
  if (node.items.length === 0) throw mistake('A playbook must contain at least one play', node.span)
  return node.items.flatMap((item) => session.findings.attempt(() => entryPlays(item, path, session, by, importing)) ?? [])
}

const IMPORTS = ['import_playbook', 'ansible.builtin.import_playbook', 'ansible.legacy.import_playbook', 'include']

function entryPlays(node: Node, path: string, session: Session, by: PlayImport, importing: readonly string[]): Play[] {
  if (node.kind !== 'mapping') throw mistake(`a playbook's entry must be a play or an import_playbook, not ${whatIs(node)}`, node.span)
  const found = IMPORTS.map((name) => entry(node, name)).find((e) => e !== undefined)
  return found ? importedPlays(node, found, path, session, by, importing) : [loadPlay(node, path, session, by)]
}

function importedPlays(
  node: MappingNode,
  { key, value }: Entry,
  path: string,
  session: Session,
  by: PlayImport,
  importing: readonly string[],
): Play[] {
  checkKeywords(node, 'import_playbook', session, (name) => IMPORTS.includes(name))
  const vars = varsIn(node, session)
  const file = importedFile(value, path, session, new Map([...vars, ...by.vars]))
  if (kindOf(file) !== 'file') throw mistake(`the playbook '${file}' does not exist`, value.span, { kind: 'file' })
  if (file === path || importing.includes(file)) throw mistake(`the playbook ${basename(file)} imports itself, over and over`, key.span)
  const own = ownKeywords(node, 'import_playbook', session)
  const added: PlayImport = {
    vars: new Map([...vars, ...by.vars]),
    tags: [...by.tags, ...(own.tags ?? [])],
    when: [...by.when, ...(own.when ?? [])],
  }
  return plays(file, session, added, [...importing, path])
}

/** The path that import_playbook names: relative to the importing file, or a collection's playbook. */
function importedFile(value: Node, path: string, session: Session, vars: RawVars): string {
  if (value.kind !== 'scalar' || typeof value.value !== 'string')
    throw mistake(`import_playbook must name a file, not ${whatIs(value)}`, value.span)
  const raw: Raw = nodeToRaw(value, session.context.documents)
  const frame: PlayFrame = {
    ...{ session, path, folder: dirname(path), vars, varsFiles: [], roles: [], handlers: [], roleCache: new Map(), sameRoles: new Map() },
    keywords: NO_KEYWORDS,
  }
  const name =
    typeof raw === 'string'
      ? (balanced(value, () => splitArguments(raw))[0] ?? '').trim()
      : staticName(raw, 'the file of import_playbook', playLevel(frame, NO_KEYWORDS))
  if (name === '') throw mistake('import_playbook names no file', value.span)
  return collectionPlaybook(name, frame) ?? resolve(dirname(path), name)
}

const FULL_NAME = /^(\w+\.\w+)\.([\w.]+)$/

function collectionPlaybook(name: string, frame: PlayFrame): string | undefined {
  const full = FULL_NAME.exec(name)
  if (!full || kindOf(resolve(frame.folder, name)) !== undefined) return undefined
  return collectionsNear(full[1]!, frame)
    .flatMap((folder) => ['', '.yml', '.yaml'].map((extension) => join(folder, 'playbooks', full[2]!.replaceAll('.', '/') + extension)))
    .find((path) => kindOf(path) === 'file')
}
