/** Makes what one load shares with everything that is loaded later from it: parsed files, known modules, what is wrong so far. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem, type RawVars } from '../base/index.ts'
import { isListOfDicts, joinedVars, type MappingNode, mappingToVars, type Node, readDocument } from '../documents/index.ts'
import type { LoadContext, ModuleInfo } from './api.ts'
import { collectionFolders } from './collections.ts'
import { findModuleFile } from './find-module-file.ts'
import { createFindings, mistake } from './findings.ts'
import type { Makers, Session } from './loading.ts'

export function createSession(context: LoadContext, make: Makers): Session {
  const documents = new Map<string, () => Node | undefined>()
  const variables = new Map<string, RawVars>()
  const made = new WeakMap<Node, Map<string, unknown>>()
  const modules = new Map<string, Map<string, ModuleInfo | undefined>>()
  const folders: string[] = []
  const custom = (name: string, collections: readonly string[]): ModuleInfo | undefined =>
    findModuleFile(
      name,
      folders,
      collections,
      (collection) =>
        collectionFolders(collection, [...folders.map((folder) => join(dirname(folder), 'collections')), ...context.collectionsPaths]),
      context.ignoredEndings,
    )
  const session: Session = {
    context,
    forgetModules: () => modules.clear(),
    folders,
    found: new Map(),
    make,
    findings: createFindings(),
    read(path) {
      const read = documents.get(path) ?? remembered(() => readDocument(path, context.documents))
      documents.set(path, read)
      return read()
    },
    readVars(path, lists) {
      const vars = variables.get(path) ?? varsOf(session.read(path), path, context, lists ?? false)
      variables.set(path, vars)
      return vars
    },
    once<T>(node: Node, kind: string, work: () => T): T {
      const kinds = made.get(node) ?? new Map<string, unknown>()
      made.set(node, kinds)
      if (!kinds.has(kind)) kinds.set(kind, work())
      return kinds.get(kind) as T
    },
    module(name, collections) {
      const where = collections.length === 0 ? '' : collections.join('\0')
      const known = modules.get(where) ?? new Map<string, ModuleInfo | undefined>()
      modules.set(where, known)
      if (!known.has(name)) known.set(name, context.module(name, collections, folders) ?? custom(name, collections))
      return known.get(name)
    },
  }
  return session
}

function varsOf(node: Node | undefined, path: string, context: LoadContext, lists: boolean): RawVars {
  if (!node || (node.kind === 'scalar' && node.value === null)) return new Map()
  if (lists && isListOfDicts(node)) return joinedVars(node, context.documents)
  if (node.kind !== 'mapping') throw mistake(`${path} must hold a dict of variables`, node.span)
  return mappingToVars(node as MappingNode, context.documents)
}

/** Runs work once; its result is kept, and what it threw, but for a file that could not be read: it may come. */
function remembered<T>(work: () => T): () => T {
  let outcome: (() => T) | undefined
  return () => {
    if (outcome) return outcome()
    try {
      const value = work()
      outcome = () => value
      return value
    } catch (error) {
      const mayPass = error instanceof Problem && error.kind === 'file'
      if (!mayPass)
        outcome = () => {
          throw error
        }
      throw error
    }
  }
}

/** Makes the modules of a library/ folder known to everything loaded from here on. */
export function addLibrary(session: Session, folder: string): void {
  if (session.folders.includes(folder) || !existsSync(folder)) return
  session.folders.push(folder)
  session.forgetModules()
}
