/** get_url: lets the host download a file and put it in its place. */
import type { JsonObject } from '../base/index.ts'
import { bool, fallback, int, path, required, str } from '../params/index.ts'
import { type Algorithm, type Missing, type Stat, sh, statProbe, textOf } from '../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { askAll } from './files/ask.ts'
import { type AttributeArgs, attributeParams, attributeSteps, newborn, type Wanted, wantedProbe } from './files/attributes.ts'
import { pathInfo } from './files/info.ts'
import { attributeChange, installChange, nameOf, parentOf, readInstalled } from './files/install.ts'
import { messageOf } from './http/answer.ts'
import { lookAtServer } from './http/ask-server.ts'
import { download } from './http/download.ts'
import { requestOf, type UrlArgs, urlParams } from './http/params.ts'
import { bodyText, type Request, type Response, urlName } from './http/request.ts'

export default defineModule({
  name: 'ansible.builtin.get_url',
  summary: 'Lets the host download a file.',
  params: {
    ...attributeParams,
    ...urlParams,
    url: required(str()),
    dest: required(path()),
    url_username: str({ aliases: ['username'] }),
    url_password: str({ aliases: ['password'], noLog: true }),
    force: fallback(bool({ aliases: ['thirsty'] }), false),
    backup: fallback(bool(), false),
    checksum: fallback(str(), ''),
    timeout: fallback(int(), 10),
    tmp_dest: path(),
  },
  async *run(args, host) {
    const found = await lookAt(args, host)
    const base: JsonObject = { changed: false, checksum_dest: null, checksum_src: null, dest: args.dest, elapsed: 0, url: args.url }
    const folder = found.dest.exists && found.dest.kind === 'directory'
    const sum = await wantedSum(args, { ...base, ...pathInfo(found.dest) }, host)
    const fits = sum !== undefined && found.sums[sum.algorithm] === sum.value
    if (!folder && found.dest.exists && !args.force && fits) return yield* already(args, base, found.dest, found.wanted)
    const request = conditional(requestOf(args, args.timeout), found.dest, args.force || (sum !== undefined && !fits) || folder)
    return host.check
      ? await foretell(args, base, request, folder, host)
      : yield* obtain(args, base, request, { ...found, folder, sum }, host)
  },
})

interface GetArgs extends AttributeArgs, UrlArgs {
  readonly dest: string
  readonly force: boolean
  readonly backup: boolean
  readonly checksum: string
  readonly timeout: number
  readonly tmp_dest?: string | undefined
  readonly unsafe_writes?: boolean | undefined
}

interface Sum {
  readonly algorithm: Algorithm
  readonly value: string
}

interface Found {
  readonly dest: Stat | Missing
  readonly wanted: Wanted
  readonly sums: Readonly<Record<string, string | undefined>>
}

