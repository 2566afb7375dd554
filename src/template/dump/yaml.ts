/** A value → YAML text, to the byte as PyYAML's safe dumper on libyaml writes it. */
import type { Value } from '../../base/index.ts'
import { type EmitOptions, emitYaml } from './yaml-emit.ts'
import { representYaml } from './yaml-represent.ts'

export interface YamlOptions extends EmitOptions {
  /** default true */
  readonly sortKeys?: boolean | undefined
  /** null (the default): collections of plain scalars are written in flow style */
  readonly flowStyle?: boolean | null | undefined
  /** the style of texts: a quote, `|` or `>` */
  readonly style?: string | undefined
  readonly block?: ((text: string) => string | undefined) | undefined
}

export function dumpYaml(value: Value, options: YamlOptions = {}): string {
  return emitYaml(
    representYaml(value, {
      sortKeys: options.sortKeys ?? true,
      flowStyle: options.flowStyle ?? null,
      style: options.style,
      block: options.block,
    }),
    options,
  )
}
