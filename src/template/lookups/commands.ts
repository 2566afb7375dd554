/** Lookups that run something on the controller: a command, a request. */
import { spawnSync } from 'node:child_process'
import type { Value } from '../../base/index.ts'
import { fromBytes } from '../filters/bytes.ts'
import { method } from '../filters/define.ts'
import { isMapping, str, toList } from '../python/index.ts'
import type { CallContext } from '../registry.ts'
import { askInAnotherThread } from './another-thread.ts'
import { baseFolder, environmentOf, type LookupTable, Options, pluginError } from './define.ts'

const MOST_OUTPUT = 512 * 1024 * 1024

export const COMMAND_LOOKUPS: LookupTable = {
  lines: (context, terms) => terms.flatMap((term) => toList(method(output(context, term, 'lines'), 'splitlines'))),
  pipe: (context, terms) => terms.map((term) => method(output(context, term, 'pipe'), 'rstrip')),
  url: (_, terms, kwargs) => {
    const options = new Options(kwargs)
    return terms.flatMap((term) => {
      const body = request(str(term), options)
      return options.flag('split_lines', true) ? toList(method(body, 'splitlines')) : [body]
    })
  },
}

function output(context: CallContext, term: Value, name: string): string {
  const command = str(term)
  const done = spawnSync('/bin/sh', ['-c', command], {
    cwd: baseFolder(context),
    env: { ...environmentOf(context) },
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: MOST_OUTPUT,
  })
  if (done.status !== 0) throw pluginError(`lookup_plugin.${name}(${command}) returned ${done.status ?? -1}`)
  return fromBytes(done.stdout)
}

const FETCH = `
if (!input.verify) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
try {
  const response = await fetch(input.url, { headers: input.headers, redirect: input.follow ? 'follow' : 'manual', signal: AbortSignal.timeout(input.timeout) })
  return { status: response.status, reason: response.statusText, body: new Uint8Array(await response.arrayBuffer()) }
} catch (error) {
  return { failure: String(error.cause?.message ?? error.message) }
}`

function request(url: string, options: Options): string {
  const given = options.value('headers')
  const headers: Record<string, string> = { 'user-agent': options.text('http_agent', 'ansible-httpget') }
  if (isMapping(given)) for (const key of given.keys()) headers[str(key)] = str(given.get(str(key)) ?? null)
  const user = options.text('username', '')
  if (user !== '') headers['authorization'] = `Basic ${Buffer.from(`${user}:${options.text('password', '')}`).toString('base64')}`
  const asked = {
    url,
    headers,
    verify: options.flag('validate_certs', true),
    follow: options.text('follow_redirects', 'urllib2') !== 'none',
    timeout: Number(options.text('timeout', '10')) * 1000,
  }
  const told = askInAnotherThread<{ status?: number; reason?: string; body?: Uint8Array; failure?: string }>(FETCH, asked)
  if (told.failure !== undefined) throw pluginError(`Failed lookup url for ${url} : <urlopen error ${told.failure}>`)
  if (told.status! >= 400) throw pluginError(`Received HTTP error for ${url} : HTTP Error ${told.status}: ${told.reason}`)
  return fromBytes(told.body!)
}
