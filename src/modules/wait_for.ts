/** wait_for: waits until a port answers or not, a file is there or gone, or a text shows up. */
import type { JsonObject } from '../base/index.ts'
import { choice, fallback, int, list, path, str } from '../params/index.ts'
import { contentProbe, type Missing, type Stat, statProbe } from '../remote/index.ts'
import type { Found, PyRegex } from '../template/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { ask, askAll } from './files/ask.ts'
import { binary } from './files/edit.ts'
import { pathInfo } from './files/info.ts'
import { bytesPattern } from './files/pattern.ts'
import { connectionsProbe, greetingProbe, portProbe } from './wait/net.ts'

const STATES = ['ESTABLISHED', 'FIN_WAIT1', 'FIN_WAIT2', 'SYN_RECV', 'SYN_SENT', 'TIME_WAIT']

export default defineModule({
  name: 'ansible.builtin.wait_for',
  summary: 'Waits for a port, a file or a text.',
  checkMode: false,
  params: {
    host: fallback(str(), '127.0.0.1'),
    timeout: fallback(int(), 300),
    connect_timeout: fallback(int(), 5),
    delay: fallback(int(), 0),
    port: int(),
    active_connection_states: fallback(list('str'), STATES),
    path: path(),
    search_regex: str(),
    state: choice(['absent', 'drained', 'present', 'started', 'stopped'], 'started'),
    exclude_hosts: list('str'),
    sleep: fallback(int(), 1),
    msg: str(),
  },
  async *run(args, host) {
    const regex = args.search_regex === undefined ? undefined : bytesPattern(args.search_regex, { multiline: true })
    checkTogether(args)
    const started = host.now().getTime()
    const elapsed = (): number => Math.floor((host.now().getTime() - started) / 1000)
    const end = started + args.timeout * 1000
    if (args.delay > 0) await host.sleep(args.delay)
    let groups: JsonObject = { match_groups: [], match_groupdict: {} }
    if (args.port === undefined && args.path === undefined && args.state !== 'drained') await host.sleep(args.timeout)
    else {
      for (;;) {
        if (host.now().getTime() >= end) throw new ModuleFailure(args.msg ?? timeoutMessage(args), { elapsed: elapsed() })
        const seen = await look(args, regex, (end - host.now().getTime()) / 1000, host, elapsed)
        if (seen) {
          groups = seen
          break
        }
        await host.sleep(args.sleep)
      }
    }
    const { state, port, search_regex, path: file } = args
    return {
      changed: false,
      state,
      port: port ?? null,
      search_regex: search_regex ?? null,
      path: file ?? null,
      elapsed: elapsed(),
      ...groups,
    }
  },
})

interface WaitArgs {
  readonly host: string
  readonly port?: number | undefined
  readonly path?: string | undefined
  readonly search_regex?: string | undefined
  readonly state: 'absent' | 'drained' | 'present' | 'started' | 'stopped'
  readonly connect_timeout: number
  readonly active_connection_states: readonly string[]
  readonly exclude_hosts?: readonly string[] | undefined
}

function checkTogether(args: WaitArgs): void {
  const wrong = (msg: string): ModuleFailure => new ModuleFailure(msg, { elapsed: 0 })
  if (args.port !== undefined && args.path !== undefined) throw wrong('port and path parameter can not both be passed to wait_for')
  if (args.path !== undefined && (args.state === 'stopped' || args.state === 'drained'))
    throw wrong(`state=${args.state} should only be used for checking a port in the wait_for module`)
  if (args.exclude_hosts !== undefined && args.state !== 'drained') throw wrong('exclude_hosts should only be with state=drained')
}

function timeoutMessage(args: WaitArgs): string {
  const { host, port, path: file, search_regex: regex, state } = args
  if (state === 'drained') return `Timeout when waiting for ${host}:${port} to drain`
  if (state === 'absent' || state === 'stopped')
    return port !== undefined ? `Timeout when waiting for ${host}:${port} to stop.` : `Timeout when waiting for ${file} to be absent.`
  const text = regex === undefined ? '' : `search string ${regex} in `
  return port !== undefined
    ? `Timeout when waiting for ${text}${host}:${port}`
    : `Timeout when waiting for ${regex === undefined ? 'file ' : text}${file}`
}

const NO_GROUPS: JsonObject = { match_groups: [], match_groupdict: {} }

/** What was found, and what results tell about a path; its state takes the place of the one that was waited for. */
const withInfo = (groups: JsonObject | undefined, stat: Stat | Missing): JsonObject | undefined =>
  groups && { ...groups, ...pathInfo(stat) }

/** One look; what it found where the waiting is over. */
async function look(
  args: WaitArgs,
  regex: PyRegex | undefined,
  left: number,
  host: Host,
  elapsed: () => number,
): Promise<JsonObject | undefined> {
  if (args.state === 'drained') return (await ask(host, connectionsProbe(args))) === 0 ? NO_GROUPS : undefined
  const gone = args.state === 'absent' || args.state === 'stopped'
  if (args.path !== undefined) {
    const { stat, content } = await askAll(host, {
      stat: statProbe(args.path, { follow: true }),
      content: contentProbe(regex && !gone ? args.path : '/dev/null'),
    })
    if (gone) return stat.exists ? undefined : NO_GROUPS
    if (!stat.exists && stat.why !== 'absent') throw new ModuleFailure(`Failed to stat ${args.path}`, { elapsed: elapsed() })
    if (!stat.exists) return undefined
    return withInfo(regex ? groupsOf(regex, regex.search(binary(content))) : NO_GROUPS, stat)
  }
  const seconds = Math.max(1, Math.min(args.connect_timeout, Math.ceil(left)))
  if (regex && !gone)
    return groupsless(regex.search(binary(await ask(host, greetingProbe(args.host, args.port!, seconds, Math.max(1, Math.ceil(left)))))))
  const open = await ask(host, portProbe(args.host, args.port!, seconds))
  return open === gone ? undefined : NO_GROUPS
}

/** Texts from ports tell no groups. */
const groupsless = (found: Found | undefined): JsonObject | undefined => (found ? NO_GROUPS : undefined)

function groupsOf(regex: PyRegex, found: Found | undefined): JsonObject | undefined {
  if (!found) return undefined
  const text = (group: string | undefined): string | null => (group === undefined ? null : Buffer.from(group, 'latin1').toString('utf8'))
  const named = Object.fromEntries([...regex.names].map(([name, number]) => [name, text(found.groups[number - 1])]))
  return { match_groups: found.groups.map(text), match_groupdict: named }
}
