/** What makes two uses of a role the same use → a text to compare. */
import { Float, type Raw, type RawVars, Template, Tuple, Vaulted } from '../base/index.ts'
import type { OwnKeywords } from './inherit.ts'

interface Use {
  readonly name: string
  readonly path: string
  readonly wanted: {
    readonly own: OwnKeywords
    readonly vars: RawVars
    readonly params: RawVars
    readonly from: Readonly<Record<string, string | undefined>>
    readonly byTask: boolean
  }
}

/** Name, path, parameters, conditions, tags, variables, files named, and whether a task names it. */
export function identityOf({ name, path, wanted }: Use): string {
  const { own, vars, params, from, byTask } = wanted
  return JSON.stringify([name, path, byTask, from, plain([...(own.when ?? [])]), plain([...(own.tags ?? [])]), dict(params), dict(vars)])
}

const dict = (vars: RawVars): unknown =>
  [...vars].map(([key, value]) => [key, plain(value)]).sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))

/** A raw value as plain JSON whose kinds cannot be taken for one another. */
function plain(raw: Raw): unknown {
  if (raw === null || typeof raw === 'boolean' || typeof raw === 'number' || typeof raw === 'string') return raw
  if (raw instanceof Template) return raw.text
  if (Array.isArray(raw)) return raw.map(plain)
  if (raw instanceof Map) return { dict: [...raw].map(([key, value]) => [plain(key), plain(value)]).sort() }
  if (raw instanceof Float) return { float: raw.value }
  if (raw instanceof Vaulted) return { sealed: raw.ciphertext }
  if (raw instanceof Tuple) return { tuple: raw.items.length }
  return { text: String(raw) }
}
