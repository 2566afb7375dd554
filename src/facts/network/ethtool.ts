/** The output of `ethtool -k` and `ethtool -T` → a device's features and time stamping. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

export function ethtool(look: Look, device: string): Facts {
  const features = look.command(`ethtool-k:${device}`)
  const stamps = look.command(`ethtool-T:${device}`)
  return { ...(features === undefined ? {} : { features: parseFeatures(features) }), ...(stamps === undefined ? {} : stamping(stamps)) }
}

function parseFeatures(text: string): Record<string, string> {
  const pairs = linesOf(text).flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 || line.endsWith(':') ? [] : [[line.slice(0, colon).trim().replaceAll('-', '_'), line.slice(colon + 2).trim()]]
  })
  return Object.fromEntries(pairs.filter(([, value]) => value))
}

function stamping(text: string): Facts {
  const words = (prefix: string) => [...text.matchAll(new RegExp(`${prefix}_(\\w+)`, 'g'))].map((match) => match[1]!.toLowerCase())
  const clock = /PTP Hardware Clock: (\d+)/.exec(text)?.[1]
  return {
    timestamping: words('SOF_TIMESTAMPING'),
    hw_timestamp_filters: words('HWTSTAMP_FILTER'),
    ...(clock === undefined ? {} : { phc_index: Number(clock) }),
  }
}
