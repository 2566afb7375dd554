/** The wanted owner and group → what is said of those that the host does not know. */
import { each, type Probe, sh } from '../../remote/index.ts'
import type { Host } from '../api.ts'
import { ask } from '../files/ask.ts'
import type { FileArgs } from './types.ts'

/** An owner or a group may be one that an earlier task would have made: in check mode that is told. */
export async function strangersOf({ owner, group }: FileArgs, host: Host): Promise<string[]> {
  const asked = [...(owner === undefined ? [] : [['user', 'uid', owner]]), ...(group === undefined ? [] : [['group', 'gid', group]])]
  if (asked.length === 0) return []
  const found = await ask(host, each(asked.map(([kind, , name]) => accountProbe(kind === 'user' ? 'passwd' : 'group', name!))))
  return asked.flatMap(([kind, number, name], i) => {
    if (found[i]) return []
    const who = /^-?\d+$/.test(name!) ? `${kind} with ${number} ${name}` : `${kind} ${name}`
    return [`failed to look up ${who}. Create ${kind} up to this point in real play`]
  })
}

const accountProbe = (database: 'passwd' | 'group', name: string): Probe<boolean> => ({
  script: sh`if command -v getent >/dev/null; then getent ${database} ${name}; else grep -e ${`^${name}:`} -e ${`^[^:]*:[^:]*:${name}:`} ${`/etc/${database}`}; fi >/dev/null 2>&1; printf '%s\0' $?`,
  read: (fields) => fields.number() === 0,
})
