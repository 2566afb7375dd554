/** The parameters that all modules which ask web servers share, and the request that they make. */
import type { Dict } from '../../base/index.ts'
import { asText, bool, dict, fallback, list, path, str } from '../../params/index.ts'
import type { Request } from './request.ts'

export const urlParams = {
  url_username: str(),
  url_password: str({ noLog: true }),
  force_basic_auth: fallback(bool(), false),
  headers: dict(),
  http_agent: fallback(str(), 'ansible-httpget'),
  use_proxy: fallback(bool(), true),
  validate_certs: fallback(bool(), true),
  client_cert: path(),
  client_key: path(),
  unredirected_headers: list('str'),
  use_gssapi: fallback(bool(), false),
  use_netrc: fallback(bool(), true),
  decompress: fallback(bool(), true),
  ciphers: list('str'),
} as const

export interface UrlArgs {
  readonly url: string
  readonly url_username?: string | undefined
  readonly url_password?: string | undefined
  readonly force_basic_auth: boolean
  readonly headers?: Dict | undefined
  readonly http_agent: string
  readonly use_proxy: boolean
  readonly validate_certs: boolean
  readonly client_cert?: string | undefined
  readonly client_key?: string | undefined
}

/** The plain request of the arguments: a GET that follows redirects. */
export function requestOf(args: UrlArgs, timeoutSeconds: number): Request {
  const inUrl = /^[a-z]+:\/\/([^@/:]*)(?::([^@/]*))?@/i.exec(args.url)
  const url = inUrl ? args.url.replace(/^([a-z]+:\/\/)[^@/]*@/i, '$1') : args.url
  return {
    url,
    method: 'GET',
    headers: [...(args.headers ?? [])].map(([name, value]) => [asText(name), asText(value)]),
    bodySize: undefined,
    follow: true,
    timeoutSeconds,
    user: args.url_username ?? (inUrl ? decodeURIComponent(inUrl[1]!) : undefined),
    password: args.url_password ?? (inUrl?.[2] === undefined ? undefined : decodeURIComponent(inUrl[2])),
    basicAtOnce: args.force_basic_auth,
    checkCertificates: args.validate_certs,
    clientCertificate: args.client_cert,
    clientKey: args.client_key,
    authorities: undefined,
    useProxy: args.use_proxy,
    agent: args.http_agent,
    unixSocket: undefined,
  }
}
