/** /proc/cpuinfo → the processors' names, sockets, cores and threads. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

const nameKeys = new Set(['model name', 'Processor', 'vendor_id', 'cpu', 'Vendor', 'processor'])

/** What was counted while reading cpuinfo. */
interface Tally {
  readonly names: string[]
  readonly seen: Map<string, number>
  /** socket → its cores, core → its siblings, as far as they are told */
  readonly sockets: Map<string, number>
  readonly cores: Map<string, number>
  flags: string[] | undefined
  active: number | undefined
  processors: number
  maxThread: number
}

export function processorFacts(look: Look, architecture: string): Facts {
  const text = look.file('/proc/cpuinfo')
  if (text === undefined) return {}
  const tally = read(text)
  const seen = (key: string) => tally.seen.get(key) ?? 0
  let count = tally.active ?? tally.names.length
  if (seen('vendor_id') > 0 && seen('vendor_id') === seen('model name')) count = seen('vendor_id')
  if (/^(armv|aarch|ppc)/.test(architecture)) count = seen('processor')
  const facts = { ...(tally.flags ? { flags: tally.flags } : {}), processor: tally.names, ...topology(look, tally, architecture, count) }
  const nproc = Number.parseInt(look.command('nproc') ?? '', 10)
  return Number.isNaN(nproc) ? facts : { ...facts, processor_nproc: nproc }
}

function topology(look: Look, tally: Tally, architecture: string, count: number): Facts {
  if (architecture === 's390x') {
    const { processors, maxThread } = tally
    const counts = { processor_cores: maxThread ? Math.round(processors / maxThread) : processors, processor_threads_per_core: maxThread }
    return { processor_count: 1, ...counts, processor_vcpus: processors, processor_nproc: processors }
  }
  if (isXenParavirtual(look, tally)) {
    return { processor_count: count, processor_cores: count, processor_threads_per_core: 1, processor_vcpus: count, processor_nproc: count }
  }
  const processor_count = tally.sockets.size || count
  const processor_cores = [...tally.sockets.values()][0] || 1
  const siblings = [...tally.cores.values()][0] ?? 1
  const processor_threads_per_core = halfToEven(siblings / processor_cores)
  return {
    processor_count,
    processor_cores,
    processor_threads_per_core,
    processor_vcpus: processor_threads_per_core * processor_count * processor_cores,
    processor_nproc: tally.seen.get('processor') ?? 0,
  }
}

function read(text: string): Tally {
  const tally: Tally = {
    names: [],
    seen: new Map(),
    sockets: new Map(),
    cores: new Map(),
    flags: undefined,
    active: undefined,
    processors: 0,
    maxThread: 0,
  }
  let socket = '0'
  let core = '0'
  const rest: Readonly<Record<string, (value: string) => void>> = {
    flags: (value) => {
      tally.flags = value.split(/\s+/).filter(Boolean)
    },
    'physical id': (value) => {
      socket = value
      if (!tally.sockets.has(value)) tally.sockets.set(value, 1)
    },
    'core id': (value) => {
      core = value
      if (!tally.sockets.has(value)) tally.cores.set(value, 1)
    },
    'cpu cores': (value) => void tally.sockets.set(socket, Number(value)),
    siblings: (value) => void tally.cores.set(core, Number(value)),
    '# processors': (value) => {
      tally.processors = Number(value)
    },
    'max thread id': (value) => {
      tally.maxThread = Number(value) + 1
    },
    'ncpus active': (value) => {
      tally.active = Number(value)
    },
  }
  for (const line of linesOf(text)) {
    const colon = line.indexOf(':')
    const key = (colon < 0 ? line : line.slice(0, colon)).trim()
    const value = colon < 0 ? '' : line.slice(colon + 1).trim()
    if (nameKeys.has(key)) {
      tally.names.push(value)
      tally.seen.set(key, (tally.seen.get(key) ?? 0) + 1)
    } else rest[key]?.(value)
  }
  return tally
}

/** Paravirtual Xen guests hide the vme flag and how their processors lie. */
const isXenParavirtual = (look: Look, tally: Tally): boolean =>
  (look.exists('/proc/xen') || look.file('/sys/hypervisor/type') === 'xen') &&
  tally.flags !== undefined &&
  !tally.flags.some((flag) => flag.includes('vme'))

function halfToEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
