/** What /sys/class/net tells of a link → its facts. */
import type { Facts } from '../collector.ts'
import { type Look, wordsOf } from '../look.ts'

const types: Readonly<Record<string, string>> = { '1': 'ether', '32': 'infiniband', '512': 'ppp', '772': 'loopback', '65534': 'tunnel' }

export function linkFacts(look: Look, path: string, device: string): Facts {
  const read = (name: string) => look.file(`${path}/${name}`)
  const [mac, mtu, state, type, speed, flags] = ['address', 'mtu', 'operstate', 'type', 'speed', 'flags'].map(read)
  const module = baseOf(look.section(`k:${path}/device/driver/module`))
  const pci = baseOf(look.section(`k:${path}/device`))
  return {
    device,
    ...(mac && mac !== '00:00:00:00:00:00' ? { macaddress: mac } : {}),
    ...(mtu ? { mtu: Number(mtu) } : {}),
    ...(state ? { active: state !== 'down' } : {}),
    ...(module ? { module } : {}),
    ...(type ? { type: types[type] ?? 'unknown' } : {}),
    ...bridge(look, path),
    ...bonding(look, path),
    ...(look.exists(`${path}/bonding_slave`) ? { perm_macaddress: read('bonding_slave/perm_hwaddr') ?? '' } : {}),
    ...(pci ? { pciid: pci } : {}),
    ...(speed ? { speed: Number(speed) } : {}),
    ...(flags ? { promisc: (Number.parseInt(flags, 16) & 0x100) > 0 } : {}),
  }
}

const baseOf = (path: string | undefined): string | undefined => path?.trim().split('/').at(-1)

function bridge(look: Look, path: string): Facts {
  if (!look.exists(`${path}/bridge`)) return {}
  const id = look.file(`${path}/bridge/bridge_id`)
  const stp = look.file(`${path}/bridge/stp_state`)
  return {
    type: 'bridge',
    interfaces: [...look.names(`e:${path}/brif/`)],
    ...(id === undefined ? {} : { id }),
    ...(stp === undefined ? {} : { stp: stp === '1' }),
  }
}

function bonding(look: Look, path: string): Facts {
  if (!look.exists(`${path}/bonding`)) return {}
  const first = (name: string) => wordsOf(look.file(`${path}/bonding/${name}`))[0] ?? ''
  const primary = first('primary')
  const active = look.file(`${path}/bonding/all_slaves_active`)
  return {
    type: 'bonding',
    slaves: wordsOf(look.file(`${path}/bonding/slaves`)),
    mode: first('mode'),
    miimon: first('miimon'),
    lacp_rate: first('lacp_rate'),
    ...(primary ? { primary, ...(active === undefined ? {} : { all_slaves_active: active === '1' }) } : {}),
  }
}
