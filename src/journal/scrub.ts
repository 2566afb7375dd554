/** A file of lines in which texts have turned out to be secrets → the file without them. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { JsonObject } from '../base/index.ts'
import type { Event, Secrets } from '../events/index.ts'
import type { LineFile } from './lines.ts'

export function scrub(file: LineFile, fresh: readonly string[], secrets: Secrets): void {
  file.flush()
  const text = readFileSync(file.path, 'utf8')
  // as they stand in JSON
  const written = fresh.map((secret) => JSON.stringify(secret).slice(1, -1)).filter((secret) => text.includes(secret))
  if (written.length === 0) return
  const lines = text.split('\n').map((line) => (written.some((secret) => line.includes(secret)) ? clean(line, secrets) : line))
  const beside = `${file.path}.new`
  writeFileSync(beside, lines.join('\n'), { mode: 0o600 })
  renameSync(beside, file.path)
  file.reopen()
}

function clean(line: string, secrets: Secrets): string {
  const record = JSON.parse(line) as JsonObject
  if (record['kind'] !== undefined) return JSON.stringify(secrets.maskAll(record as unknown as Event))
  if (record['o'] === undefined) return secrets.mask(line)
  return JSON.stringify({ ...record, o: withoutValues(record['o'] as JsonObject) })
}

/** A step whose values are found out anew. */
function withoutValues(record: JsonObject): JsonObject {
  const part = (record['p'] ?? record) as JsonObject
  return { st: record['st'], ig: record['ig'], it: record['it'] === undefined ? undefined : '', again: 1, nt: part['nt'] ?? [] }
}
