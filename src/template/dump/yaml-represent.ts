/** A value → the nodes that PyYAML's safe dumper would write for it. */
import { Float, LazyDict, OMIT, Tuple, type Value } from '../../base/index.ts'
import { PySet } from '../python/collections.ts'
import { eager } from '../python/equality.ts'
import { isPyError, PyError } from '../python/errors.ts'
import { floatRepr } from '../python/number.ts'
import { PyObject } from '../python/object.ts'
import { sortValues } from '../python/order.ts'
import { SealedText } from '../python/sealed.ts'
import { repr } from '../python/text.ts'
import { isUndefined } from '../python/undefined.ts'
import type { YamlMapping, YamlNode, YamlScalar, YamlSequence } from './yaml-node.ts'
import { resolvePlain } from './yaml-resolve.ts'

export interface RepresentOptions {
  readonly sortKeys: boolean
  /** null: a collection of plain scalars is written in flow style, others as blocks */
  readonly flowStyle: boolean | null
  /** the style of all texts that have none of their own */
  readonly style?: string | undefined
  /** texts that are to be blocks of lines, as they are to stand there; undefined for all others */
  readonly block?: ((text: string) => string | undefined) | undefined
}

export function representYaml(value: Value, options: RepresentOptions): YamlNode {
  return new Representer(options).node(value)
}

class Representer {
  /** collections that are on the page already, by identity */
  private readonly seen = new Map<object, YamlSequence | YamlMapping>()
  private readonly options: RepresentOptions

  constructor(options: RepresentOptions) {
    this.options = options
  }

  node(value: Value): YamlNode {
    const block = typeof value === 'string' ? this.options.block?.(value) : undefined
    const scalar = block === undefined ? scalarOf(value) : { ...text(block), style: '|' }
    if (scalar) return this.options.style && block === undefined ? { ...scalar, style: this.options.style } : scalar
    if (typeof value === 'object' && value !== null) {
      const known = this.seen.get(value)
      if (known) return { kind: 'alias', target: known }
    }
    if (value instanceof Map) return this.mapping(value, [...value])
    if (value instanceof LazyDict) return this.mapping(value, [...eager(value)])
    if (Array.isArray(value)) return this.sequence(value, value)
    if (value instanceof Tuple) return this.sequence(value, value.items)
    if (value instanceof PySet)
      return this.mapping(
        value,
        value.iterate().map((item) => [item, null] as [Value, Value]),
        '!!set',
      )
    if (isUndefined(value)) return value.raise()
    throw new PyError('ValueError', `('cannot represent an object', ${repr(value)})`)
  }

  private sequence(value: object, items: readonly Value[]): YamlSequence {
    const node: YamlSequence = { kind: 'sequence', items: [], flow: true }
    if (!(value instanceof Tuple && items.length === 0)) this.seen.set(value, node)
    for (const item of items) node.items.push(this.node(item))
    node.flow = this.options.flowStyle ?? node.items.every(isPlainScalar)
    return node
  }

  private mapping(value: object, entries: readonly [Value, Value][], tag?: string): YamlMapping {
    const node: YamlMapping = { kind: 'mapping', entries: [], tag, flow: true }
    this.seen.set(value, node)
    for (const [key, item] of this.options.sortKeys ? sortEntries(entries) : entries) node.entries.push([this.node(key), this.node(item)])
    node.flow = this.options.flowStyle ?? node.entries.every(([key, item]) => isPlainScalar(key) && isPlainScalar(item))
    return node
  }
}

/** An alias to a collection that was met before counts as the collection. */
const isPlainScalar = (node: YamlNode): boolean => node.kind === 'scalar' && !node.literal && !node.style

/** By key; keys that cannot be compared keep their order. */
function sortEntries(entries: readonly [Value, Value][]): readonly [Value, Value][] {
  try {
    return sortValues(entries.map((entry) => new Tuple(entry))).map((tuple) => (tuple as Tuple).items as [Value, Value])
  } catch (error) {
    if (isPyError(error, 'TypeError')) return entries
    throw error
  }
}

function scalarOf(value: Value): YamlScalar | undefined {
  if (value === null) return typed('null', 'null')
  if (typeof value === 'string') return text(value)
  if (typeof value === 'boolean') return typed(value ? 'true' : 'false', 'bool')
  if (typeof value === 'number' || typeof value === 'bigint') return typed(String(value), 'int')
  if (value instanceof Float) return typed(floatText(value.value), 'float')
  if (value instanceof Uint8Array)
    return { kind: 'scalar', text: base64Lines(value), plain: false, quoted: false, tag: '!!binary', literal: true }
  if (value === OMIT) return text(OMIT.text)
  if (value instanceof SealedText)
    return { kind: 'scalar', text: value.ciphertext, plain: false, quoted: false, tag: '!vault', literal: true }
  if (value instanceof PyObject && value.yamlTag) return typed(value.str(), value.yamlTag)
  return undefined
}

const text = (value: string): YamlScalar => ({ kind: 'scalar', text: value, plain: resolvePlain(value) === 'str', quoted: true })

function typed(written: string, tag: string): YamlScalar {
  return { kind: 'scalar', text: written, plain: resolvePlain(written) === tag, quoted: false, tag: `!!${tag}` }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  const written = floatRepr(value)
  return written.includes('e') && !written.includes('.') ? written.replace('e', '.0e') : written
}

function base64Lines(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,76}/g, '$&\n')
}
