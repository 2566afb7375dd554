/** Turns files on the controller into documents and variables. */
import { readFileSync } from 'node:fs'
import { Problem, type Raw, type Source } from '../base/index.ts'
import type { DocumentOptions } from './api.ts'
import type { Node } from './node.ts'
import { mappingToVars } from './values.ts'
import { parseYaml } from './yaml.ts'

const SEALED = '$ANSIBLE_VAULT;'

/** Reads a file as text; a file that is sealed as a whole is opened. */
export function readSource(path: string, options: DocumentOptions = {}): Source {
  const text = options.texts?.get(path) ?? readText(path)
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

/** Reads a file of variables. */
export function readVars(path: string, options: DocumentOptions = {}): Map<string, Raw> {
  const node = readDocument(path, options)
  if (!node || (node.kind === 'scalar' && node.value === null)) return new Map()
  if (node.kind === 'mapping') return mappingToVars(node, options)
  throw new Problem(`a file of variables must be a dict, not ${node.kind === 'sequence' ? 'a list' : 'a single value'}`, {
    kind: 'syntax',
    span: node.span,
  })
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new Problem(REASONS[code ?? '']?.(path) ?? `${path} cannot be read: ${code}`, { kind: 'file', cause: error })
  }
}

const REASONS: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `${path} does not exist`,
  EACCES: (path) => `${path} may not be read by this user`,
  EISDIR: (path) => `${path} is a folder, not a file`,
}
