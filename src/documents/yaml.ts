/** Turns YAML 1.1 or JSON text into nodes that know their place: quickly where it is written as most is, else with the full parser. */
import type { Source } from '../base/index.ts'
import { type ParseOptions, parseFully } from './full.ts'
import type { Node } from './node.ts'
import { parseQuickly } from './quick.ts'

/** Parses one document; undefined when there is nothing in it. */
export function parseYaml(source: Source, options: ParseOptions = {}): Node | undefined {
  const quick = options.multi ? undefined : parseQuickly(source)
  return quick ? quick.node : parseFully(source, options)
}
