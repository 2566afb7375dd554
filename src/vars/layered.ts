/** A Scope over layers: the strongest layer that has the name wins; what it wrote is rendered when it is asked for, and remembered. */
import { isFinished, located, mergeRaw, Problem, type ProblemKind, type Raw, Template, type Value } from '../base/index.ts'
import type { Renderer, RunContext, Scope, TemplateFiles } from '../template/index.ts'
import type { Layer } from './layer.ts'
import { Memo, type Remembered } from './memo.ts'
import { isVolatile, VOLATILE_NAMES } from './volatile.ts'

export interface LayeredParts {
  /** strongest first */
  readonly layers: readonly Layer[]
  /** names that only this scope sees (loop item, task and include variables): what is made from them is not shared */
  readonly own: ReadonlySet<string>
  /** what scopes of the same host, play and role share */
  readonly shared: Memo
  readonly templar: Renderer
  readonly files?: TemplateFiles | undefined
  readonly run?: RunContext | undefined
  /** hash_behaviour=merge */
  readonly merge: boolean
  /** the whole scope as a dict, for `vars` */
  readonly self?: ((scope: LayeredScope) => Value) | undefined
}

/** Problems that stay until one of the names that were read changes. */
const LASTING: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['undefined', 'template'])

interface Found {
  readonly raw: Raw
  readonly fromHost: boolean
  readonly texts?: ReadonlySet<string> | undefined
}

interface Frame {
  readonly names: Set<string>
  volatile: boolean
}

export class LayeredScope implements Scope {
  readonly files?: TemplateFiles
  readonly run?: RunContext
  readonly #parts: LayeredParts
  readonly #memo = new Memo()
  readonly #frames: Frame[] = []
  readonly #rendering = new Set<string>()
  /** what get() gave last: volatile values are not remembered, but asked about right after */
  #latest: { readonly name: string; readonly entry: Remembered } | undefined

  constructor(parts: LayeredParts) {
    this.#parts = parts
    if (parts.files) this.files = parts.files
    if (parts.run) this.run = parts.run
  }

  get(name: string): Value | undefined {
    const known = this.#recall(name)
    if (known) {
      this.#note(known)
      if (known.problem !== undefined) throw known.problem
      return known.value
    }
    const found = this.#find(name)
    if (found === undefined) {
      this.#frames.at(-1)?.names.add(name)
      return undefined
    }
    const entry = this.#make(name, found)
    this.#note(entry)
    this.#latest = { name, entry }
    return entry.value
  }

  has(name: string): boolean {
    this.#frames.at(-1)?.names.add(name)
    return this.raw(name) !== undefined
  }

