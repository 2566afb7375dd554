/** add_host: adds a host to the inventory of the run. */
import { type Json, record, type Value } from '../base/index.ts'
import { asText, list, required, str } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { inResult } from './files/values.ts'

const NAMES = ['name', 'hostname', 'host']
const GROUPS = ['groupname', 'groups', 'group']
/** What never becomes a variable of the host. */
const SPECIAL = new Set(['name', 'hostname', 'groupname', 'groups'])

export default defineModule({
  name: 'ansible.builtin.add_host',
  takesAsync: false,
  summary: 'Adds a host to the inventory of the run.',
  controllerOnly: true,
  bypassHostLoop: true,
  openArgs: true,
  told: {
    name: required(str({ aliases: ['hostname', 'host'], description: 'name of the host, with a port where it has one' })),
    groups: list('str', { aliases: ['group', 'groupname'], description: 'groups it becomes a member of' }),
  },
  params: {},
  async *run(_args, host) {
    const given = host.task.rawArgs
    const raw = given.get('_raw_params')
    const args = new Map<string, Value>([...(raw instanceof Map ? [...raw].map(([k, v]) => [asText(k), v] as const) : []), ...given])
    args.delete('_raw_params')
    const name = first(args, NAMES)
    if (name === undefined || name === null) throw new ModuleFailure('name, host or hostname needs to be provided')
    const [address, port] = addressOf(asText(name))
    if (port !== undefined) args.set('ansible_ssh_port', port)
    const vars: Record<string, Json> = record()
    for (const [key, value] of args) if (!SPECIAL.has(key)) vars[key] = inResult(value)
    return { changed: false, add_host: { host_name: address, groups: groupsOf(first(args, GROUPS)), host_vars: vars } }
  },
})

function first(args: ReadonlyMap<string, Value>, names: readonly string[]): Value | undefined {
  const name = names.find((n) => args.has(n))
  return name === undefined ? undefined : args.get(name)
}

function groupsOf(given: Value | undefined): string[] {
  if (given === undefined || given === null || given === '') return []
  if (typeof given !== 'string' && !Array.isArray(given)) throw new ModuleFailure('Groups must be specified as a list.')
  const names = typeof given === 'string' ? given.split(',') : given.map(asText)
  return [...new Set(names.map((n) => n.trim()))]
}

/** `host:22`, `[v6]:22` or a bare name. */
function addressOf(name: string): [string, number | undefined] {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(name)
  return match ? [(match[1] ?? match[2])!, match[3] === undefined ? undefined : Number(match[3])] : [name, undefined]
}
