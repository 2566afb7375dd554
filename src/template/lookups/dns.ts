/** The lookups dig and dnstxt: a name, or an address turned round → what the name service says of it. */
import type { Value } from '../../base/index.ts'
import { parseAddress, reverseName } from '../filters/net/address.ts'
import { str } from '../python/index.ts'
import { askInAnotherThread } from './another-thread.ts'
import { asFlag, type LookupTable, Options, pluginError } from './define.ts'

interface Question {
  readonly domain: string
  readonly type: string
}

interface Asking {
  readonly servers: readonly string[]
  readonly port: string
  readonly type: string
  readonly flat: boolean
  readonly failOnError: boolean
  readonly realEmpty: boolean
  readonly domains: readonly string[]
}

/** An answer's parts; `text` is how a zone file has them. */
interface Answer {
  readonly text: string
  readonly fields: Readonly<Record<string, string | number | readonly string[]>>
  readonly ttl?: number
}

type Answered = { readonly answers: readonly Answer[] } | { readonly failure: string }

export const DNS_LOOKUPS: LookupTable = {
  dig: (_, terms, kwargs) => {
    const asking = readTerms(terms.map(str), new Options(kwargs))
    const type = asking.type.toUpperCase()
    const domains = type === 'PTR' ? asking.domains.flatMap(reversed) : asking.domains
    const realEmpty = asking.realEmpty || domains.length > 1
    return domains.flatMap((domain) => told(ask({ domain, type }, asking), domain, type, { ...asking, realEmpty }))
  },
  dnstxt: (_, terms, kwargs) => {
    const realEmpty = new Options(kwargs).flag('real_empty', false)
    return terms.flatMap((term) => {
      const answered = ask({ domain: str(term), type: 'TXT' }, { servers: [], port: '' })
      if ('answers' in answered) return [answered.answers.map(({ text }) => text.slice(1, -1)).join('')]
      return realEmpty ? [] : [answered.failure === 'ENOTFOUND' ? 'NXDOMAIN' : '']
    })
  },
}

function readTerms(terms: readonly string[], options: Options): Asking {
  let type = options.text('qtype', 'A')
  let flat = options.flag('flat', true)
  let failOnError = options.flag('fail_on_error', false)
  let realEmpty = options.flag('real_empty', false)
  const servers: string[] = []
  const domains: string[] = []
  for (const term of terms) {
    const [name, value] = [term.slice(0, term.indexOf('=')), term.slice(term.indexOf('=') + 1)]
    if (term.startsWith('@')) servers.push(...term.slice(1).split(','))
    else if (term.includes('=')) {
      if (name === 'qtype') type = value.toUpperCase()
      else if (name === 'flat') flat = Number(value) !== 0
      else if (name === 'fail_on_error') failOnError = asFlag(value)
      else if (name === 'real_empty') realEmpty = asFlag(value)
    } else if (term.split('/').length === 2) {
      domains.push(term.split('/')[0]!)
      type = term.split('/')[1]!
    } else domains.push(term)
  }
  return { servers, port: options.text('port', '53'), type, flat, failOnError, realEmpty, domains }
}

function reversed(domain: string): string[] {
  const address = parseAddress(domain)
  return address ? [reverseName(address)] : []
}

function told(answered: Answered, domain: string, type: string, { flat, failOnError, realEmpty }: Asking): Value[] {
  if ('answers' in answered) return answered.answers.map((answer) => (flat ? shown(answer, type) : asDict(answer, domain, type)))
  if (failOnError) throw pluginError(`Lookup failed: ${answered.failure}: ${domain} ${type}`)
  return realEmpty ? [] : [answered.failure === 'ENOTFOUND' ? 'NXDOMAIN' : '']
}

const shown = ({ text }: Answer, type: string): string => (type === 'TXT' ? text.slice(1, -1) : text)

function asDict({ fields, ttl }: Answer, domain: string, type: string): Value {
  const own = Object.entries(fields).map(([name, value]): [Value, Value] => [name, Array.isArray(value) ? [...value] : (value as Value)])
  return new Map<Value, Value>([...own, ['owner', absolute(domain)], ['type', type], ['ttl', ttl ?? 0], ['class', 'IN']])
}

const absolute = (domain: string): string => (domain.endsWith('.') ? domain : `${domain}.`)

