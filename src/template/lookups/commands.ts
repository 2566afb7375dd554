/** Lookups that run something on the controller: a command, a request. */
import { execFileSync, spawnSync } from 'node:child_process'
import type { Value } from '../../base/index.ts'
import { fromBytes } from '../filters/bytes.ts'
import { method } from '../filters/define.ts'
import { isMapping, str, toList } from '../python/index.ts'
import type { CallContext } from '../registry.ts'
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

/** Asks another Node for the page, since templates are evaluated without waiting. */
const FETCH = `
const asked = JSON.parse(process.argv[1])
if (!asked.verify) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
try {
  const response = await fetch(asked.url, { headers: asked.headers, redirect: asked.follow ? 'follow' : 'manual', signal: AbortSignal.timeout(asked.timeout) })
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  process.stdout.write(JSON.stringify({ status: response.status, reason: response.statusText, body }))
} catch (error) {
  process.stdout.write(JSON.stringify({ failure: String(error.cause?.message ?? error.message) }))
}
`

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
  const told: { status?: number; reason?: string; body?: string; failure?: string } = JSON.parse(
    execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', FETCH, JSON.stringify(asked)], {
      maxBuffer: MOST_OUTPUT,
    }).toString(),
  )
  if (told.failure !== undefined) throw pluginError(`Failed lookup url for ${url} : <urlopen error ${told.failure}>`)
  if (told.status! >= 400) throw pluginError(`Received HTTP error for ${url} : HTTP Error ${told.status}: ${told.reason}`)
  return fromBytes(Buffer.from(told.body!, 'base64'))
}
