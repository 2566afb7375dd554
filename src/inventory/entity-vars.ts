/** Finds and reads the files of variables of a group or a host: group_vars/NAME, with or without an ending, or a folder of files. */
import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Problem, type RawVars } from '../base/index.ts'
import { type DocumentOptions, readVars } from '../documents/index.ts'
import { byCodePoint } from './sources.ts'

export interface EntityVars {
  readonly path: string
  readonly vars: RawVars
}

/** The files beside `folder`, weakest first. */
export function readEntityVars(
  folder: string,
  kind: 'group_vars' | 'host_vars',
  name: string,
  extensions: readonly string[],
  documents: DocumentOptions,
): EntityVars[] {
  return entityFiles(folder, kind, name, extensions).map((path) => ({ path, vars: varsIn(path, documents) }))
}

/** What cannot be opened is, in these files, a mistake of the playbook's like any other. */
function varsIn(path: string, documents: DocumentOptions): RawVars {
  try {
    return readVars(path, documents)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'vault') throw error
    const { message, span, hint, notes } = error
    throw new Problem(message, { kind: 'playbook', span, hint, notes, cause: error })
  }
}

export function entityFiles(folder: string, kind: 'group_vars' | 'host_vars', name: string, extensions: readonly string[]): string[] {
  if (name.startsWith('/')) return []
  const base = join(folder, kind, name)
  for (const end of ['', ...extensions]) {
    const stat = statSync(base + end, { throwIfNoEntry: false })
    if (stat) return stat.isDirectory() ? filesIn(base + end, ['', ...extensions]) : [base + end]
  }
  return []
}

function filesIn(folder: string, extensions: readonly string[]): string[] {
  return readdirSync(folder)
    .sort(byCodePoint)
    .filter((name) => !name.startsWith('.') && !name.endsWith('~'))
    .flatMap((name) => {
      const path = join(folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory()) return extname(name) === '' ? filesIn(path, extensions) : []
      return stat?.isFile() && extensions.includes(extname(name)) ? [path] : []
    })
}
