/** /sys/block and /dev/disk → block devices, their partitions and links. */
import type { Json } from '../../base/index.ts'
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'
import { humanBytes } from './bytes.ts'

const linkKinds = { ids: 'id', uuids: 'uuid', labels: 'label' } as const
const root = '/sys/block'

/** device → the names of links to it, by kind */
type Links = Readonly<Record<string, ReadonlyMap<string, readonly string[]>>>

export function deviceFacts(look: Look): Facts {
  const blocks = look.names(`e:${root}/`).filter((name) => !name.includes('/'))
  const links: Links = {
    ...Object.fromEntries(Object.entries(linkKinds).map(([kind, word]) => [kind, linksTo(look.command(`links:${word}`))])),
    masters: masters(look),
  }
  const targets = new Map(linkLines(look.command('links:block')))
  return {
    devices: Object.fromEntries(blocks.map((name) => [name, device(look, name, links, targets.get(name) ?? '')])),
    device_links: Object.fromEntries(
      Object.entries(links).map(([kind, map]) => [kind, Object.fromEntries([...map].map(([k, v]) => [k, [...v]]))]),
    ),
  }
}

/** `… name -> target` lines of `ls -l` */
const linkLines = (text: string | undefined): [string, string][] =>
  linesOf(text).flatMap((line) => {
    const match = /(\S+) -> (\S+)$/.exec(line)
    return match ? [[match[1]!, match[2]!] as [string, string]] : []
  })

function linksTo(text: string | undefined): ReadonlyMap<string, readonly string[]> {
  return grouped(linkLines(text).map(([name, target]) => [target.split('/').at(-1)!, name]))
}

const masters = (look: Look): ReadonlyMap<string, readonly string[]> =>
  grouped(
    look.names(`e:${root}/`).flatMap((path) => {
      const match = /^([^/]+)\/slaves\/([^/*]+)$/.exec(path)
      return match ? [[match[2]!, match[1]!] as [string, string]] : []
    }),
  )

function grouped(pairs: readonly [string, string][]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value].sort())
  return groups
}

const linksOf = (links: Links, name: string): Facts =>
  Object.fromEntries(Object.entries(links).map(([kind, map]) => [kind, [...(map.get(name) ?? [])]]))

function device(look: Look, name: string, links: Links, target: string): Facts {
  const path = `${root}/${name}`
  const read = (file: string): string | undefined => look.file(`${path}/${file}`)
  const sectorsize = read('queue/logical_block_size') ?? read('queue/hw_sector_size') ?? 512
  const sectors = Math.floor((Number(read('size') ?? 0) * 512) / Number(sectorsize))
  const serial = look.exists('sg_inq')
    ? /(?:Unit serial|Serial) number:\s+(\w+)/.exec(look.command(`sg_inq:${path}`) ?? '')?.[1]
    : read('device/serial')
  const wwn = links.ids
    ?.get(name)
    ?.find((link) => link.startsWith('wwn-'))
    ?.slice(4)
  return {
    virtual: 1,
    links: linksOf(links, name),
    vendor: read('device/vendor') ?? null,
    model: read('device/model') ?? null,
    sas_address: read('device/sas_address') ?? null,
    sas_device_handle: read('device/sas_device_handle') ?? null,
    ...(serial ? { serial } : {}),
    removable: read('removable') ?? null,
    support_discard: read('queue/discard_max_hw_bytes') === '0' ? '0' : (read('queue/discard_granularity') ?? null),
    ...(wwn ? { wwn } : {}),
    partitions: partitions(look, name, links),
    rotational: read('queue/rotational') ?? null,
    scheduler_mode: /\[(.*?)\]/.exec(read('queue/scheduler') ?? '')?.[1] ?? '',
    sectors,
    sectorsize,
    size: humanBytes(sectors * Number(sectorsize)),
    host: pciHost(look.command('lspci'), target),
    holders: holders(look, path),
  }
}

function partitions(look: Look, name: string, links: Links): Facts {
  const escaped = name.replace(/[^\w]/g, '\\$&')
  const names = look.names(`f:${root}/${name}/`).flatMap((file) => new RegExp(`^(${escaped}p?\\d+)/(?:start|size)$`).exec(file)?.[1] ?? [])
  return Object.fromEntries([...new Set(names)].map((part) => [part, partition(look, name, part, links)]))
}

function partition(look: Look, disk: string, name: string, links: Links): Json {
  const path = `${root}/${disk}/${name}`
  const sectorsize = look.file(`${path}/queue/logical_block_size`) ?? look.file(`${path}/queue/hw_sector_size`) ?? 512
  const sectors = Math.floor((Number(look.file(`${path}/size`) ?? 0) * 512) / Number(sectorsize))
  return {
    links: linksOf(links, name),
    start: look.file(`${path}/start`) ?? 0,
    sectors,
    sectorsize,
    size: humanBytes(sectors * Number(sectorsize)),
    uuid: links.uuids?.get(name)?.[0] ?? null,
    holders: holders(look, path),
  }
}

/** What stands on a device: mapper names where they are told. */
const holders = (look: Look, path: string): string[] =>
  look
    .names(`e:${path}/holders/`)
    .filter((name) => /^dm-[^/]+$/.test(name))
    .map((name) => look.file(`${path}/holders/${name}/dm/name`) ?? name)

/** The PCI controller that a device hangs on, in lspci's words. */
function pciHost(lspci: string | undefined, target: string): string {
  const id = /.+\/([a-f0-9]{4}:[a-f0-9]{2}:[0|1][a-f0-9]\.[0-7])\//.exec(target)?.[1]
  const line = id === undefined ? undefined : linesOf(lspci).find((one) => one.startsWith(`${id} `))
  return line?.slice(id!.length + 1) ?? ''
}
