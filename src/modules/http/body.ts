/** Turns the body that a task gives into bytes and a content type, by its format. */
import type { Dict, Value } from '../../base/index.ts'
import { asText, pythonJson } from '../../params/index.ts'
import { type Controller, ModuleFailure } from '../api.ts'
import { nameOf } from '../files/install.ts'
import { findLocal, readLocal } from '../files/local.ts'

export interface Body {
  readonly bytes: Uint8Array
  /** undefined: none is set */
  readonly type: string | undefined
}

export type BodyFormat = 'raw' | 'json' | 'form-urlencoded' | 'form-multipart'

const TYPES: Readonly<Partial<Record<BodyFormat, string>>> = {
  json: 'application/json',
  'form-urlencoded': 'application/x-www-form-urlencoded',
}

/** The content type that a format of its own sets. */
export const typeOf = (format: BodyFormat): string | undefined => TYPES[format]

export async function bodyOf(body: Value | undefined, format: BodyFormat, controller: Controller): Promise<Body | undefined> {
  if (format === 'form-multipart') return multipart(body, controller)
  const text = (t: string, type: string | undefined): Body => ({ bytes: new TextEncoder().encode(t), type })
  // what is no text is made one, also nothing
  if (body === undefined || body === null) return format === 'json' ? text('null', typeOf(format)) : undefined
  if (format === 'json') return text(typeof body === 'string' ? body : pythonJson(body), typeOf(format))
  if (format === 'form-urlencoded') return text(typeof body === 'string' ? body : urlencoded(body), typeOf(format))
  return text(body instanceof Map || Array.isArray(body) ? pythonJson(body) : asText(body), undefined)
}

function urlencoded(body: Value): string {
  const pairs = body instanceof Map ? [...body] : Array.isArray(body) ? body.map(pairOf) : undefined
  if (!pairs) throw new ModuleFailure('failed to parse body as form_urlencoded: it must be a mapping or a list of pairs', { elapsed: 0 })
  const code = (text: string): string =>
    encodeURIComponent(text)
      .replace(/%20/g, '+')
      .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return pairs
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((v) => `${code(asText(key))}=${code(asText(v))}`))
    .join('&')
}

function pairOf(pair: Value): [Value, Value] {
  if (Array.isArray(pair) && pair.length === 2) return [pair[0]!, pair[1]!]
  throw new ModuleFailure('failed to parse body as form_urlencoded: a list must hold pairs', { elapsed: 0 })
}

async function multipart(body: Value | undefined, controller: Controller): Promise<Body> {
  if (!(body instanceof Map)) throw new ModuleFailure('failed to parse body as form-multipart: it must be a mapping')
  const boundary = `==============${Date.now()}${Math.random().toString().slice(2, 12)}==`
  const parts: Uint8Array[] = []
  for (const [name, value] of body as Dict) {
    const { head, content } = await partOf(asText(name), value, controller)
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { bytes: new Uint8Array(Buffer.concat(parts)), type: `multipart/form-data; boundary="${boundary}"` }
}

async function partOf(name: string, value: Value, controller: Controller): Promise<{ head: string; content: Uint8Array }> {
  if (!(value instanceof Map))
    return { head: `Content-Disposition: form-data; name="${name}"`, content: new TextEncoder().encode(asText(value)) }
  const file = value.get('filename')
  const given = value.get('content')
  const type = asText(value.get('mime_type') ?? (file ? 'application/octet-stream' : 'text/plain'))
  const content =
    given !== undefined && given !== null
      ? new TextEncoder().encode(asText(given))
      : file
        ? await readLocal(controller, findLocal(controller, 'files', asText(file)))
        : new Uint8Array()
  const named = file ? `; filename="${nameOf(asText(file))}"` : ''
  return { head: `Content-Disposition: form-data; name="${name}"${named}\r\nContent-Type: ${type}`, content }
}
