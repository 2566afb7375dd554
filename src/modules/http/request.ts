/** What is to be asked of a web server, and what came back. */
import { type Fields, textOf } from '../../remote/index.ts'

export interface Request {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  /** how many bytes the body has, which is the first upload; undefined: no body */
  readonly bodySize: number | undefined
  readonly follow: boolean
  readonly timeoutSeconds: number
  readonly user: string | undefined
  readonly password: string | undefined
  /** sends the password at once, without being asked for it */
  readonly basicAtOnce: boolean
  readonly checkCertificates: boolean
  readonly clientCertificate: string | undefined
  readonly clientKey: string | undefined
  readonly authorities: string | undefined
  readonly useProxy: boolean
  readonly agent: string
  readonly unixSocket: string | undefined
}

export interface Response {
  /** -1: nobody answered */
  readonly status: number
  /** the words behind the status */
  readonly reason: string
  /** where redirects led */
  readonly url: string
  /** names in small letters, several of one name joined */
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyMap<string, string>
  readonly body: Uint8Array
  /** what the tool said about a failure */
  readonly trouble: string
  /** how the client that asked ended, where nobody spoke HTTP */
  readonly code?: number
}

/** Reads what the scripts of client.ts print: the tool's exit code, the final URL, its complaints, the heads, the body. */
export function readResponse(fields: Fields, request: Request): Response {
  const code = fields.number() ?? 1
  const told = fields.text()
  const trouble = fields.text().trim()
  const heads = headsOf(fields.text())
  const body = fields.rest().slice()
  const head = heads.at(-1)
  const first = STATUS_LINE.exec(head?.[0] ?? '')
  if (!head || !first) return { ...NOBODY, url: request.url, trouble: trouble || `exit code ${code}`, code }
  const { headers, cookies } = headersOf(head.slice(1))
  const url = told || redirected(request.url, heads.slice(0, -1))
  return { status: Number(first[1]), reason: (first[2] ?? '').trim(), url, headers, cookies, body, trouble }
}

/** What is to be asked next where the client that asked follows no redirects; only curl, wget and Python do. */
export function redirectOf(request: Request, { status, headers, trouble }: Response, followed: number): Request | undefined {
  const location = headers.get('location')
  if (!request.follow || trouble !== '' || location === undefined || followed >= 30 || ![301, 302, 303, 307, 308].includes(status))
    return undefined
  const url = new URL(location, request.url).href
  return status > 303 || request.method === 'HEAD' ? { ...request, url } : { ...request, url, method: 'GET', bodySize: undefined }
}

const STATUS_LINE = /^HTTP\/[\d.]+ (\d{3})(?: (.*))?$/

const NOBODY: Response = { status: -1, reason: '', url: '', headers: new Map(), cookies: new Map(), body: new Uint8Array(), trouble: '' }

/** With redirects, and with 100 Continue, several heads come one after the other. */
function headsOf(text: string): string[][] {
  const heads = text.split(/\r?\n\s*\r?\n/).map((head) =>
    head
      .trim()
      .split(/\r?\n/)
      .map((line) => line.trim()),
  )
  return heads.filter((head) => STATUS_LINE.test(head[0] ?? ''))
}

/** Where the redirects of the first heads lead. */
function redirected(url: string, heads: readonly (readonly string[])[]): string {
  return heads.reduce((at, head) => {
    const location = headersOf(head.slice(1)).headers.get('location')
    return location === undefined ? at : new URL(location, at).href
  }, url)
}

function headersOf(lines: readonly string[]): { headers: Map<string, string>; cookies: Map<string, string> } {
  const headers = new Map<string, string>()
  const cookies = new Map<string, string>()
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at <= 0) continue
    const name = line.slice(0, at).trim().toLowerCase()
    const value = line.slice(at + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
    const cookie = name === 'set-cookie' ? /^([^=;]+)=([^;]*)/.exec(value) : null
    if (cookie) cookies.set(cookie[1]!.trim(), cookie[2]!.trim())
  }
  return { headers, cookies }
}

export const bodyText = (response: Response): string => textOf(response.body)

/** The name that a file of this address has. */
export const urlName = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .split('/')
    .at(-1) || 'index.html'
