/** What a certificate is to say → openssl's configuration text: the subject and the extensions of a request. */
import { isDict, type Value } from '../../base/index.ts'
import { type Args, asText, bool, dict, fallback, int, list, listOf, str } from '../../params/index.ts'
import { USAGES } from '../../template/index.ts'
import { ModuleFailure } from '../api.ts'

export const requestParams = {
  authority_cert_issuer: list('str', { description: "names of the authority's issuer" }),
  authority_cert_serial_number: int({ description: "serial number of the authority's certificate" }),
  authority_key_identifier: str({ description: "identifier of the authority's key, in hex" }),
  basic_constraints: list('str', { aliases: ['basicConstraints'], description: 'CA:TRUE, pathlen:0 …' }),
  basic_constraints_critical: fallback(bool({ aliases: ['basicConstraints_critical'] }), false),
  common_name: str({ aliases: ['CN', 'commonName'], description: 'common name of the subject' }),
  country_name: str({ aliases: ['C', 'countryName'], description: 'country of the subject' }),
  create_subject_key_identifier: fallback(bool({ description: "make the key's identifier of the key" }), false),
  crl_distribution_points: listOf({ crl_issuer: list('str'), full_name: list('str'), reasons: list('str'), relative_name: list('str') }),
  email_address: str({ aliases: ['E', 'emailAddress'], description: 'address of the subject' }),
  extended_key_usage: list('str', { aliases: ['extKeyUsage', 'extendedKeyUsage'], description: 'purposes of the key' }),
  extended_key_usage_critical: fallback(bool({ aliases: ['extKeyUsage_critical', 'extendedKeyUsage_critical'] }), false),
  key_usage: list('str', { aliases: ['keyUsage'], description: 'what the key may be used for' }),
  key_usage_critical: fallback(bool({ aliases: ['keyUsage_critical'] }), false),
  locality_name: str({ aliases: ['L', 'localityName'], description: 'place of the subject' }),
  name_constraints_critical: fallback(bool(), false),
  name_constraints_excluded: list('str', { description: 'names that the authority may not sign' }),
  name_constraints_permitted: list('str', { description: 'names that the authority may sign' }),
  ocsp_must_staple: fallback(bool({ aliases: ['ocspMustStaple'], description: 'servers must staple OCSP answers' }), false),
  ocsp_must_staple_critical: fallback(bool({ aliases: ['ocspMustStaple_critical'] }), false),
  organization_name: str({ aliases: ['O', 'organizationName'], description: 'organization of the subject' }),
  organizational_unit_name: str({ aliases: ['OU', 'organizationalUnitName'], description: 'unit of the subject' }),
  state_or_province_name: str({ aliases: ['ST', 'stateOrProvinceName'], description: 'state of the subject' }),
  subject: dict({ description: 'further parts of the subject' }),
  subject_alt_name: list('str', { aliases: ['subjectAltName'], description: 'further names: DNS:…, IP:…, email:…, URI:…' }),
  subject_alt_name_critical: fallback(bool({ aliases: ['subjectAltName_critical'] }), false),
  subject_key_identifier: str({ description: "the key's identifier, in hex" }),
  subject_ordered: list<Value>('dict', { description: 'the subject, part by part in this order' }),
  use_common_name_for_san: fallback(
    bool({ aliases: ['useCommonNameForSAN'], description: 'without further names, take the common name as one' }),
    true,
  ),
} as const

export type RequestArgs = Args<typeof requestParams>

const PARTS = [
  ['C', 'country_name'],
  ['ST', 'state_or_province_name'],
  ['L', 'locality_name'],
  ['O', 'organization_name'],
  ['OU', 'organizational_unit_name'],
  ['CN', 'common_name'],
  ['emailAddress', 'email_address'],
] as const

export type Pairs = readonly (readonly [string, string])[]

/** The subject's parts in their order. */
export function subjectOf(args: RequestArgs): Pairs {
  const texts = (key: string, value: Value): [string, string][] => (Array.isArray(value) ? value : [value]).map((one) => [key, asText(one)])
  const dictPairs = (value: Value): [string, string][] =>
    isDict(value) ? [...value].flatMap(([k, v]) => (v === null ? [] : texts(asText(k), v))) : []
  if (args.subject_ordered?.length) return args.subject_ordered.flatMap(dictPairs)
  const own = PARTS.flatMap(([key, name]): [string, string][] => (args[name] === undefined ? [] : [[key, args[name]]]))
  return [...own, ...(args.subject ? dictPairs(args.subject) : [])]
}

