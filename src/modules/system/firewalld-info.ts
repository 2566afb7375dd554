/** firewalld_info: tells the zones of firewalld and what they let in. */
import { type Json, type JsonObject, record } from '../../base/index.ts'
import { bool, fallback, list } from '../../params/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { askTool } from './tools.ts'

export default defineModule({
  name: 'ansible.posix.firewalld_info',
  summary: 'Tells the zones of firewalld.',
  params: {
    active_zones: fallback(bool({ description: 'only zones that have interfaces or sources' }), false),
    zones: list('str', { description: 'only these zones' }),
  },
  async *run({ active_zones: active, zones: wanted }, host) {
    const version = (await told(host, ['--version'])).trim()
    const defaultZone = (await told(host, ['--get-default-zone'])).trim()
    const all = (await told(host, ['--get-zones'])).split(/\s+/).filter(Boolean)
    const names = active
      ? activeZones(await told(host, ['--get-active-zones']))
      : wanted?.length
        ? all.filter((one) => wanted.includes(one))
        : all
    const unknown = active || !wanted ? [] : wanted.filter((one) => !all.includes(one))
    const zones: Record<string, Json> = record()
    for (const name of names) zones[name] = zoneFacts(await told(host, [`--info-zone=${name}`]))
    const warnings =
      wanted?.length && !active ? [`Please note: zone:(${unknown.join(',')}) have been ignored in the gathering process.`] : []
    return {
      changed: false,
      active_zones: active,
      collected_zones: names,
      undefined_zones: unknown,
      firewalld_info: { version, default_zone: defaultZone, zones },
      warnings,
    }
  },
})

async function told(host: Host, words: readonly string[]): Promise<string> {
  const answer = await askTool(host, ['firewall-cmd', ...words])
  if (answer.rc !== 0)
    throw new ModuleFailure(
      `Unable to gather firewalld settings. You may need to run as the root user or use become. (Error: ${answer.stderr.trim()})`,
    )
  return answer.stdout
}

const activeZones = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => line.split(/\s+/)[0]!)

/** `  services: ssh http`; what is indented further belongs to the line before. */
function zoneFacts(text: string): JsonObject {
  const fields = new Map<string, string[]>()
  let last: string[] = []
  for (const line of text.split('\n').slice(1)) {
    const [, key, value] = /^ {2}([a-z-]+): ?(.*)$/.exec(line) ?? []
    if (key !== undefined) {
      last = value!.trim() === '' ? [] : [value!.trim()]
      fields.set(key, last)
    } else if (line.trim() !== '') last.push(line.trim())
  }
  const text0 = (key: string): string => fields.get(key)?.[0] ?? ''
  const words = (key: string): string[] => (fields.get(key) ?? []).join(' ').split(/\s+/).filter(Boolean)
  const pairs = (key: string): string[][] => words(key).map((one) => one.split('/'))
  const forwards = (fields.get('forward-ports') ?? []).flatMap((line) => line.split(/\s+/)).map(forwardFields)
  return {
    target: text0('target'),
    icmp_block_inversion: text0('icmp-block-inversion') === 'yes',
    interfaces: words('interfaces'),
    sources: words('sources'),
    services: words('services'),
    ports: pairs('ports'),
    protocols: words('protocols'),
    masquerade: text0('masquerade') === 'yes',
    forward_ports: forwards,
    source_ports: pairs('source-ports'),
    icmp_blocks: words('icmp-blocks'),
    rich_rules: fields.get('rich rules') ?? richRules(text),
    ...(fields.has('forward') ? { forward: text0('forward') === 'yes' } : {}),
  }
}

/** [port, protocol, to port, to address] */
function forwardFields(text: string): string[] {
  const fields = new Map(text.split(':').map((one) => one.split('=') as [string, string]))
  return ['port', 'proto', 'toport', 'toaddr'].map((key) => fields.get(key) ?? '')
}

const richRules = (text: string): string[] => {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('  rich rules:'))
  return at < 0
    ? []
    : lines
        .slice(at + 1)
        .map((line) => line.trim())
        .filter(Boolean)
}
