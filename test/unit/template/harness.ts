/** A scope over plain values and templates, for tests. */
import { asWritten, type Raw, Template, type Value } from '../../../src/base/index.ts'
import { createTemplar, type Rendered, type Scope, type Templar, type TemplateFiles } from '../../../src/template/index.ts'

export interface World {
  readonly vars?: Readonly<Record<string, Raw>>
  /** names that a host told */
  readonly told?: readonly string[]
  /** template files by name */
  readonly files?: Readonly<Record<string, string>>
  readonly native?: boolean
  readonly compatVersion?: string
}

export interface Stage {
  readonly templar: Templar
  readonly scope: Scope
  render(text: string): Value
}

export function stage({ vars = {}, told = [], files = {}, native = false, compatVersion }: World = {}): Stage {
  const templar = createTemplar({ native, extensions: ['jinja2.ext.do', 'jinja2.ext.loopcontrols'], compatVersion })
  const written = new Map(Object.entries(vars).map(([name, value]) => [name, asWritten(value)]))
  const memo = new Map<string, Rendered>()
  const lookUp = (name: string): Rendered | undefined => {
    const raw = written.get(name)
    if (raw === undefined) return undefined
    if (!memo.has(name)) memo.set(name, templar.renderWithOrigin(raw, scope))
    return memo.get(name)
  }
  const found: TemplateFiles = {
    find: (_, name) => (name in files ? name : undefined),
    folders: () => ['templates'],
    read: (path) => files[path] ?? '',
    readBytes: (path) => new TextEncoder().encode(files[path] ?? ''),
  }
  const scope: Scope = {
    get: (name) => lookUp(name)?.value,
    has: (name) => written.has(name),
    names: () => written.keys(),
    fromHost: (name) => told.includes(name) || (lookUp(name)?.fromHost ?? false),
    raw: (name) => written.get(name),
    texts: (name) => lookUp(name)?.texts,
    files: found,
  }
  return { templar, scope, render: (text) => templar.render(new Template(text), scope) }
}