/** The whole text for `openssl req -config`. */
export function requestConfig(args: RequestArgs): string {
  const subject = subjectOf(args)
  const sections = extensionSections(args, subject)
  const has = sections.length > 0
  return [
    '[req]',
    'prompt = no',
    'string_mask = utf8only',
    'utf8 = yes',
    'distinguished_name = dn',
    ...(has ? ['req_extensions = ext'] : []),
    '[dn]',
    ...subject.map(([key, value], at) => `${at}.${keyName(key)} = ${escaped(value)}`),
    ...sections,
    '',
  ].join('\n')
}

/** A name of an attribute is a word or an object identifier. */
function keyName(key: string): string {
  if (!/^[A-Za-z0-9.]+$/.test(key)) throw new ModuleFailure(`Unknown subject field identifier "${key}"`)
  return key
}

/** A value as openssl's configuration reads it back. */
export const escaped = (value: string): string =>
  value
    .replace(/[\\$#"'`;]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/^\s|\s$/g, '\\$&')

function extensionSections(args: RequestArgs, subject: Pairs): string[] {
  const lines: string[] = []
  const sections: string[] = []
  const add = (name: string, critical: boolean, value: string): void => {
    lines.push(`${name} = ${critical ? 'critical,' : ''}${value}`)
  }
  const named = (section: string, names: readonly string[]): string => {
    const entries = names.map((name, at) => generalName(name, at, sections))
    sections.push(`[${section}]`, ...entries)
    return `@${section}`
  }
  const names = altNames(args, subject)
  if (names.length > 0) add('subjectAltName', args.subject_alt_name_critical, named('san', names))
  if (args.key_usage?.length) add('keyUsage', args.key_usage_critical, args.key_usage.map(usageName).join(','))
  if (args.extended_key_usage?.length)
    add('extendedKeyUsage', args.extended_key_usage_critical, args.extended_key_usage.map(purposeName).join(','))
  if (args.basic_constraints?.length)
    add('basicConstraints', args.basic_constraints_critical, args.basic_constraints.map(constraint).join(','))
  if (args.ocsp_must_staple) add('tlsfeature', args.ocsp_must_staple_critical, 'status_request')
  const constraints = [
    ...(args.name_constraints_permitted ?? []).map((n) => `permitted;${n}`),
    ...(args.name_constraints_excluded ?? []).map((n) => `excluded;${n}`),
  ]
  if (constraints.length > 0) {
    sections.push('[nc]', ...constraints.map(constraintLine))
    add('nameConstraints', args.name_constraints_critical, '@nc')
  }
  if (args.create_subject_key_identifier) add('subjectKeyIdentifier', false, 'hash')
  else if (args.subject_key_identifier !== undefined) add('subjectKeyIdentifier', false, hexText(args.subject_key_identifier))
  if (args.authority_key_identifier !== undefined) add('2.5.29.35', false, `DER:${authorityKeyDer(hexText(args.authority_key_identifier))}`)
  if (args.authority_cert_issuer?.length || args.authority_cert_serial_number !== undefined) {
    throw new ModuleFailure('authority_cert_issuer and authority_cert_serial_number are not supported by the openssl of hosts')
  }
  const points = (args.crl_distribution_points ?? []).map((point, at) => {
    if (isDict(point) && Array.isArray(point.get('relative_name')))
      throw new ModuleFailure('crl_distribution_points: relative_name is not supported')
    const entries = pointLines(point, at, sections)
    sections.push(`[crl${at}]`, ...entries)
    return `crl${at}`
  })
  if (points.length > 0) add('crlDistributionPoints', false, points.join(','))
  return lines.length > 0 ? ['[ext]', ...lines, ...sections] : []
}

function altNames(args: RequestArgs, subject: Pairs): readonly string[] {
  if (args.subject_alt_name?.length) return args.subject_alt_name
  const common = subject.find(([key]) => key === 'CN' || key === 'commonName')?.[1]
  return args.use_common_name_for_san && common !== undefined && common !== '' ? [`DNS:${common}`] : []
}

const KINDS: Readonly<Record<string, string>> = {
  dns: 'DNS',
  ip: 'IP',
  email: 'email',
  uri: 'URI',
  rid: 'RID',
  dirname: 'dirName',
  othername: 'otherName',
}

const kindOf = (name: string): [string, string] => {
  const at = name.indexOf(':')
  const kind = at < 0 ? undefined : KINDS[name.slice(0, at).toLowerCase()]
  if (kind === undefined) throw new ModuleFailure(`Cannot parse Subject Alternative Name "${name}"`)
  return [kind, name.slice(at + 1).trim()]
}

/** `DNS.0 = example.org`; a directory name is a section of its own. */
function generalName(name: string, at: number, sections: string[]): string {
  const [kind, value] = kindOf(name)
  if (kind !== 'dirName') return `${kind}.${at} = ${escaped(value)}`
  const section = `dir${sections.length}`
  const pairs = value
    .split(/[/,]/)
    .filter(Boolean)
    .map((pair) => pair.split('='))
  sections.unshift(`[${section}]`, ...pairs.map(([key = '', text = ''], i) => `${i}.${keyName(key.trim())} = ${escaped(text)}`))
  return `dirName.${at} = ${section}`
}

/** `permitted;DNS.0 = example.org` */
function constraintLine(one: string, at: number): string {
  const [which = '', ...rest] = one.split(';')
  const [kind, value] = kindOf(rest.join(';'))
  return `${which};${kind}.${at} = ${escaped(value)}`
}

function usageName(given: string): string {
  const key = given.replaceAll(' ', '').toLowerCase()
  const usage = USAGES.find(([short, long]) => short.toLowerCase() === key || long.replaceAll(' ', '').toLowerCase() === key)
  if (!usage) throw new ModuleFailure(`Unknown key usage "${given}"`)
  return usage[0]
}

const PURPOSE_NAMES: Readonly<Record<string, string>> = {
  'tls web server authentication': 'serverAuth',
  'tls web client authentication': 'clientAuth',
  'code signing': 'codeSigning',
  'e-mail protection': 'emailProtection',
  'time stamping': 'timeStamping',
  'ocsp signing': 'OCSPSigning',
  'any extended key usage': 'anyExtendedKeyUsage',
  biometricinfo: '1.3.6.1.5.5.7.1.2',
}

function purposeName(given: string): string {
  const name = PURPOSE_NAMES[given.toLowerCase()] ?? given
  if (!/^[A-Za-z0-9.]+$/.test(name)) throw new ModuleFailure(`Unknown extended key usage "${given}"`)
  return name
}

function constraint(given: string): string {
  if (!/^(CA:(TRUE|FALSE)|pathlen:\d+)$/i.test(given)) throw new ModuleFailure(`Cannot parse basic constraint "${given}"`)
  return given.toUpperCase().startsWith('CA') ? given.toUpperCase() : given.toLowerCase()
}

function hexText(given: string): string {
  if (!/^[0-9a-fA-F]{2}(:?[0-9a-fA-F]{2})*$/.test(given)) throw new ModuleFailure(`Cannot parse "${given}": it must be bytes in hex`)
  return given.includes(':') ? given : (given.match(/../g) ?? []).join(':')
}

/** SEQUENCE { [0] key identifier } */
function authorityKeyDer(colons: string): string {
  const bytes = colons.split(':')
  const hex = (n: number): string => n.toString(16).padStart(2, '0')
  return ['30', hex(bytes.length + 2), '80', hex(bytes.length), ...bytes].join(':')
}

function pointLines(point: Value, index: number, sections: string[]): string[] {
  if (!isDict(point)) return []
  const texts = (key: string): string[] => {
    const value = point.get(key)
    return Array.isArray(value) ? value.map(asText) : []
  }
  const issuer = texts('crl_issuer').map((name) => kindOf(name)[1])
  const reasons = texts('reasons').map((one) => purposeName(one.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())))
  const full = texts('full_name')
  if (full.length > 0) queueSection(sections, `crlnames${index}`, full)
  if (issuer.length > 0) throw new ModuleFailure('crl_distribution_points: crl_issuer is not supported')
  return [...(full.length > 0 ? [`fullname = @crlnames${index}`] : []), ...(reasons.length > 0 ? [`reasons = ${reasons.join(',')}`] : [])]
}

function queueSection(sections: string[], name: string, names: readonly string[]): void {
  sections.unshift(`[${name}]`, ...names.map((one, at) => generalName(one, at, [])))
}
