/** What the reference printed for each seed, kept compressed: the same few names come again and again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

export interface Recorded {
  readonly seed: number
  readonly parts: readonly string[]
}

const FILE = join(import.meta.dirname, 'recorded.json.gz')

export const readRecorded = (): Recorded[] =>
  existsSync(FILE) ? (JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as Recorded[]) : []

export const writeRecorded = (recorded: readonly Recorded[]): void => writeFileSync(FILE, gzipSync(JSON.stringify(recorded), { level: 9 }))
