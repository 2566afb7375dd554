/** uri: asks a web server from the host. */
import type { JsonObject } from '../base/index.ts'
import { bool, choice, fallback, int, list, path, raw, required, str } from '../params/index.ts'
import { sh, statProbe } from '../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { askAll } from './files/ask.ts'
import { type AttributeArgs, attributeParams, attributeSteps, newborn, wantedProbe } from './files/attributes.ts'
import { digestsOf } from './files/digest.ts'
import { pathInfo } from './files/info.ts'
import { attributeChange, installChange, nameOf, readInstalled } from './files/install.ts'
import { findLocal, readLocal } from './files/local.ts'
import { answerFields, isError, saysJson } from './http/answer.ts'
import { askServer } from './http/ask-server.ts'
import { type Body, type BodyFormat, bodyOf, typeOf } from './http/body.ts'
import { requestOf, urlParams } from './http/params.ts'
import { bodyText, type Request, type Response, urlName } from './http/request.ts'

const params = {
  ...attributeParams,
  ...urlParams,
  url: required(str()),
  url_username: str({ aliases: ['user'] }),
  url_password: str({ aliases: ['password'], noLog: true }),
  force: fallback(bool(), false),
  dest: path(),
  body: raw(),
  body_format: choice(['form-urlencoded', 'json', 'raw', 'form-multipart'], 'raw'),
  src: path(),
  method: fallback(str(), 'GET'),
  return_content: fallback(bool(), false),
  follow_redirects: choice(['all', 'no', 'none', 'safe', 'urllib2', 'yes'], 'safe'),
  creates: path(),
  removes: path(),
  status_code: fallback(list<number>('int'), [200]),
  timeout: fallback(int(), 30),
  unix_socket: path(),
  remote_src: fallback(bool(), false),
  ca_path: path(),
} as const

export default defineModule({
  name: 'ansible.builtin.uri',
  summary: 'Asks a web server from the host.',
  checkMode: false,
  checkWords: 'This action (%s) does not support check mode.',
  params,
  rules: { mutuallyExclusive: [['body', 'src']] },
  async *run(args, host) {
    const method = args.method.toUpperCase()
    if (!/^[A-Z]+$/.test(method)) throw new ModuleFailure("Parameter 'method' needs to be a single word in uppercase, like GET or POST.")
    const there = await askAll(host, {
      creates: statProbe(args.creates ?? '/', { follow: true }),
      removes: statProbe(args.removes ?? '/', { follow: true }),
    })
    if (args.creates !== undefined && there.creates.exists) return { stdout: `skipped, since '${args.creates}' exists`, changed: false }
    if (args.removes !== undefined && !there.removes.exists)
      return { stdout: `skipped, since '${args.removes}' does not exist`, changed: false }
    const body =
      args.src !== undefined && !args.remote_src
        ? await localBody(args.src, typeOf(args.body_format as BodyFormat), host)
        : await bodyOf(args.body, args.body_format as BodyFormat, host.controller)
    const plain = requestOf(args, args.timeout)
    const type = body === undefined && args.src !== undefined ? typeOf(args.body_format as BodyFormat) : body?.type
    const typed =
      type !== undefined && (args.body_format === 'form-multipart' || !plain.headers.some(([n]) => n.toLowerCase() === 'content-type'))
    const headers = typed
      ? [...plain.headers.filter(([n]) => n.toLowerCase() !== 'content-type'), ['Content-Type', type] as const]
      : plain.headers
    const remote = args.src !== undefined && args.remote_src ? await remoteBody(args.src, host) : undefined
    const request: Request = {
      ...plain,
      method,
      headers,
      bodySize: remote ?? body?.bytes.length,
      follow: follows(args.follow_redirects, method),
      authorities: args.ca_path,
      unixSocket: args.unix_socket,
    }
    const started = host.now()
    const response = yield* askServer(request, body?.bytes, remote === undefined ? undefined : sh`set -- ${args.src!}`)
    if (!response) return { changed: false }
    const elapsed = Math.floor((host.now().getTime() - started.getTime()) / 1000)
    return yield* told(args, request, response, elapsed, host)
  },
})

