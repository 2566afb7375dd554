/** /proc/meminfo → memory in megabytes. */
import type { Json } from '../../base/index.ts'
import type { Facts } from '../collector.ts'
import { linesOf } from '../look.ts'

export function memoryFacts(text: string | undefined): Facts {
  if (text === undefined) return {}
  const mb = new Map(linesOf(text).map((line) => [line.split(':')[0]!, Math.floor(Number.parseInt(line.split(':')[1] ?? '', 10) / 1024)]))
  const of = (key: string): number | undefined => mb.get(key)
  const [total, free, buffers, cached, swapTotal, swapFree, swapCached] = [
    'MemTotal',
    'MemFree',
    'Buffers',
    'Cached',
    'SwapTotal',
    'SwapFree',
    'SwapCached',
  ].map(of)
  const uncached = sum(cached, free, buffers)
  return {
    ...(total === undefined ? {} : { memtotal_mb: total }),
    ...(free === undefined ? {} : { memfree_mb: free }),
    ...(swapTotal === undefined ? {} : { swaptotal_mb: swapTotal }),
    ...(swapFree === undefined ? {} : { swapfree_mb: swapFree }),
    memory_mb: {
      real: { total: orNull(total), used: orNull(difference(total, free)), free: orNull(free) },
      nocache: { free: orNull(uncached), used: orNull(difference(total, uncached)) },
      swap: { total: orNull(swapTotal), free: orNull(swapFree), used: orNull(difference(swapTotal, swapFree)), cached: orNull(swapCached) },
    },
  }
}

const orNull = (value: number | undefined): Json => value ?? null
const difference = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b
const sum = (...all: (number | undefined)[]): number | undefined =>
  all.every((one) => one !== undefined) ? all.reduce((a, b) => a + b, 0) : undefined
