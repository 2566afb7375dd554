/** What nmcli shows of a connection, and the settings that are wanted → what differs. */
import type { JsonObject } from '../../base/index.ts'
import { LISTS, macSetting, mtuSetting, routeText, type Setting, type Settings } from './nmcli-settings.ts'

/** Settings as they are; null where nothing is set. */
export type Shown = ReadonlyMap<string, string | readonly string[] | null>

const ROUTES = new Set(['ipv4.routes', 'ipv6.routes'])

/** The lines of `nmcli con show NAME`: a name, a colon, a value. */
export function readShown(text: string): Shown {
  const shown = new Map<string, string | readonly string[] | null>()
  for (const line of text.split('\n')) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).trim()
    if (at < 0 || name === '') continue
    const value = line.slice(at + 1).trimStart()
    if (value === '--') shown.set(name, LISTS.has(name) ? [] : null)
    else if (name === 'bond.options') for (const [key, one] of optionsOf(value)) shown.set(key, one)
    else if (ROUTES.has(name)) shown.set(name, trimmed(value.split(';')))
    else if (LISTS.has(name)) shown.set(name, trimmed(value.split(',')))
    else shown.set(name, /^(-?\d+) \(\w+\)$/.exec(value)?.[1] ?? value)
  }
  return shown
}

const trimmed = (parts: readonly string[]): string[] => parts.map((one) => one.trim())

/** `mode=active-backup,miimon=100`; what is between commas without a sign goes on with the value before. */
function optionsOf(text: string): (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (const part of text.split(',')) {
    const at = part.indexOf('=')
    if (at >= 0) pairs.push([part.slice(0, at), part.slice(at + 1)])
  }
  return pairs
}

/** How NetworkManager shows the choices about temporary addresses. */
const PRIVACY: Readonly<Record<string, string>> = {
  disabled: '0',
  'prefer-public-addr': '1 (enabled, prefer public IP)',
  'prefer-temp-addr': '2 (enabled, prefer temporary IP)',
  unknown: '-1',
}

export interface Compared {
  readonly changed: boolean
  readonly before: JsonObject
  readonly after: JsonObject
}

type Told = string | readonly string[] | null

/** Settings of which the task says nothing are left as they are. */
export function compare(
  shown: Shown,
  wanted: Settings,
  { type, mtu }: { readonly type: string | undefined; readonly mtu: number | undefined },
): Compared {
  const before: Record<string, Told> = {}
  const after: Record<string, Told> = {}
  let changed = false
  for (const [name, setting] of wanted) {
    const wish =
      name === mtuSetting(type)
        ? mtu
          ? String(mtu)
          : 'auto'
        : name === 'ipv6.ip6-privacy' && setting !== null
          ? (PRIVACY[String(setting)] ?? null)
          : setting
    if (wish === null || wish === '') continue
    const now = asCompared(name, shown.get(name) ?? null, type)
    const want = name === macSetting(type) ? String(wish).toUpperCase() : name === 'vpn.data' ? dataOf(String(wish)) : wish
    const unset = name === mtuSetting(type) && now === null && mtu === undefined
    if (!unset && !same(name, now, want)) changed = true
    before[name] = now
    after[name] = unset ? null : want
  }
  return { changed, before, after }
}

/** Addresses are in an order: the first one is that of connections to elsewhere. */
function same(name: string, now: Told, want: Setting): boolean {
  if (!Array.isArray(now) || !Array.isArray(want)) return !Array.isArray(want) && now === want
  const [a, b] = name.endsWith('.addresses') ? [now, want] : [now.toSorted(), want.toSorted()]
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A value in the spelling of wishes. */
function asCompared(name: string, now: Told, type: string | undefined): Told {
  if (now === null) return null
  if (ROUTES.has(name) && typeof now !== 'string') return now.map(routeOf)
  if (typeof now !== 'string') return now
  if (name === '802-11-wireless.wake-on-wlan' && /^0x[0-9a-f]+/i.test(now)) return String(Number.parseInt(now, 16))
  if (name === macSetting(type)) return now.toUpperCase()
  if (name === 'gsm.apn') return now.replace(/^"+|"+$/g, '')
  return name === 'vpn.data' ? dataOf(now) : now
}

/** `{ ip = 10.0.0.0/8, nh = 10.1.1.1, mt = 5, table=7 }` */
function routeOf(text: string): string {
  const names: Readonly<Record<string, string>> = { nh: 'next_hop', mt: 'metric' }
  const parts = [...text.matchAll(/([\w-]*)\s?=\s?([^\s,}]*)/g)].map(([, name = '', value = '']) => [names[name] ?? name, value] as const)
  return routeText(new Map(parts))
}

const dataOf = (text: string): string[] => trimmed(text.split(',').map((part) => part.trim().replace(/\s*=\s*/, '='))).sort()
