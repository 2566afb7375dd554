/** Turns a response into the members of a result, as uri and get_url have them. */
import { type Json, type JsonObject, record } from '../../base/index.ts'
import type { Response } from './request.ts'

/** `OK (12 bytes)`, `HTTP Error 404: Not Found` or why nobody answered. */
export function messageOf(response: Response): string {
  if (response.status === -1) return `Request failed: ${response.trouble}`
  if (response.status >= 300) return `HTTP Error ${response.status}: ${response.reason || reasonOf(response.status)}`
  return `OK (${response.headers.get('content-length') ?? 'unknown'} bytes)`
}

/** Any answer but a success, once redirections have been followed: what is told of it is less. */
export const isError = ({ status }: Response): boolean => status < 200 || status >= 300

/** Status, address, message, cookies, and every header under a name that can be a variable. */
export function answerFields(response: Response): JsonObject {
  if (response.status === -1) return { status: -1, url: response.url, msg: messageOf(response) }
  const headers: Record<string, Json> = record()
  for (const [name, value] of response.headers) headers[name.replaceAll('-', '_')] = value
  const cookies = {
    cookies: Object.fromEntries(response.cookies),
    cookies_string: [...response.cookies].map(([k, v]) => `${k}=${v}`).join('; '),
  }
  return {
    ...headers,
    ...(isError(response) ? {} : cookies),
    status: response.status,
    url: response.url,
    msg: messageOf(response),
  }
}

/** HTTP/2 sends no words; these are the ones of HTTP/1.1. */
const REASONS: Readonly<Record<number, string>> = {
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const reasonOf = (status: number): string => REASONS[status] ?? ''

/** Does the content type promise JSON? */
export function saysJson(response: Response): boolean {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  const subtype = type.split('/')[1] ?? ''
  return ['json', 'javascript', 'ecmascript'].includes(subtype.includes('+') ? subtype.split('+').at(-1)! : subtype)
}