const ALGORITHMS: readonly Algorithm[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']

async function lookAt(args: GetArgs, host: Host): Promise<Found> {
  const algorithm = ALGORITHMS.find((a) => args.checksum.startsWith(`${a}:`))
  const { dest, plain, wanted } = await askAll(host, {
    dest: statProbe(args.dest, { follow: true, checksum: 'sha1' }),
    plain: statProbe(args.dest, { follow: true, checksum: algorithm ?? 'sha1' }),
    wanted: wantedProbe(args, { self: true }),
  })
  return { dest, wanted, sums: { [algorithm ?? 'sha1']: plain.exists ? plain.checksum : undefined } }
}

/** The checksum that is asked for; it may stand in a file of its own on the web. */
async function wantedSum(args: GetArgs, base: JsonObject, host: Host): Promise<Sum | undefined> {
  if (args.checksum === '') return undefined
  const at = args.checksum.indexOf(':')
  if (at === -1) throw new ModuleFailure('The checksum parameter has to be in format <algorithm>:<checksum>', base)
  const algorithm = ALGORITHMS.find((a) => a === args.checksum.slice(0, at))
  if (!algorithm) throw new ModuleFailure(`Could not hash file '${args.dest}' with algorithm '${args.checksum.slice(0, at)}'`, base)
  const given = args.checksum.slice(at + 1)
  const value = (/^(https?|ftp|file):/.test(given) ? await sumFromWeb(args, given, host) : given).replace(/\W+/g, '').toLowerCase()
  if (!/^[0-9a-f]+$/.test(value)) throw new ModuleFailure('The checksum format is invalid', base)
  return { algorithm, value }
}

async function sumFromWeb(args: GetArgs, url: string, host: Host): Promise<string> {
  const name = urlName(args.url)
  const lines = (await textFrom(args, url, host)).split('\n').filter((l) => l.trim() !== '')
  if (lines.length === 1 && !/\s/.test(lines[0]!.trim())) return lines[0]!.trim()
  for (const line of lines) {
    const match = /^(\S+) [ *]?(?:\.\/)*(.*)$/.exec(line.trim())
    if (match && match[2]!.trim() === name) return match[1]!
  }
  throw new ModuleFailure(`Unable to find a checksum for file '${name}' in '${url}'`)
}

async function textFrom(args: GetArgs, url: string, host: Host): Promise<string> {
  if (isFile(url)) {
    const told = await host.look(sh`cat -- ${decodeURIComponent(new URL(url).pathname)}`, { onFailure: 'tell' })
    if (told.code !== 0) throw new ModuleFailure(textOf(told.stderr).trim(), { url: args.url, dest: args.dest })
    return textOf(told.stdout)
  }
  const response = await lookAtServer({ ...requestOf(args, args.timeout), url }, host)
  if (response.status !== 200) throw requestFailed(args, response)
  return bodyText(response)
}

async function* already(args: GetArgs, base: JsonObject, now: Stat, wanted: Wanted): AsyncGenerator<Change, Result, Done> {
  const steps = attributeSteps(now, wanted, args.dest)
  if (steps.length === 0) return { ...base, msg: 'file already exists', ...pathInfo(now) }
  const done = yield attributeChange(args.dest, steps)
  return {
    ...base,
    changed: true,
    msg: 'file already exists but file attributes changed',
    ...pathInfo(done ? readInstalled(done, args.dest).stat : now),
  }
}

/** Asks only for what is newer than what is there, unless the file is wanted anyway. */
function conditional(request: Request, dest: Stat | Missing, anyway: boolean): Request {
  if (anyway || !dest.exists) return anyway ? { ...request, headers: [...request.headers, ['Cache-Control', 'no-cache']] } : request
  return { ...request, headers: [...request.headers, ['If-Modified-Since', new Date(dest.modified * 1000).toUTCString()]] }
}

/** Check mode asks for the head alone. */
async function foretell(args: GetArgs, base: JsonObject, request: Request, folder: boolean, host: Host): Promise<Result> {
  const response = await lookAtServer({ ...request, method: 'HEAD' }, host)
  if (response.status === 304) return { ...base, msg: messageOf(response), status_code: 304 }
  if (response.status !== 200 && !(isFile(args.url) && response.code === 0)) throw requestFailed(args, response)
  const dest = folder ? `${args.dest.replace(/\/+$/, '')}/${nameFrom(response)}` : args.dest
  const { now, parent, temporary } = await askAll(host, {
    now: statProbe(dest, { follow: true, checksum: 'sha1' }),
    parent: statProbe(folderOf(dest), { follow: true }),
    temporary: statProbe(args.tmp_dest ?? '/', { follow: true }),
  })
  if (!temporary.exists || temporary.kind !== 'directory') throw noTemporary(args)
  const told = { ...base, dest, checksum_src: EMPTY_SHA1, checksum_dest: now.exists ? (now.checksum ?? null) : null }
  if (!now.exists && !parent.exists) throw new ModuleFailure(`Destination ${folderOf(dest)} does not exist`, told)
  return { ...told, changed: told.checksum_dest !== EMPTY_SHA1, msg: messageOf(response), ...pathInfo(now) }
}

/** Of the body that the answer to HEAD has. */
const EMPTY_SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'

/** As Python splits a path: what ends with a slash lies in what stands before it. */
const folderOf = (dest: string): string => (dest.endsWith('/') ? dest.replace(/(?<=.)\/+$/, '') : parentOf(dest))

const noTemporary = ({ tmp_dest }: GetArgs): ModuleFailure => new ModuleFailure(`${tmp_dest} directory does not exist.`)

const isFile = (url: string): boolean => /^file:/.test(url)

async function* obtain(
  args: GetArgs,
  base: JsonObject,
  request: Request,
  found: Found & { folder: boolean; sum: Sum | undefined },
  host: Host,
): AsyncGenerator<Change, Result, Done> {
  const started = host.now()
  const fetched = yield* download(request, args.tmp_dest, found.sum?.algorithm ?? 'sha1')
  if (!fetched) return { ...base, changed: true }
  const { response, temporary, sha1, md5, sum, size } = fetched
  const elapsed = Math.floor((host.now().getTime() - started.getTime()) / 1000)
  const remove: Change = { what: 'cleanup', script: sh`rm -f -- ${temporary}`, counts: false }
  if (response.status === 304) {
    yield remove
    return { url: args.url, dest: args.dest, changed: false, msg: messageOf(response), status_code: 304, elapsed, ...pathInfo(found.dest) }
  }
  const copied = response.status !== 200 && isFile(args.url) && response.code === 0
  if (response.status !== 200 && !copied) {
    yield remove
    throw requestFailed(args, response, elapsed)
  }
  const dest = found.folder ? `${args.dest.replace(/\/+$/, '')}/${nameFrom(response)}` : args.dest
  const told: JsonObject = {
    ...base,
    dest,
    elapsed,
    src: temporary,
    checksum_src: sha1,
    msg: copied ? `OK (${size} bytes)` : messageOf(response),
  }
  const { now, parent } = await askAll(host, {
    now: statProbe(dest, { follow: true, checksum: 'sha1' }),
    parent: statProbe(folderOf(dest), { follow: true }),
  })
  const checksum_dest = now.exists ? (now.checksum ?? null) : null
  const wrong = !parent.exists
    ? `Destination ${folderOf(dest)} does not exist`
    : found.sum && sum !== found.sum.value
      ? `The checksum for ${temporary} did not match ${found.sum.value}; it was ${sum}.`
      : undefined
  if (wrong !== undefined) {
    yield remove
    throw new ModuleFailure(wrong, { ...told, checksum_dest, ...pathInfo(now) })
  }
  const result = { ...told, md5sum: md5, status_code: copied ? null : response.status, checksum_dest }
  const steps = attributeSteps(now.exists ? now : newborn('file', found.wanted.self!), found.wanted, dest, !now.exists)
  if (now.exists && now.checksum === sha1) {
    yield remove
    if (steps.length === 0) return { ...result, changed: false, ...pathInfo(now) }
    const done = yield attributeChange(dest, steps)
    return { ...result, changed: true, ...pathInfo(done ? readInstalled(done, dest).stat : now) }
  }
  const install = installChange({
    path: dest,
    now,
    content: { remotePath: temporary },
    steps,
    backup: args.backup,
    unsafeWrites: args.unsafe_writes,
  })
  const done = yield {
    ...install,
    script: sh`(
${install.script}
); r=$?; rm -f -- ${temporary}; exit $r`,
  }
  if (!done) return { ...result, changed: true }
  const installed = readInstalled(done, dest)
  return { ...result, changed: true, ...(installed.backup === '' ? {} : { backup_file: installed.backup }), ...pathInfo(installed.stat) }
}

function requestFailed(args: GetArgs, response: Response, elapsed = 0): ModuleFailure {
  if (response.status === -1) return new ModuleFailure(messageOf(response), { url: args.url, dest: args.dest, elapsed })
  return new ModuleFailure('Request failed', {
    status_code: response.status,
    response: messageOf(response),
    url: args.url,
    dest: args.dest,
    elapsed,
  })
}

function nameFrom(response: Response): string {
  const told = /attachment; ?filename="?([^"]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return told ? nameOf(told) : urlName(response.url)
}
