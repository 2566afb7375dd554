/** getent: tells entries of the host's databases (passwd, group, hosts …) as facts. */
import { type Json, record } from '../../base/index.ts'
import { linesOf } from '../../facts/index.ts'
import { bool, fallback, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'

/** databases whose fields are parted by colons */
const colons = new Set(['passwd', 'shadow', 'group', 'gshadow'])

const NO_GETENT = 93
const PLACES = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** what getent's exit codes mean */
const meanings: Readonly<Record<number, string>> = {
  1: 'Missing arguments, or database unknown.',
  2: 'One or more supplied key could not be found in the database.',
  3: 'Enumeration not supported on this database.',
}

export default defineModule({
  name: 'ansible.builtin.getent',
  summary: "Looks up entries of the host's databases.",
  params: {
    database: required(str()),
    key: str(),
    service: str(),
    split: str(),
    fail_key: fallback(bool(), true),
  },
  async *run({ database, key, service, split, fail_key: failKey }, host) {
    const words = [...(service === undefined ? [] : ['-s', service]), database, ...(key === undefined ? [] : [key])]
    const told = await host.look(sh`command -v getent >/dev/null || exit ${NO_GETENT}; getent ${words}`, { onFailure: 'tell' })
    if (told.code === NO_GETENT) throw new ModuleFailure(`Failed to find required executable "getent" in paths: ${PLACES}`)
    const fact = `getent_${database}`
    const mark = split ?? (colons.has(database) ? ':' : undefined)
    if (told.code === 2 && key !== undefined && !failKey) return { ansible_facts: { [fact]: { [key]: null } }, msg: meanings[2]! }
    if (told.code !== 0) throw new ModuleFailure(meanings[told.code] ?? 'Unexpected failure!')
    const entries: Record<string, Json> = record()
    for (const line of linesOf(textOf(told.stdout))) {
      const [name = '', ...fields] = mark === undefined ? line.trim().split(/\s+/) : line.split(mark)
      const before = entries[name]
      // services have several entries of one name
      if (before === undefined) entries[name] = fields
      else entries[name] = (Array.isArray(before) && Array.isArray(before[0]) ? [...before, fields] : [before, fields]) as Json
    }
    return { changed: false, ansible_facts: { [fact]: entries } }
  },
})
