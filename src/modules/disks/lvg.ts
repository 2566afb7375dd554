/** lvg: makes a volume group of LVM be there with its devices, or be gone. */
import { type Args, bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import type { Ran } from '../system/looking.ts'
import { askTool, useTool } from '../system/tools.ts'

const params = {
  force: fallback(bool({ description: 'take a group away that has volumes' }), false),
  pesize: fallback(str({ description: 'size of the extents: 4, or 128K' }), '4'),
  pv_options: fallback(str({ description: 'further words for pvcreate' }), ''),
  pvresize: fallback(bool({ description: 'grow the devices to their full size' }), false),
  pvs: list('str', { description: 'devices of the group' }),
  state: choice(['absent', 'present'], 'present'),
  vg: required(str({ description: 'name of the group' })),
  vg_options: fallback(str({ description: 'further words for vgcreate' }), ''),
} as const

type LvgArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

export default defineModule({
  name: 'community.general.lvg',
  summary: 'Manages volume groups of LVM.',
  params,
  async *run(args, host) {
    if (args.state === 'present' && !args.pvs?.length) throw new ModuleFailure('No physical volumes given.')
    const devices = await realPaths(host, args)
    const volumes = args.state === 'present' ? await physicalVolumes(host) : []
    const other = volumes.find((one) => devices.includes(one.name) && one.group !== '' && one.group !== args.vg)
    if (other) throw new ModuleFailure(`Device ${other.name} is already in ${other.group} volume group.`)
    const group = await groupOf(host, args.vg)
    if (args.state === 'absent') return group ? yield* without(args, group.volumes) : { changed: false }
    if (!group) return yield* created(args, devices)
    return yield* mended(
      host,
      args,
      devices,
      volumes.filter((one) => one.group === args.vg).map((one) => one.name),
    )
  },
})

async function realPaths(host: Host, args: LvgArgs): Promise<string[]> {
  const told = await host.look(
    sh`for d in ${args.pvs ?? []}; do r=$(readlink -f -- "$d") || r=$d; [ -e "$r" ] && printf 1 || printf 0; printf '%s\0' "$r"; done`,
  )
  const found = textOf(told.stdout).split('\0').slice(0, -1)
  const missing = found.find((one) => one.startsWith('0'))
  if (missing !== undefined && args.state === 'present') throw new ModuleFailure(`Device ${missing.slice(1)} not found.`)
  return found.map((one) => one.slice(1))
}

const rows = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(';'))
    .filter((fields) => fields[0] !== '')

async function physicalVolumes(host: Host): Promise<{ name: string; group: string }[]> {
  const told = await askTool(host, ['pvs', '--noheadings', '-o', 'pv_name,vg_name', '--separator', ';'])
  if (told.rc !== 0) throw failed('Failed executing pvs command.', told)
  const names = rows(told.stdout)
  // a mapped device is known by its other name
  const mapped = await host.look(
    sh`PATH=$PATH:/usr/sbin:/sbin; for d in ${names.map(([name]) => name!)}; do case $d in /dev/dm-*) n=$(dmsetup info -C --noheadings -o name "$d") && d=/dev/mapper/$n ;; esac; printf '%s\0' "$d"; done`,
  )
  const real = textOf(mapped.stdout).split('\0')
  return names.map(([name, group], i) => ({ name: real[i] ?? name!, group: group ?? '' }))
}

async function groupOf(host: Host, vg: string): Promise<{ volumes: number } | undefined> {
  const told = await askTool(host, ['vgs', '--noheadings', '-o', 'vg_name,pv_count,lv_count', '--separator', ';'])
  if (told.rc !== 0) throw failed('Failed executing vgs command.', told)
  const row = rows(told.stdout).find(([name]) => name === vg)
  return row && { volumes: Number(row[2]) }
}

const failed = (message: string, told: Ran): ModuleFailure => new ModuleFailure(message, { rc: told.rc, err: told.stderr })

async function* must(what: string, words: readonly string[], message: string): AsyncGenerator<Change, void, Done> {
  const done = yield* useTool(what, words)
  if (done && done.rc !== 0) throw failed(message, done)
}

const split = (text: string): string[] => text.split(/\s+/).filter(Boolean)

async function* physical(args: LvgArgs, devices: readonly string[]): AsyncGenerator<Change, void, Done> {
  for (const device of devices)
    yield* must('physical volume', ['pvcreate', ...split(args.pv_options), '-f', device], `Creating physical volume '${device}' failed`)
}

async function* created(args: LvgArgs, devices: readonly string[]): Run {
  yield* physical(args, devices)
  const words = ['vgcreate', ...split(args.vg_options), '-s', args.pesize, args.vg, ...devices]
  yield* must('group', words, `Creating volume group '${args.vg}' failed`)
  return { changed: true }
}

async function* without(args: LvgArgs, volumes: number): Run {
  if (volumes > 0 && !args.force) {
    throw new ModuleFailure(`Refuse to remove non-empty volume group ${args.vg} without force=true`)
  }
  yield* must('group', ['vgremove', '--force', args.vg], `Failed to remove volume group ${args.vg}`)
  return { changed: true }
}

async function* mended(host: Host, args: LvgArgs, wanted: readonly string[], now: readonly string[]): Run {
  let changed = false
  if (args.pvresize)
    for (const device of now)
      if (await canGrow(host, device)) {
        yield* must('size', ['pvresize', device], 'Failed executing pvresize command.')
        changed = true
      }
  const fresh = wanted.filter((one) => !now.includes(one))
  const gone = now.filter((one) => !wanted.includes(one))
  if (fresh.length > 0) {
    yield* physical(args, fresh)
    yield* must('group', ['vgextend', args.vg, ...fresh], `Unable to extend ${args.vg} by ${fresh.join(' ')}.`)
  }
  if (gone.length > 0) yield* must('group', ['vgreduce', '--force', args.vg, ...gone], `Unable to reduce ${args.vg} by ${gone.join(' ')}.`)
  return { changed: changed || fresh.length + gone.length > 0 }
}

/** By more than an extent. */
async function canGrow(host: Host, device: string): Promise<boolean> {
  const fields = 'dev_size,pv_size,pe_start,vg_extent_size'
  const told = await askTool(host, ['pvs', '--units', 'b', '--noheadings', '--nosuffix', '--separator', ';', '-o', fields, device])
  if (told.rc !== 0) throw failed('Failed executing pvdisplay command.', told)
  const [whole = 0, used = 0, start = 0, extent = 0] = (rows(told.stdout)[0] ?? []).map(Number)
  return whole - (start + used) > extent
}
