/** Turns a stat into what results tell about a path: uid, gid, owner, group, mode, state, size. */
import type { JsonObject } from '../../base/index.ts'
import type { Missing, Stat } from '../../remote/index.ts'
import { modeText } from './mode.ts'

export type FileState = 'absent' | 'link' | 'directory' | 'hard' | 'file'

/** file's word for what a path is. */
export function stateOf(stat: Stat | Missing): FileState {
  if (!stat.exists) return 'absent'
  if (stat.kind === 'link' || stat.kind === 'directory') return stat.kind
  return stat.links > 1 ? 'hard' : 'file'
}

/** What every result with a path tells about it; nothing where the path (or what a link leads to) does not exist. */
export function pathInfo(stat: Stat | Missing): JsonObject {
  if (!stat.exists || !stat.resolves) return {}
  return {
    uid: stat.uid,
    gid: stat.gid,
    owner: stat.owner ?? String(stat.uid),
    group: stat.group ?? String(stat.gid),
    mode: modeText(stat.mode),
    state: stateOf(stat),
    ...(stat.context === undefined ? {} : { secontext: stat.context }),
    size: stat.size,
  }
}