const RESOLVE = `
const { Resolver } = require('node:dns/promises')
const { domain, type, servers, port } = input
const dot = (name) => name === '' ? '.' : name.endsWith('.') ? name : name + '.'
const quoted = (text) => '"' + text.replace(/["\\\\]/g, '\\\\$&') + '"'
const target = (name) => ({ text: dot(name), fields: { target: dot(name) } })
const KINDS = {
  A: async (r) => (await r.resolve4(domain, { ttl: true })).map(({ address, ttl }) => ({ text: address, fields: { address }, ttl })),
  AAAA: async (r) => (await r.resolve6(domain, { ttl: true })).map(({ address, ttl }) => ({ text: address, fields: { address }, ttl })),
  CNAME: async (r) => (await r.resolveCname(domain)).map(target),
  NS: async (r) => (await r.resolveNs(domain)).map(target),
  PTR: async (r) => (await r.resolvePtr(domain)).map(target),
  MX: async (r) => (await r.resolveMx(domain)).map(({ priority, exchange }) => ({ text: priority + ' ' + dot(exchange), fields: { preference: priority, exchange: dot(exchange) } })),
  TXT: async (r) => (await r.resolveTxt(domain)).map((strings) => ({ text: strings.map(quoted).join(' '), fields: { strings } })),
  SRV: async (r) => (await r.resolveSrv(domain)).map(({ priority, weight, port, name }) => ({ text: [priority, weight, port, dot(name)].join(' '), fields: { priority, weight, port, target: dot(name) } })),
  CAA: async (r) => (await r.resolveCaa(domain)).map(({ critical, ...rest }) => { const tag = Object.keys(rest).find((k) => k !== 'type'); return { text: critical + ' ' + tag + ' ' + quoted(rest[tag]), fields: { flags: critical, tag, value: rest[tag] } } }),
  SOA: async (r) => { const s = await r.resolveSoa(domain); const f = { mname: dot(s.nsname), rname: dot(s.hostmaster), serial: s.serial, refresh: s.refresh, retry: s.retry, expire: s.expire, minimum: s.minttl }; return [{ text: Object.values(f).join(' '), fields: f }] },
  NAPTR: async (r) => (await r.resolveNaptr(domain)).map((n) => ({ text: [n.order, n.preference, quoted(n.flags), quoted(n.service), quoted(n.regexp), dot(n.replacement)].join(' '), fields: { order: n.order, preference: n.preference, flags: n.flags, service: n.service, regexp: n.regexp, replacement: dot(n.replacement) } })),
}
try {
  const resolver = new Resolver({ timeout: 5000, tries: 2 })
  if (servers.length) resolver.setServers(servers.map((s) => port === '53' || port === '' ? s : s.includes(':') ? '[' + s + ']:' + port : s + ':' + port))
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  return kind ? { answers: await kind(resolver) } : { unknown: true }
} catch (error) {
  return { failure: String(error.code ?? error.message) }
}
`

function ask({ domain, type }: Question, { servers, port }: Pick<Asking, 'servers' | 'port'>): Answered {
  const addresses = servers.map((server) => (parseAddress(server) ? server : addressOf(server)))
  const question = { domain: domain.replace(/\.$/, ''), type, servers: addresses, port }
  const answered = askInAnotherThread<Answered | { readonly unknown: true }>(RESOLVE, question)
  if ('unknown' in answered) throw pluginError(`dns lookup: records of type ${type} cannot be asked for here`)
  return answered
}

function addressOf(server: string): string {
  const answered = ask({ domain: server, type: 'A' }, { servers: [], port: '' })
  const [first] = 'answers' in answered ? answered.answers : []
  if (!first) throw pluginError(`dns lookup NS: ${server} has no address`)
  return first.text
}

/** Is a name or an address known to the hosts file or the name service? */
export function isResolvable(host: string): boolean {
  return askInAnotherThread<boolean>(KNOWN, { host, isAddress: parseAddress(host) !== undefined })
}

const KNOWN = `
const { lookup, lookupService } = require('node:dns/promises')
const { host, isAddress } = input
return isAddress
  ? await lookupService(host, 0).then((found) => found.hostname !== host, () => false)
  : await lookup(host).then(() => true, () => false)
`
