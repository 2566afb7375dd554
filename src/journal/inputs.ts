/** Files that a run read → their hashes, and later the names of those that are no longer what they were. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A short name for a file's content. */
export const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('base64url')

export interface Change {
  readonly path: string
  readonly what: 'changed' | 'gone'
}

/** Those of the files whose content is another now. */
export function changesIn(inputs: ReadonlyMap<string, string>): Change[] {
  return [...inputs].flatMap(([path, hash]): Change[] => {
    const now = readNow(path)
    if (now === undefined) return [{ path, what: 'gone' }]
    return hashOf(now) === hash ? [] : [{ path, what: 'changed' }]
  })
}

/** As text, for so it was read and hashed. */
function readNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
