/** Plain JSON as block YAML for people to read (result_format=yaml): sorted keys, texts of several lines as blocks. */
import { stringify } from 'yaml'
import type { Json } from '../base/index.ts'

export function yamlBlock(json: Json): string {
  return stringify(json, { sortMapEntries: true, lineWidth: 0, version: '1.1', blockQuote: 'literal' })
}
