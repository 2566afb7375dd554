/** Turns the arguments of synchronize into what is to be kept equal. */
import { ModuleFailure } from '../api.ts'
import { globPattern } from '../files/glob.ts'

export interface SyncWish {
  readonly src: string
  readonly dest: string
  readonly recursive: boolean
  readonly links: boolean
  /** send what links lead to */
  readonly followLinks: boolean
  readonly perms: boolean
  readonly times: boolean
  readonly owner: boolean
  readonly group: boolean
  readonly remove: boolean
  readonly existingOnly: boolean
  readonly excluded: (path: string) => boolean
}

/** One thing that was made equal. */
export interface SyncChange {
  readonly mark: '<f' | '>f' | 'cd' | 'cL' | '.f' | '*deleting'
  readonly path: string
}

interface SyncArgs {
  readonly src: string
  readonly dest: string
  readonly archive: boolean
  readonly recursive?: boolean | undefined
  readonly links?: boolean | undefined
  readonly perms?: boolean | undefined
  readonly times?: boolean | undefined
  readonly owner?: boolean | undefined
  readonly group?: boolean | undefined
  readonly copy_links: boolean
  readonly delete: boolean
  readonly existing_only: boolean
  readonly rsync_opts: readonly string[]
  readonly link_dest?: unknown
}

/** `archive` is the default of everything that it stands for. */
export function wishOf(args: SyncArgs): SyncWish {
  if (args.link_dest !== undefined) throw new ModuleFailure('link_dest is not supported: files are sent over the connection, without rsync')
  return {
    src: args.src,
    dest: args.dest,
    recursive: args.recursive ?? args.archive,
    links: args.links ?? args.archive,
    followLinks: args.copy_links,
    perms: args.perms ?? args.archive,
    times: args.times ?? args.archive,
    owner: args.owner ?? args.archive,
    group: args.group ?? args.archive,
    remove: args.delete,
    existingOnly: args.existing_only,
    excluded: exclusions(args.rsync_opts),
  }
}

/** Options that change nothing here, for nothing of theirs happens without rsync. */
const IDLE =
  /^(--(compress|no-motd|partial|progress|stats|human-readable|inplace|whole-file|no-whole-file|delay-updates|timeout=.*|bwlimit=.*|rsh=.*)|-[vzhP]+|--verbose)$/

/** The patterns of `--exclude`; other options would be a promise that is not kept, so they fail. */
function exclusions(options: readonly string[]): (path: string) => boolean {
  const patterns: string[] = []
  for (let i = 0; i < options.length; i++) {
    const option = options[i]!
    if (option === '--exclude' || option === '-f') patterns.push(options[++i] ?? '')
    else if (option.startsWith('--exclude=')) patterns.push(option.slice('--exclude='.length).replace(/^(['"])(.*)\1$/, '$2'))
    else if (!IDLE.test(option))
      throw new ModuleFailure(`rsync_opts: '${option}' is not supported: files are sent over the connection, without rsync`)
  }
  const tests = patterns.map(excludes)
  return (path) => tests.some((test) => test(path))
}

/** A pattern with a slash at its start is about the whole path, others about any name on the way. */
function excludes(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/\/+$/, '')
  if (plain.startsWith('/')) {
    const whole = globPattern(plain.slice(1))
    return (path) => prefixes(path).some((p) => whole.test(p))
  }
  const name = globPattern(plain)
  if (plain.includes('/')) return (path) => prefixes(path).some((p) => name.test(p) || globPattern(`*/${plain}`).test(p))
  return (path) => path.split('/').some((part) => name.test(part))
}

const prefixes = (path: string): string[] => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))
