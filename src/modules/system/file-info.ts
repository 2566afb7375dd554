/** What results that name a file tell of it: owner, group, mode, size. */
import type { JsonObject } from '../../base/index.ts'
import { type Look, wordsOf } from '../../facts/index.ts'
import { type Script, sh } from '../../remote/index.ts'

/** Prints the section that fileInfo reads. */
export const statFile = (file: string): Script => sh`if [ -f ${file} ]; then printf '\036stat\n'; stat -c '%u %g %U %G %a %s' ${file}; fi`

export function fileInfo(look: Look): JsonObject {
  const [uid, gid, owner, group, mode, size] = wordsOf(look.section('stat'))
  if (size === undefined) return { state: 'absent' }
  return {
    uid: Number(uid),
    gid: Number(gid),
    owner: owner!,
    group: group!,
    mode: mode!.padStart(4, '0'),
    state: 'file',
    size: Number(size),
  }
}
