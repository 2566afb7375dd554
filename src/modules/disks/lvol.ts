/** lvol: makes a logical volume of LVM be there with a size, be active or not, or be gone. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, required, str } from '../../params/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { splitWords } from '../files/words.ts'
import type { Ran } from '../system/looking.ts'
import { askTool, useTool } from '../system/tools.ts'
import { readSize, type Size } from './lvol-size.ts'

const params = {
  active: fallback(bool({ description: 'whether it can be used' }), true),
  force: fallback(bool({ description: 'make it smaller, or take it away' }), false),
  lv: str({ description: 'name of the volume' }),
  opts: str({ description: 'further words for lvcreate' }),
  pvs: str({ description: 'devices to be on' }),
  resizefs: fallback(bool({ description: 'the file system changes its size too' }), false),
  shrink: fallback(bool({ description: 'make it smaller where it is too big' }), true),
  size: str({ description: 'size: 512m, 10G, 50%FREE, +1G' }),
  snapshot: str({ description: 'name of a snapshot of the volume' }),
  state: choice(['absent', 'present'], 'present'),
  thinpool: str({ description: 'the thin pool that it is in, or that is meant' }),
  vg: required(str({ description: 'group of the volume' })),
} as const

type LvolArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

export default defineModule({
  name: 'community.general.lvol',
  summary: 'Manages logical volumes of LVM.',
  params,
  rules: { requiredOneOf: [['lv', 'thinpool']] },
  async *run(args, host) {
    const size = readSize(args.size)
    const found = await readGroup(host, args, size?.kind === 'part' ? 'm' : (size?.unit ?? 'm').toLowerCase())
    if (!found) return { changed: false, stdout: `Volume group ${args.vg} does not exist.` }
    const name = nameOf(args, found.volumes)
    const short = name.slice(name.lastIndexOf('/') + 1)
    const volume = found.volumes.find((one) => one.name === name || one.name === short)
    if (!volume) return args.state === 'present' ? yield* created(args, size, found.volumes) : { changed: false, msg: '' }
    if (args.state === 'absent') return yield* removed(args, volume)
    const grown = size ? yield* resized(args, size, found, volume) : { changed: false }
    if (grown.result) return grown.result
    return yield* activated(args, volume, grown.changed)
  },
})

interface Volume {
  readonly name: string
  readonly size: number
  readonly active: boolean
  readonly isPool: boolean
  readonly isThin: boolean
}

interface Found {
  readonly volumes: readonly Volume[]
  readonly size: number
  readonly free: number
  readonly extent: number
  readonly unit: string
}

const failed = (message: string, told: Ran, more: JsonObject = {}): ModuleFailure =>
  new ModuleFailure(message, { ...more, rc: told.rc, err: told.stderr })

const rows = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(';'))
    .filter((fields) => fields[0] !== '')

/** undefined: there is no such group, and there is to be none of its volumes */
async function readGroup(host: Host, { vg, state }: LvolArgs, unit: string): Promise<Found | undefined> {
  const words = (program: string, fields: string): string[] => [
    ...[program, ...(program === 'lvs' ? ['-a'] : []), '--noheadings', '--nosuffix', '-o', fields, '--units', unit],
    ...['--separator', ';', vg],
  ]
  const group = await askTool(host, words('vgs', 'vg_name,size,free,vg_extent_size'))
  const volumes = group.rc === 0 ? await askTool(host, words('lvs', 'lv_name,size,lv_attr')) : group
  if (volumes.rc !== 0) {
    if (state === 'absent') return undefined
    throw failed(`Volume group ${vg} does not exist.`, volumes)
  }
  const [, size, free, extent] = rows(group.stdout)[0] ?? []
  return { volumes: rows(volumes.stdout).map(volumeOf), size: Number(size), free: Number(free), extent: Number(extent), unit }
}

const volumeOf = ([name = '', size, attributes = '']: readonly string[]): Volume => ({
  name: name.replace(/[[\]]/g, ''),
  size: Number(size),
  active: attributes[4] === 'a',
  isPool: attributes[0] === 't',
  isThin: attributes[0] === 'V',
})

/** The volume that is meant, where what it is made of is there. */
function nameOf({ vg, lv, snapshot, thinpool }: LvolArgs, volumes: readonly Volume[]): string {
  if (snapshot !== undefined) {
    const origin = volumes.find((one) => one.name === lv || one.name === thinpool)
    if (!origin) throw new ModuleFailure(`Snapshot origin LV ${lv ?? 'None'} does not exist in volume group ${vg}.`)
    if (origin.isPool || thinpool !== undefined) throw new ModuleFailure('Snapshots of thin pool LVs are not supported.')
    return snapshot
  }
  if (thinpool === undefined) return lv!
  if (lv !== undefined && !volumes.some((one) => one.name === thinpool))
    throw new ModuleFailure(`Thin pool LV ${thinpool} does not exist in volume group ${vg}.`)
  return lv ?? thinpool
}

