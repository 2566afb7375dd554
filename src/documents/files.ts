/** Turns files on the controller into documents and variables. */
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { Problem, type Raw, type Source } from '../base/index.ts'
import type { DocumentOptions } from './api.ts'
import type { MappingNode, Node, SequenceNode } from './node.ts'
import { mappingToVars } from './values.ts'
import { parseYaml } from './yaml.ts'

const SEALED = '$ANSIBLE_VAULT;'

/** Reads a file as text; a file that is sealed as a whole is opened. */
export function readSource(path: string, options: DocumentOptions = {}): Source {
  const text = options.texts?.get(path) ?? readText(path)
  options.onRead?.(path, text)
  if (!text.startsWith(SEALED)) return { name: path, text }
  if (!options.unvault) throw new Problem(`${path} is sealed, and there is no vault secret to open it with`, { kind: 'vault' })
  try {
    return { name: path, text: options.unvault(text) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(`${path}: ${error.message}`, { kind: error.kind, hint: error.hint, notes: error.notes, cause: error })
  }
}

/** Reads a YAML or JSON file; undefined when it is empty. */
export function readDocument(path: string, options: DocumentOptions = {}): Node | undefined {
  return parseYaml(readSource(path, options), options)
}

/** Reads a file of variables; `lists`: it may be a list of dicts, too, as those of vars_files. */
export function readVars(path: string, options: DocumentOptions & { readonly lists?: boolean } = {}): Map<string, Raw> {
  const node = readDocument(path, options)
  if (!node || (node.kind === 'scalar' && node.value === null)) return new Map()
  if (node.kind === 'mapping') return mappingToVars(node, options)
  if (options.lists && isListOfDicts(node)) return joinedVars(node, options)
  throw new Problem(`a file of variables must be a dict, not ${node.kind === 'sequence' ? 'a list' : 'a single value'}`, {
    kind: 'syntax',
    span: node.span,
  })
}

type DictList = Omit<SequenceNode, 'items'> & { readonly items: readonly MappingNode[] }

export const isListOfDicts = (node: Node): node is Node & DictList =>
  node.kind === 'sequence' && node.items.every(({ kind }) => kind === 'mapping')

/** The variables of a list of dicts, later ones over earlier ones. */
export const joinedVars = ({ items }: DictList, options: DocumentOptions): Map<string, Raw> =>
  new Map(items.flatMap((item) => [...mappingToVars(item, options)]))

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    // that character may be written there, or stand for bytes that are no text
    if (text.includes('\ufffd') && statSync(path).isFile()) return textOf(readFileSync(path), path)
    return withoutMark(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw new Problem(REASONS[code ?? '']?.(path) ?? `${path} cannot be read: ${code}`, { kind: 'file', cause: error })
  }
}

/** Without a byte order mark. Other encodings are refused: guessed at, they would be written to hosts garbled. */
function textOf(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return withoutMark(bytes.toString('utf8'))
  const lines = bytes.toString('latin1').split('\n')
  const line = lines.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1'))) + 1
  throw new Problem(`${path} is not UTF-8: line ${line} holds other bytes`, { kind: 'syntax', hint: 'save the file in UTF-8' })
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const REASONS: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `${path} does not exist`,
  EACCES: (path) => `${path} may not be read by this user`,
  EISDIR: (path) => `${path} is a folder, not a file`,
}
