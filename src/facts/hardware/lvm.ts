/** The output of vgs, lvs and pvs → volume groups, logical and physical volumes. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

export function lvmFacts(look: Look): Facts {
  const groups = look.command('vgs')
  if (groups === undefined) return { lvm: 'N/A' }
  const table = (text: string | undefined): string[][] =>
    linesOf(text)
      .map((line) => line.trim().split(','))
      .filter((row) => row.length > 1)
  const mapper = new Map(table(look.command('dmsetup')).map(([, minor, name]) => [`/dev/dm-${minor}`, `/dev/mapper/${name}`]))
  return {
    lvm: {
      lvs: Object.fromEntries(table(look.command('lvs')).map((row) => [row[0]!, { size_g: row[3] ?? '', vg: row[1]! }])),
      vgs: Object.fromEntries(
        table(groups).map((row) => [row[0]!, { size_g: row.at(-2)!, free_g: row.at(-1)!, num_lvs: row[2] ?? '', num_pvs: row[1]! }]),
      ),
      pvs: Object.fromEntries(
        table(look.command('pvs')).map((row) => [
          mapper.get(row[0]!) ?? row[0]!,
          { size_g: row[4] ?? '', free_g: row[5] ?? '', vg: row[1]! },
        ]),
      ),
    },
  }
}