const follows = (policy: string, method: string): boolean =>
  policy === 'all' ||
  policy === 'yes' ||
  ((policy === 'safe' || policy === 'urllib2') && (method === 'GET' || method === 'HEAD' || policy === 'urllib2'))

async function localBody(src: string, type: string | undefined, host: Host): Promise<Body> {
  return { bytes: await readLocal(host.controller, findLocal(host.controller, 'files', src)), type }
}

async function remoteBody(src: string, host: Host): Promise<number> {
  const { stat } = await askAll(host, { stat: statProbe(src, { follow: true }) })
  if (!stat.exists) throw new ModuleFailure(`Unable to open source file ${src}`, { elapsed: 0 })
  return stat.size
}

interface UriArgs extends AttributeArgs {
  readonly url: string
  readonly dest?: string | undefined
  readonly return_content: boolean
  readonly status_code: readonly number[]
  readonly unsafe_writes?: boolean | undefined
}

async function* told(
  args: UriArgs,
  request: Request,
  response: Response,
  elapsed: number,
  host: Host,
): AsyncGenerator<Change, Result, Done> {
  const good = args.status_code.includes(response.status)
  const fields: Record<string, JsonObject[string]> = {
    redirected: response.url !== args.url && response.status !== -1,
    ...answerFields(response),
    elapsed,
    changed: false,
  }
  if (response.status === -1) fields['url'] = args.url
  if (response.headers.has('location')) fields['location'] = new URL(response.headers.get('location')!, request.url).href
  if (args.dest !== undefined && response.status !== -1) {
    if (good && response.status !== 304) Object.assign(fields, yield* save(args, args.dest, response, host))
    else fields['path'] = await placeIn(args.dest, response, host)
  }
  if (saysJson(response)) Object.assign(fields, jsonOf(response))
  if (args.return_content) fields['content'] = bodyText(response)
  else if (good && isError(response) && !saysJson(response)) fields['body'] = bodyText(response)
  if (good) return fields as Result
  const wanted = `[${args.status_code.join(', ')}]`
  throw new ModuleFailure(`Status code was ${response.status} and not ${wanted}: ${String(fields['msg'])}`, fields)
}

function jsonOf(response: Response): JsonObject {
  try {
    return { json: JSON.parse(bodyText(response)) as never }
  } catch {
    return {}
  }
}

/** The path itself, or in a folder the name that the answer has. */
async function placeIn(dest: string, response: Response, host: Host): Promise<string> {
  const first = await askAll(host, { dest: statProbe(dest, { follow: true }) })
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? urlName(response.url)
  return first.dest.exists && first.dest.kind === 'directory' ? `${dest.replace(/\/+$/, '')}/${nameOf(name)}` : dest
}

/** Puts the body where dest says, and only where it differs. */
async function* save(args: UriArgs, dest: string, response: Response, host: Host): AsyncGenerator<Change, JsonObject, Done> {
  const path = await placeIn(dest, response, host)
  const { now, wanted } = await askAll(host, {
    now: statProbe(path, { follow: true, checksum: 'sha1' }),
    wanted: wantedProbe(args, { self: true }),
  })
  const steps = attributeSteps(now.exists ? now : newborn('file', wanted.self!), wanted, path, !now.exists)
  if (now.exists && now.checksum === digestsOf(response.body).sha1) {
    if (steps.length === 0) return { changed: true, path, ...pathInfo(now) }
    const done = yield attributeChange(path, steps)
    return { changed: true, path, ...pathInfo(done ? readInstalled(done, path).stat : now) }
  }
  const done = yield installChange({ path, now, content: response.body, steps, unsafeWrites: args.unsafe_writes })
  return { changed: true, path, ...(done ? pathInfo(readInstalled(done, path).stat) : {}) }
}
