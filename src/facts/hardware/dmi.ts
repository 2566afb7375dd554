/** The firmware's words about the machine → its vendor, product, board and chassis. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

/** fact, file below /sys/devices/virtual/dmi/id, keyword of dmidecode */
export const dmiFields: readonly (readonly [string, string, string])[] = [
  ['bios_date', 'bios_date', 'bios-release-date'],
  ['bios_vendor', 'bios_vendor', 'bios-vendor'],
  ['bios_version', 'bios_version', 'bios-version'],
  ['board_asset_tag', 'board_asset_tag', 'baseboard-asset-tag'],
  ['board_name', 'board_name', 'baseboard-product-name'],
  ['board_serial', 'board_serial', 'baseboard-serial-number'],
  ['board_vendor', 'board_vendor', 'baseboard-manufacturer'],
  ['board_version', 'board_version', 'baseboard-version'],
  ['chassis_asset_tag', 'chassis_asset_tag', 'chassis-asset-tag'],
  ['chassis_serial', 'chassis_serial', 'chassis-serial-number'],
  ['chassis_vendor', 'chassis_vendor', 'chassis-manufacturer'],
  ['chassis_version', 'chassis_version', 'chassis-version'],
  ['form_factor', 'chassis_type', 'chassis-type'],
  ['product_name', 'product_name', 'system-product-name'],
  ['product_serial', 'product_serial', 'system-serial-number'],
  ['product_uuid', 'product_uuid', 'system-uuid'],
  ['product_version', 'product_version', 'system-version'],
  ['system_vendor', 'sys_vendor', 'system-manufacturer'],
]

/** SMBIOS chassis types by number. */
const chassis =
  'Unknown,Other,Unknown,Desktop,Low Profile Desktop,Pizza Box,Mini Tower,Tower,Portable,Laptop,Notebook,Hand Held,Docking Station,All In One,Sub Notebook,Space-saving,Lunch Box,Main Server Chassis,Expansion Chassis,Sub Chassis,Bus Expansion Chassis,Peripheral Chassis,RAID Chassis,Rack Mount Chassis,Sealed-case PC,Multi-system,CompactPCI,AdvancedTCA,Blade,Blade Enclosure,Tablet,Convertible,Detachable,IoT Gateway,Embedded PC,Mini PC,Stick PC'.split(
    ',',
  )

export function dmiFacts(look: Look, folder: string): Facts {
  if (!look.exists(`${folder}/product_name`)) {
    return Object.fromEntries(dmiFields.map(([fact, , word]) => [fact, fromProgram(look.command(`dmi:${word}`))]))
  }
  return Object.fromEntries(
    dmiFields.map(([fact, file]) => {
      const text = look.file(`${folder}/${file}`)
      if (text === undefined) return [fact, 'NA']
      return [fact, fact === 'form_factor' ? (chassis[Number(text)] ?? `unknown (${text})`) : text]
    }),
  )
}

/** dmidecode's answer without its comment lines. */
const fromProgram = (text: string | undefined): string =>
  text === undefined
    ? 'NA'
    : linesOf(text)
        .filter((line) => !line.startsWith('#'))
        .join('')

/** /proc/sysinfo of IBM Z. */
export function sysinfoFacts(text: string | undefined): Facts {
  if (text === undefined) return {}
  const value = (pattern: RegExp): string => pattern.exec(text)?.[1]?.trim() ?? 'NA'
  return {
    system_vendor: value(/^Manufacturer:\s+(.+)$/m),
    product_name: value(/^Type:\s+(.+)$/m),
    product_serial: value(/^Sequence Code:\s+0+(.+)$/m),
    product_version: 'NA',
    product_uuid: 'NA',
  }
}
