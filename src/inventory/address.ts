/** Turns what stands for a host (`name`, `name:22`, `[::1]:22`, `web[01:20]`) into a name or a range and a port. */
import { later } from '../base/index.ts'

export interface Address {
  readonly host: string
  readonly port: number | undefined
}

const RANGE = String.raw`\[(?:[a-z]:[a-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]`
const LABEL = String.raw`(?:[\p{L}\p{N}_]|${RANGE})(?:[\p{L}\p{N}_-]|${RANGE})*(?<![_-])`
const HOSTNAME = later(() => new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`, 'iu'))
/** Most are such, and of these nothing else need be asked. */
const COMMON = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/i

const V4_PART = String.raw`(?:[01]?[0-9]{1,2}|2[0-4][0-9]|25[0-5]|\[[0-9]+:[0-9]+(?::[0-9]+)?\])`
const V4 = new RegExp(String.raw`^(?:${V4_PART}\.){3}${V4_PART}$`)
const V6_PART = String.raw`(?:[0-9a-f]{1,4}|\[[0-9a-f]+:[0-9a-f]+(?::[0-9]+)?\])`

/** The address, or undefined when it is none. */
export function parseAddress(text: string): Address | undefined {
  const bracketed = /^\[(.+)\]:([0-9]+)$/.exec(text)
  const withPort = bracketed ?? /^((?:[^:[\]]|\[[^\]]*\])*):([0-9]+)$/.exec(text)
  const host = withPort?.[1] ?? text
  const port = withPort ? Number(withPort[2]) : undefined
  return COMMON.test(host) || V4.test(host) || isV6(host) || HOSTNAME().test(host) ? { host, port } : undefined
}

/** Eight parts, or fewer with one `::` among them; the last two may be written as an IPv4 address. */
function isV6(text: string): boolean {
  const parts = text.toLowerCase().split(/:(?![^[]*\])/)
  if (parts.length < 3 || (text.match(/::/g) ?? []).length > 1 || text.includes(':::')) return false
  const compressed = text.includes('::')
  const filled = parts.filter((part) => part !== '')
  if (!compressed && filled.length !== parts.length) return false
  if (compressed && (/^:[^:]/.test(text) || /[^:]:$/.test(text))) return false
  const last = filled.at(-1)
  const hasV4 = last?.includes('.') === true && V4.test(last)
  const count = filled.length + (hasV4 ? 1 : 0)
  const part = new RegExp(`^${V6_PART}$`)
  return filled.every((p, i) => (hasV4 && i === filled.length - 1) || part.test(p)) && (compressed ? count <= 7 : count === 8)
}
