/** parted: makes a partition of a disk be there with its flags, be another size, or be gone; or tells the disk. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, list, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'

const params = {
  align: choice(['cylinder', 'minimal', 'none', 'optimal', 'undefined'], 'optimal', { description: 'where partitions may begin' }),
  device: required(str({ description: 'the disk' })),
  flags: list('str', { description: 'flags that the partition has' }),
  fs_type: str({ description: 'kind of the file system that is to come' }),
  label: choice(['aix', 'amiga', 'bsd', 'dvh', 'gpt', 'loop', 'mac', 'msdos', 'pc98', 'sun'], 'msdos', {
    description: 'kind of the table',
  }),
  name: str({ description: 'name of the partition' }),
  number: int({ description: 'number of the partition' }),
  part_end: fallback(str({ description: 'where it ends' }), '100%'),
  part_start: fallback(str({ description: 'where it begins' }), '0%'),
  part_type: choice(['extended', 'logical', 'primary'], 'primary', { description: 'kind of the partition' }),
  resize: fallback(bool({ description: 'give a partition that is there its end' }), false),
  state: choice(['absent', 'present', 'info'], 'info', { description: 'whether the partition is to be there' }),
  unit: choice(['s', 'B', 'KB', 'KiB', 'MB', 'MiB', 'GB', 'GiB', 'TB', 'TiB', '%', 'cyl', 'chs', 'compact'], 'KiB', {
    description: 'unit of what is told',
  }),
} as const

type PartedArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.parted',
  summary: 'Manages partitions of disks.',
  params,
  rules: {
    requiredIf: [
      ['state', 'present', ['number']],
      ['state', 'absent', ['number']],
    ],
  },
  async *run(args, host) {
    if (args.number !== undefined && args.number < 1) throw new ModuleFailure('The partition number must be greater then 0.')
    const before = await readDisk(host, args)
    if (args.state === 'info') return { changed: false, script: ['unit', args.unit, 'print'], ...told(before) }
    const steps = args.state === 'absent' ? (find(before, args.number!) ? [['rm', String(args.number)]] : []) : presentSteps(args, before)
    const script = steps.length > 0 && args.state === 'present' ? ['unit', args.unit, ...steps.flat()] : steps.flat()
    if (steps.length === 0) return { changed: false, script, ...told(before) }
    const done = yield {
      what: 'partition',
      diff: { before: told(before), after: { script } },
      script: sh`PATH=$PATH:/usr/sbin:/sbin; parted -s -m -a ${args.align} ${args.device} -- ${script} </dev/null >&2`,
      onFailure: 'tell',
    }
    if (done && done.code !== 0)
      throw new ModuleFailure(`Error while running parted script: ${textOf(done.stderr).trim()}`, { rc: done.code })
    return { changed: true, script, ...told(done ? await readDisk(host, args) : before) }
  },
})

interface Partition {
  readonly num: number
  readonly begin: number
  readonly end: number
  readonly size: number
  readonly fstype: string
  readonly name: string
  readonly flags: readonly string[]
  readonly unit: string
}

interface Disk {
  /** dev, size, unit, table, model, logical_block, physical_block; none where the disk has no table */
  readonly facts: JsonObject
  readonly table: string
  readonly partitions: readonly Partition[]
}

const told = ({ facts, partitions }: Disk): JsonObject => ({
  disk: facts,
  partitions: partitions.map((one) => ({ ...one, flags: [...one.flags] })),
})

const find = (disk: Disk, number: number): Partition | undefined => disk.partitions.find((one) => one.num === number)

