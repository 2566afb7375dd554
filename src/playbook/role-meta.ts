/** A role's meta/main.yml → what it says of dependencies, duplicates and collections. */
import { join } from 'node:path'
import { entry, type MappingNode, type Node } from '../documents/index.ts'
import { mistake } from './findings.ts'
import type { Session } from './loading.ts'
import { kindOf, mayHold, roleFiles } from './paths.ts'
import { booleanOf, checkKeywords, nodeOf, ownKeywords, whatIs } from './written.ts'

export interface RoleMeta {
  readonly allowDuplicates: boolean
  readonly collections: readonly string[]
  readonly dependencies: readonly Node[]
}

const NO_META: RoleMeta = { allowDuplicates: false, collections: [], dependencies: [] }

export function readMeta(path: string, session: Session): RoleMeta {
  const node = metaFile(path, session)
  if (!node) return NO_META
  return session.once(node, 'meta', () => {
    checkKeywords(node, 'meta', session)
    const dependencies = nodeOf(node, 'dependencies')
    return {
      allowDuplicates: booleanOf(nodeOf(node, 'allow_duplicates')) ?? false,
      collections: ownKeywords(node, 'meta', session).collections ?? [],
      dependencies: dependencies?.kind === 'sequence' ? dependencies.items : [],
    }
  })
}

function metaFile(path: string, session: Session): MappingNode | undefined {
  const files = session.found.get(path) ?? (mayHold(path, 'meta', session.found) ? roleFiles(path, 'meta', undefined, false) : [])
  session.found.set(path, files)
  const [file] = files
  const node = file === undefined ? undefined : session.read(file)
  if (!node || (node.kind === 'scalar' && node.value === null)) return undefined
  if (node.kind !== 'mapping') throw mistake(`meta/main.yml of a role must be a dict, not ${whatIs(node)}`, node.span)
  return node
}

const SPECS = ['argument_specs.yml', 'argument_specs.yaml', 'argument_specs.json']

/** The specification of the arguments of one entry point: meta/argument_specs.yml, or else the key in meta/main.yml. */
export function argumentSpec(path: string, entryPoint: string, session: Session): MappingNode | undefined {
  const key = `${path}\0specs`
  const files = session.found.get(key) ?? specFiles(path, session)
  session.found.set(key, files)
  const [file] = files
  const node = file === undefined ? metaFile(path, session) : session.read(file)
  const specs = node?.kind === 'mapping' ? entry(node, 'argument_specs')?.value : undefined
  const spec = specs?.kind === 'mapping' ? entry(specs, entryPoint)?.value : undefined
  return spec?.kind === 'mapping' && spec.entries.length > 0 ? spec : undefined
}

function specFiles(path: string, { found }: Session): readonly string[] {
  if (!mayHold(path, 'meta', found)) return []
  const folder = join(path, 'meta')
  return SPECS.filter((name) => mayHold(folder, name, found))
    .map((name) => join(folder, name))
    .filter((file) => kindOf(file) === 'file')
}
