/** The first release file that answers → the distribution's facts. */
import type { Facts } from '../collector.ts'
import type { Look } from '../look.ts'
import { readers } from './readers.ts'

export function distributionFiles(look: Look, guessed: Facts): Facts {
  for (const { path, name, mayBeEmpty, read } of readers) {
    const found = { distribution: name, distribution_file_path: path, distribution_file_variety: name }
    if (mayBeEmpty && look.exists(path)) return found
    const text = look.file(path)?.replace(/^[\\'"]+|[\\'"]+$/g, '')
    const facts = text === undefined ? undefined : read(text, look, guessed)
    if (facts) return { ...found, distribution_file_parsed: true, ...facts }
  }
  return {}
}