  fromHost(name: string): boolean {
    return (this.#recall(name) ?? this.#given(name) ?? this.#find(name))?.fromHost ?? false
  }

  texts(name: string): ReadonlySet<string> | undefined {
    return (this.#recall(name) ?? this.#given(name))?.texts
  }

  names(): Iterable<string> {
    const all = new Set<string>()
    for (const layer of this.#parts.layers) for (const name of layer.names()) all.add(name)
    return all
  }

  /** The names that `vars` lists. */
  listed(): Iterable<string> {
    const all = new Set<string>()
    for (const layer of this.#parts.layers) if (!layer.unlisted) for (const name of layer.names()) all.add(name)
    return all
  }

  /** A variable as it was written. */
  raw(name: string): Raw | undefined {
    return this.#find(name)?.raw
  }

  /** A variable as a person wrote it in a file. */
  written(name: string): Raw | undefined {
    for (const layer of this.#parts.layers) {
      const raw = layer.get(name)
      if (raw !== undefined) return layer.written ? layer.written(name) : raw
    }
    return undefined
  }

  /** A scope like this with one more layer on top, for loop items and results. */
  with(layer: Layer): LayeredScope {
    return new LayeredScope({
      ...this.#parts,
      layers: [{ ...layer, whole: true }, ...this.#parts.layers],
      own: new Set([...this.#parts.own, ...layer.names()]),
    })
  }

  /** A scope like this with one more layer below; only names that nothing else has are the new scope's own. */
  weakly(layer: Layer): LayeredScope {
    const fresh = [...layer.names()].filter((name) => this.#find(name) === undefined)
    return new LayeredScope({
      ...this.#parts,
      layers: [...this.#parts.layers, { ...layer, unlisted: true }],
      own: new Set([...this.#parts.own, ...fresh]),
    })
  }

  /** The same names, rendered by another templar: what is remembered is its own. */
  renderedBy(templar: Renderer): LayeredScope {
    return new LayeredScope({ ...this.#parts, templar, shared: new Memo() })
  }

  /** The same names with other files in reach. */
  withFiles(files: TemplateFiles): LayeredScope {
    return new LayeredScope({ ...this.#parts, files })
  }

  #recall(name: string): Remembered | undefined {
    const mine = this.#memo.get(name)
    if (mine) return mine
    const shared = this.#parts.shared.get(name)
    if (!shared) return undefined
    for (const own of this.#parts.own) if (shared.names.has(own)) return undefined
    return shared
  }

  #given(name: string): Remembered | undefined {
    return this.#latest?.name === name ? this.#latest.entry : undefined
  }

  #find(name: string): Found | undefined {
    if (name === 'vars' && this.#parts.self) return { raw: this.#parts.self(this) as Raw, fromHost: false }
    let merged: Found | undefined
    for (const layer of this.#parts.layers) {
      const raw = layer.get(name)
      if (raw === undefined) continue
      const fromHost = typeof layer.fromHost === 'function' ? layer.fromHost(name) : layer.fromHost
      if (!this.#parts.merge || layer.whole || !(raw instanceof Map)) return merged ?? { raw, fromHost, texts: layer.texts?.(name) }
      merged = merged ? { raw: mergeRaw(raw, merged.raw), fromHost: merged.fromHost || fromHost } : { raw, fromHost }
    }
    return merged
  }

  #make(name: string, { raw, fromHost, texts }: Found): Remembered {
    if (isFinished(raw)) return this.#keep(name, { value: raw, fromHost, texts, names: new Set([name]) }, VOLATILE_NAMES.has(name))
    if (this.#rendering.has(name)) {
      this.#frames.at(-1)?.names.add(name)
      throw new Problem(`the variable '${name}' leads back to itself: ${[...this.#rendering, name].join(' → ')}`, {
        kind: 'template',
        span: raw instanceof Template ? raw.span : undefined,
      })
    }
    const frame: Frame = { names: new Set([name]), volatile: isVolatile(raw) }
    this.#rendering.add(name)
    this.#frames.push(frame)
    try {
      const rendered = this.#parts.templar.renderWithOrigin(raw, this)
      const { value, texts } = rendered
      return this.#keep(name, { value, texts, fromHost: fromHost || rendered.fromHost, names: frame.names }, frame.volatile)
    } catch (error) {
      const problem = located(error, raw instanceof Template ? raw.span : undefined)
      if (problem instanceof Problem && LASTING.has(problem.kind) && !this.#isCircular(name, frame)) {
        this.#keep(name, { value: null, fromHost, problem, names: frame.names }, frame.volatile)
      }
      throw problem
    } finally {
      this.#frames.pop()
      this.#rendering.delete(name)
      const outer = this.#frames.at(-1)
      if (outer) {
        outer.volatile ||= frame.volatile
        for (const n of frame.names) outer.names.add(n)
      }
    }
  }

  /** A variable that failed while one that it reads was being rendered may do well when it is asked for by itself. */
  #isCircular(name: string, frame: Frame): boolean {
    for (const outer of this.#rendering) if (outer !== name && frame.names.has(outer)) return true
    return false
  }

  #keep(name: string, entry: Remembered, volatile: boolean): Remembered {
    if (volatile) {
      const frame = this.#frames.at(-1)
      if (frame) frame.volatile = true
      // a value that changes by itself is rendered anew at each reading, as Ansible does; finished ones cost nothing
      return entry
    }
    const { own, shared } = this.#parts
    let mine = own.has(name)
    if (!mine) for (const n of own) if (entry.names.has(n)) mine = true
    ;(mine ? this.#memo : shared).set(name, entry)
    return entry
  }

  #note(entry: Remembered): void {
    const frame = this.#frames.at(-1)
    if (frame) for (const n of entry.names) frame.names.add(n)
  }
}