/** parted's lines for machines: the disk, then its partitions, each with fields between colons. */
async function readDisk(host: Host, { device, unit }: PartedArgs): Promise<Disk> {
  const look = await host.look(
    sh`PATH=$PATH:/usr/sbin:/sbin
command -v parted >/dev/null || exit 93
[ -e ${device} ] || { command -v parted; parted -s -m ${device} -- unit ${unit} print </dev/null >&2; exit 94; }
parted -s -m ${device} -- unit ${unit} print </dev/null 2>/dev/null || :`,
    { onFailure: 'tell' },
  )
  if (look.code === 93) throw new ModuleFailure('Failed to find required executable "parted" in paths')
  if (look.code === 94) {
    const call = `${textOf(look.stdout).trim()} -s -m ${device} -- unit '${unit}' print`
    throw new ModuleFailure(`Error while getting device information with parted script: '${call}'`, {
      rc: 1,
      out: '',
      err: textOf(look.stderr),
    })
  }
  const lines = textOf(look.stdout)
    .split('\n')
    .map((line) => line.replace(/;$/, '').split(':'))
  const disk = lines.find((fields) => fields.length >= 8 && fields[0] === device)
  if (!disk) return { facts: { dev: device, unit: unit.toLowerCase(), table: 'unknown' }, table: 'unknown', partitions: [] }
  const [dev, size, , logical, physical, table, model] = disk
  const facts = {
    dev: dev!,
    size: amount(size),
    unit: unit.toLowerCase(),
    table: table!,
    model: model ?? '',
    logical_block: Number(logical),
    physical_block: Number(physical),
  }
  const partitions = lines
    .filter((fields) => /^\d+$/.test(fields[0]!) && fields.length >= 7)
    .map(([num, begin, end, length, fstype, name, flags]) => ({
      num: Number(num),
      begin: amount(begin),
      end: amount(end),
      size: amount(length),
      fstype: fstype ?? '',
      name: name ?? '',
      flags: (flags ?? '')
        .split(',')
        .map((flag) => flag.trim())
        .filter(Boolean),
      unit: unit.toLowerCase(),
    }))
  return { facts, table: table!, partitions }
}

const amount = (text: string | undefined): number => Number.parseFloat(text ?? '0')

function presentSteps(args: PartedArgs, disk: Disk): string[][] {
  const steps: string[][] = []
  const number = String(args.number)
  const there = find(disk, args.number!)
  if (disk.table !== args.label) {
    if (disk.partitions.length > 0 && there) {
      throw new ModuleFailure(`the disk has a table of the kind ${disk.table} with partitions, not ${args.label}`)
    }
    steps.push(['mklabel', args.label])
  }
  if (!there) {
    const kind = args.label === 'gpt' ? [args.name === undefined ? args.part_type : quoted(args.name)] : [args.part_type]
    steps.push(['mkpart', ...kind, ...(args.fs_type === undefined ? [] : [args.fs_type]), args.part_start, args.part_end])
  } else if (args.resize && sized(there, args.part_end, disk)) steps.push(['resizepart', number, args.part_end])
  if (args.name !== undefined && there && there.name !== args.name) steps.push(['name', number, quoted(args.name)])
  if (args.flags) {
    const now = there?.flags ?? []
    // whoever asks for one of these two has both
    const wanted = new Set(args.flags.includes('esp') && args.label === 'gpt' ? [...args.flags, 'boot'] : args.flags)
    steps.push(...[...wanted].filter((flag) => !now.includes(flag)).map((flag) => ['set', number, flag, 'on']))
    steps.push(...now.filter((flag) => !wanted.has(flag)).map((flag) => ['set', number, flag, 'off']))
  }
  return steps
}

/** parted splits words at blanks by itself. */
const quoted = (name: string): string => `"${name.replace(/["\\]/g, '\\$&')}"`

/** Whether a partition ends elsewhere than it should, by more than a thousandth of the disk. */
function sized(there: Partition, end: string, disk: Disk): boolean {
  const size = typeof disk.facts['size'] === 'number' ? disk.facts['size'] : 0
  const wanted = end.endsWith('%') ? (size * Number.parseFloat(end)) / 100 : undefined
  return wanted === undefined || Math.abs(wanted - there.end) > Math.max(size / 1000, 1024)
}
