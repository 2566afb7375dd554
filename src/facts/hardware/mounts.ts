/** The table of mounts and what stat tells of each → mounted file systems with their sizes. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf, wordsOf } from '../look.ts'

export interface MountEntry {
  readonly device: string
  readonly mount: string
  readonly fstype: string
  readonly options: string
  readonly dump: number
  readonly passno: number
}

/** `\040` and its like as the characters they stand for. */
export const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** Lines of /proc/mounts, /etc/mtab or fstab. */
export function parseMounts(text: string | undefined): readonly MountEntry[] {
  return linesOf(text).flatMap((line) => {
    const fields = wordsOf(line)
    if (fields.length < 4) return []
    const [device, mount, fstype, options] = fields.map(unescapeOctal) as [string, string, string, string]
    return [{ device, mount, fstype, options, dump: Number(fields[4] ?? 0), passno: Number(fields[5] ?? 0) }]
  })
}

/** Of file systems on devices or servers; pure kernel ones are left out. */
export const isReal = ({ device, fstype }: MountEntry): boolean => (/^[/\\]/.test(device) || device.includes(':/')) && fstype !== 'none'

export function mountFacts(look: Look): Facts {
  const bound = bindMounts(look.file('/proc/self/mountinfo'))
  const uuids = new Map(linesOf(look.command('lsblk')).flatMap(uuidLine))
  const links = new Map(linesOf(look.command('links:uuid')).flatMap(linkedUuid))
  const mounts = new Map<string, Facts>()
  for (const entry of parseMounts(look.section('mtab')).filter(isReal)) {
    const options = bound.has(entry.mount) && !/bind/.test(entry.options) ? `${entry.options},bind` : entry.options
    const uuid = uuids.get(entry.device) ?? links.get(entry.device) ?? 'N/A'
    const { mount, device, fstype, dump, passno } = entry
    mounts.set(mount, { mount, device, fstype, options, dump, passno, ...sizes(look, mount), uuid })
  }
  return { mounts: [...mounts.values()] }
}

/** Mounts that did not answer in time. */
export const mountWarnings = (look: Look): readonly string[] =>
  look
    .names('stat:')
    .filter((mount) => timedOut(look.section(`stat:${mount}`)))
    .map((mount) => `Timeout exceeded when getting mount info for ${unescapeOctal(mount)}`)

/** 124 is timeout(1)'s own status. */
const timedOut = (text: string | undefined): boolean => text?.trim() === 'x 124'

function sizes(look: Look, mount: string): Facts {
  const text = look.section(`stat:${escapeOctal(mount)}`) ?? look.section(`stat:${mount}`)
  if (timedOut(text)) return { note: 'Could not get extra information due to timeout' }
  return fileSystemSizes(text)
}

/** Six numbers of statvfs(3) (block and fragment size, blocks, available blocks, inodes, free inodes) → sizes in bytes and counts; nothing of what is not six. */
export function fileSystemSizes(text: string | undefined): Facts {
  const numbers = wordsOf(text).map(Number)
  if (numbers.length < 6 || numbers.some(Number.isNaN)) return {}
  const [blockSize, fragment, total, available, inodes, freeInodes] = numbers as [number, number, number, number, number, number]
  return {
    size_total: fragment * total,
    size_available: fragment * available,
    block_size: blockSize,
    block_total: total,
    block_available: available,
    block_used: total - available,
    inode_total: inodes,
    inode_available: freeInodes,
    inode_used: inodes - freeInodes,
  }
}

/** A path as /proc/mounts writes it. */
const escapeOctal = (text: string): string => text.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)

/** Mount points whose root is not the root of their file system. */
function bindMounts(mountinfo: string | undefined): ReadonlySet<string> {
  return new Set(
    linesOf(mountinfo)
      .map((line) => line.split(' '))
      .filter((fields) => fields[3] !== undefined && fields[3] !== '/')
      .map((fields) => unescapeOctal(fields[4] ?? '')),
  )
}

const uuidLine = (line: string): [string, string][] => {
  const match = /^(.*\S)\s+(\S+)$/.exec(line.trim())
  return match ? [[match[1]!.trim(), match[2]!]] : []
}

const linkedUuid = (line: string): [string, string][] => {
  const match = /(\S+) -> \S*?([^/\s]+)$/.exec(line)
  return match ? [[`/dev/${match[2]}`, match[1]!]] : []
}
