/** group: makes a group be there or be gone. */
import { Look, linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, int, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, sections } from './looking.ts'

export default defineModule({
  name: 'ansible.builtin.group',
  summary: 'Manages groups.',
  params: {
    state: choice(['absent', 'present'], 'present'),
    name: required(str()),
    force: fallback(bool(), false),
    gid: int(),
    system: fallback(bool(), false),
    local: fallback(bool(), false),
    non_unique: fallback(bool(), false),
    gid_min: int(),
    gid_max: int(),
  },
  rules: { requiredIf: [['non_unique', true, ['gid']]] },
  async *run(args, host) {
    if (args.force && args.local) {
      throw new ModuleFailure('force is not a valid option for local, force=True and local=True are mutually exclusive')
    }
    const { name, state } = args
    const seen = groupLook(name, args.local)
    const look = await lookAt(host, seen)
    const gid = gidOf(look, name)
    const base = { name, state }
    const script = state === 'absent' ? removal(args, gid, look) : gid === undefined ? creation(args, look) : change(args, gid, look)
    if (script === undefined) return { changed: false, ...base, ...(gid === undefined ? {} : { system: args.system, gid }) }
    const done = yield { what: 'group', onFailure: 'tell', script: joinScripts([sh`${script} || exit $?`, sections(seen)]) }
    if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr), { name })
    if (!done && (state === 'absent' || gid === undefined)) return { changed: true }
    const after = done ? gidOf(new Look(textOf(done.stdout)), name) : gid
    const stderr = done ? textOf(done.stderr) : ''
    return { changed: true, ...base, ...(stderr ? { stderr } : {}), ...(after === undefined ? {} : { system: args.system, gid: after }) }
  },
})

interface Wanted {
  readonly name: string
  readonly force: boolean
  readonly gid: number | undefined
  readonly system: boolean
  readonly local: boolean
  readonly non_unique: boolean
  readonly gid_min: number | undefined
  readonly gid_max: number | undefined
}

const groupLook = (name: string, local: boolean): Script => sh`
if ${local ? sh`false` : sh`w getent`}; then x=$(getent group ${name}); else x=$(grep ${`^${name.replace(/[.[\]*^$\\]/g, '\\$&')}:`} /etc/group); fi
printf '\036group\n%s\n' "$x"
if w groupadd; then printf '\036e:groupadd\n'; fi`

function gidOf(look: Look, name: string): number | undefined {
  const entry = linesOf(look.section('group')).find((line) => line.startsWith(`${name}:`))
  return entry === undefined ? undefined : Number(entry.split(':')[2])
}

function removal({ name, force, local }: Wanted, gid: number | undefined, look: Look): Script | undefined {
  if (gid === undefined) return undefined
  if (!look.exists('groupadd')) return sh`delgroup ${name}`
  return sh`${local ? 'lgroupdel' : 'groupdel'} ${force && !local ? ['-f'] : []} ${name}`
}

function creation(wanted: Wanted, look: Look): Script {
  const { name, gid, system, local } = wanted
  if (!look.exists('groupadd')) return sh`addgroup ${gid === undefined ? [] : ['-g', gid]} ${system ? ['-S'] : []} ${name}`
  const words = [
    ...(gid === undefined ? [] : ['-g', String(gid), ...(wanted.non_unique ? ['-o'] : [])]),
    ...(system ? ['-r'] : []),
    ...(wanted.gid_min === undefined ? [] : ['-K', `GID_MIN=${wanted.gid_min}`]),
    ...(wanted.gid_max === undefined ? [] : ['-K', `GID_MAX=${wanted.gid_max}`]),
  ]
  return sh`${local ? 'lgroupadd' : 'groupadd'} ${words} ${name}`
}

function change({ name, gid, local, non_unique: shared }: Wanted, now: number, look: Look): Script | undefined {
  if (gid === undefined || gid === now) return undefined
  if (!look.exists('groupadd')) throw new ModuleFailure(`the tools of this host cannot change the number of group ${name}`, { name })
  return sh`${local ? 'lgroupmod' : 'groupmod'} -g ${gid} ${shared ? ['-o'] : []} ${name}`
}
