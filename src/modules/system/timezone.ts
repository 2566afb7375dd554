/** timezone: makes the host keep its clock in a time zone. */
import type { Json } from '../../base/index.ts'
import type { Look } from '../../facts/index.ts'
import { choice, str } from '../../params/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'
import { writeText } from './write-text.ts'

const zones = '/usr/share/zoneinfo'

export default defineModule({
  name: 'community.general.timezone',
  summary: 'Sets the time zone.',
  params: { name: str(), hwclock: choice(['UTC', 'local'], { aliases: ['rtc'] }) },
  rules: { requiredOneOf: [['name', 'hwclock']] },
  async *run(args, host) {
    const look = await lookAt(host, zoneLook(args.name ?? ''))
    if (args.name !== undefined && !look.exists(`${zones}/${args.name}`)) {
      throw new ModuleFailure(`Error message:\ngiven timezone "${args.name}" is not available`)
    }
    const before: Record<string, Json> = {}
    const after: Record<string, Json> = {}
    const steps: { readonly told: string; readonly script: Script }[] = []
    if (args.name !== undefined) {
      before.name = zoneOf(look)
      after.name = args.name
      if (before.name !== after.name) steps.push(zoneStep(look, args.name))
    }
    if (args.hwclock !== undefined) {
      before.hwclock = look.file('/etc/adjtime')?.split('\n')[2]?.trim() === 'LOCAL' ? 'local' : 'UTC'
      after.hwclock = args.hwclock
      if (before.hwclock !== after.hwclock) steps.push(clockStep(look, args.hwclock))
    }
    if (steps.length === 0) return { changed: false, diff: { before, after } }
    const done = yield {
      what: 'timezone',
      diff: { before, after },
      onFailure: 'tell',
      script: joinScripts(steps.map((step) => sh`${step.script} || exit $?`)),
    }
    mustEnd(done, ({ stdout, stderr }) => `Error message:\n${stderr || stdout}`)
    return { changed: true, msg: steps.map((step) => step.told).join('\n') }
  },
})

const zoneLook = (name: string): Script => sh`
e ${`${zones}/${name}`} /run/systemd/system; k /etc/localtime; f /etc/timezone /etc/adjtime
if w timedatectl; then printf '\036timedatectl\n%s\n' "$(command -v timedatectl)"; fi`

/** The zone by the link that the C library reads. */
function zoneOf(look: Look): string {
  const link = look.section('k:/etc/localtime')?.trim()
  const at = link?.indexOf('zoneinfo/') ?? -1
  return at >= 0 ? link!.slice(at + 'zoneinfo/'.length) : (look.file('/etc/timezone') ?? 'n/a')
}

const timedatectl = (look: Look): string | undefined =>
  look.exists('/run/systemd/system') ? look.section('timedatectl')?.trim() : undefined

const executed = (command: string): string => `executed \`${command}\``

function zoneStep(look: Look, name: string): { told: string; script: Script } {
  const program = timedatectl(look)
  if (program !== undefined) return { told: executed(`${program} set-timezone ${name}`), script: sh`timedatectl set-timezone ${name}` }
  const file = `${zones}/${name}`
  const text = look.file('/etc/timezone')
  const known = text === undefined ? [] : [sh`${writeText('/etc/timezone', `${name}\n`)} || exit $?`]
  const lines = text?.split('\n').filter((line) => /^\S/.test(line)).length
  const told =
    lines === undefined ? executed(`ln -sf ${file} /etc/localtime`) : `Added 1 line and deleted ${lines} line(s) on /etc/timezone`
  return { told, script: joinScripts([...known, sh`ln -sfn ${file} /etc/localtime`]) }
}

function clockStep(look: Look, clock: 'UTC' | 'local'): { told: string; script: Script } {
  const program = timedatectl(look)
  const yes = clock === 'local' ? 'yes' : 'no'
  if (program !== undefined) return { told: executed(`${program} set-local-rtc ${yes}`), script: sh`timedatectl set-local-rtc ${yes}` }
  const option = clock === 'local' ? '--localtime' : '--utc'
  return { told: executed(`hwclock --systohc ${option}`), script: sh`hwclock --systohc ${option}` }
}