async function* created(args: LvolArgs, size: Size | undefined, volumes: readonly Volume[]): Run {
  const { vg, lv, snapshot, thinpool } = args
  if (size?.sign === '-') throw new ModuleFailure(`Bad size specification of '-${size.number}' for creating LV`)
  const ofThin = snapshot !== undefined && volumes.some((one) => one.name === lv && one.isThin)
  if (!size && !ofThin) throw new ModuleFailure('No size given.')
  const opts = splitWords(args.opts ?? '')
  if (thinpool !== undefined && lv !== undefined && size?.kind === 'part')
    throw new ModuleFailure('Thin volume sizing with percentage not supported.')
  const sized = size ? [`-${size.kind === 'part' ? 'l' : 'L'}`, size.text] : []
  const words =
    snapshot !== undefined
      ? [...sized, '-s', '-n', snapshot, ...opts, `${vg}/${lv}`]
      : thinpool !== undefined && lv !== undefined
        ? ['-n', lv, '-V', size!.text, ...opts, '-T', `${vg}/${thinpool}`]
        : thinpool !== undefined
          ? [...sized, ...opts, '-T', `${vg}/${thinpool}`]
          : ['-n', lv!, ...sized, ...opts, vg, ...devices(args)]
  const done = yield* useTool('volume', ['lvcreate', '--yes', ...words])
  if (done && done.rc !== 0) throw failed(`Creating logical volume '${lv ?? 'None'}' failed`, done)
  return { changed: true, msg: '' }
}

const devices = ({ pvs }: LvolArgs): string[] => (pvs ?? '').split(/[\s,]+/).filter(Boolean)

async function* removed(args: LvolArgs, volume: Volume): Run {
  if (!args.force) throw new ModuleFailure(`Sorry, no removal of logical volume ${volume.name} without force=true.`)
  const done = yield* useTool('volume', ['lvremove', '--force', `${args.vg}/${volume.name}`])
  if (done && done.rc !== 0) throw failed(`Failed to remove logical volume ${args.lv ?? 'None'}`, done)
  return { changed: true }
}

type Resized = { readonly changed: boolean; readonly result?: Result }

async function* resized(args: LvolArgs, size: Size, found: Found, volume: Volume): AsyncGenerator<Change, Resized, Done> {
  const tool = size.kind === 'part' ? toolForPart(args, size, found, volume) : toolForSize(args, size, volume)
  if (!tool) return { changed: false }
  const words = [
    ...[...tool, ...(args.resizefs ? ['--resizefs'] : []), size.kind === 'part' ? '-l' : '-L'],
    ...[`${size.sign}${size.text}`, `${args.vg}/${volume.name}`, ...devices(args)],
  ]
  const done = yield* useTool('size', words)
  if (!done || (done.rc === 0 && !done.stdout.includes('Reached maximum COW size'))) return { changed: true }
  const told = { changed: false, vg: args.vg, lv: volume.name, size: sized(volume.size) }
  // LVM has no status of its own for a size that is there already; with LC_ALL=C the words are its own
  if (done.stderr.includes('matches existing size')) return { changed: false, result: told }
  if (done.stderr.includes('not larger than existing size'))
    return { changed: false, result: { ...told, msg: 'Original size is larger than requested size', err: done.stderr } }
  throw failed(`Unable to resize ${args.lv ?? 'None'} to ${size.text}`, done)
}

/** whole numbers of Python floats keep their point in messages only */
const sized = (size: number): number => size

function toolForPart(args: LvolArgs, size: Size, found: Found, volume: Volume): string[] | undefined {
  const whole = size.of === 'FREE' ? found.free : found.size
  let wanted = (size.number * whole) / 100
  if (size.sign === '+') wanted += volume.size
  if (size.sign === '-') wanted = volume.size - wanted
  wanted -= wanted % found.extent
  if (volume.size < wanted) {
    if (found.free > 0 && found.free >= wanted - volume.size) return ['lvextend']
    throw new ModuleFailure(
      `Logical Volume ${volume.name} could not be extended. Not enough free space left (${float(wanted - volume.size)}${found.unit} required / ${float(found.free)}${found.unit} available)`,
    )
  }
  if (!args.shrink || volume.size <= wanted + found.extent) return undefined
  if (wanted < 1) throw new ModuleFailure(`Sorry, no shrinking of ${volume.name} to 0 permitted.`)
  if (!args.force) throw new ModuleFailure(`Sorry, no shrinking of ${volume.name} without force=true`)
  return ['lvreduce', '--force']
}

const float = (number: number): string => (Number.isInteger(number) ? `${number}.0` : String(number))

function toolForSize(args: LvolArgs, size: Size, volume: Volume): string[] | undefined {
  if (size.number > volume.size || size.sign === '+') return ['lvextend']
  if (!(args.shrink && size.number < volume.size) && size.sign !== '-') return undefined
  if (size.number === 0) throw new ModuleFailure(`Sorry, no shrinking of ${volume.name} to 0 permitted.`)
  if (!args.force) throw new ModuleFailure(`Sorry, no shrinking of ${volume.name} without force=true.`)
  return ['lvreduce', '--force']
}

async function* activated(args: LvolArgs, volume: Volume, changed: boolean): Run {
  const result = { vg: args.vg, lv: volume.name, size: sized(volume.size) }
  if (volume.active === args.active) return { changed, ...result }
  const done = yield* useTool('activity', ['lvchange', args.active ? '-ay' : '-an', `${args.vg}/${volume.name}`])
  if (done && done.rc !== 0) throw failed(`Failed to ${args.active ? '' : 'de'}activate logical volume ${args.lv ?? 'None'}`, done)
  return { changed: true, ...result }
}
