/** service_facts: tells the services of the host and their states. */
import { type Json, record } from '../../base/index.ts'
import { type Look, linesOf, wordsOf } from '../../facts/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule } from '../api.ts'
import { lookAt } from './looking.ts'

type Services = Record<string, Record<string, Json>>

export default defineModule({
  name: 'ansible.builtin.service_facts',
  summary: 'Tells which services there are and how they are.',
  params: {},
  async *run(_args, host) {
    const look = await lookAt(host, serviceLook)
    const services: Services = { ...initScripts(look), ...openrc(look), ...systemdUnits(look) }
    if (Object.keys(services).length === 0) {
      return { skipped: true, msg: 'Failed to find any services. This can be due to privileges or some other configuration issue.' }
    }
    return { changed: false, ansible_facts: { services } }
  },
})

const serviceLook = sh`
if w service && ! w chkconfig && ! w rc-status; then
  printf '\036sysv\n'; service --status-all 2>/dev/null </dev/null
fi
if w rc-status && w rc-update; then
  printf '\036rcstatus\n'; rc-status -a -s -m 2>/dev/null; printf '\036rcupdate\n'; rc-update show -v 2>/dev/null
fi
if w systemctl && [ -d /run/systemd/system ]; then
  printf '\036units\n'; systemctl list-units --no-pager --no-legend --type service --all --plain 2>/dev/null
  printf '\036files\n'; x=$(systemctl list-unit-files --no-pager --no-legend --type service --all 2>/dev/null); printf '%s\n' "$x"
  n=$(printf '%s\n' "$x" | while read -r a b; do case $a in (*@.service) ;; (*.service) printf '%s\n' "$a" ;; esac; done)
  printf '\036names\n%s\n\036states\n' "$n"; systemctl show --property=ActiveState $n 2>/dev/null
fi`

/** ` [ + ]  cron` of `service --status-all`. */
function initScripts(look: Look): Services {
  return Object.fromEntries(
    linesOf(look.section('sysv')).flatMap((line) => {
      const match = /^\s*\[ ([+-]) \]\s+(.+)$/.exec(line)
      return match ? [[match[2]!, { name: match[2]!, state: match[1] === '+' ? 'running' : 'stopped', source: 'sysv' }]] : []
    }),
  )
}

function openrc(look: Look): Services {
  const levels = new Map(
    linesOf(look.section('rcupdate'))
      .map((line) => line.split('|'))
      .filter((fields) => fields.length > 1)
      .map(([name, text]) => [name!.trim(), wordsOf(text)]),
  )
  return Object.fromEntries(
    linesOf(look.section('rcstatus')).flatMap((line) => {
      const [name, state] = line.startsWith(' ') ? wordsOf(line.replace(/[[\]]/g, '')) : []
      if (name === undefined || state === undefined) return []
      const runlevels = levels.get(name)
      return [[name, { name, runlevels: runlevels?.length ? [...runlevels] : null, state, source: 'openrc' }]]
    }),
  )
}

/** states of a unit that stand in for whether it is enabled */
const badStates = ['not-found', 'masked', 'failed']

function systemdUnits(look: Look): Services {
  const services: Services = record()
  for (const line of linesOf(look.section('units'))) {
    const fields = wordsOf(line.replace(/^[^\w]\s/, ''))
    const [name, load, active, sub] = fields
    if (!name?.endsWith('.service') || sub === undefined) continue
    const bad = badStates.find((state) => [load, active, sub].includes(state))
    services[name] = { name, state: sub === 'running' ? 'running' : 'stopped', status: bad ?? active!, source: 'systemd' }
  }
  const states = shownStates(look)
  for (const line of linesOf(look.section('files'))) {
    const [name, status] = wordsOf(line)
    if (!name?.endsWith('.service') || status === undefined) continue
    const known = services[name]
    if (!known) services[name] = { name, state: states.get(name) ?? 'unknown', status, source: 'systemd' }
    else if (!badStates.includes(String(known.status))) known.status = status
  }
  return services
}

/** The answers of systemctl show stand in the order of the names it was given. */
function shownStates(look: Look): ReadonlyMap<string, string> {
  const states = linesOf(look.section('states')).flatMap((line) => (line.startsWith('ActiveState=') ? [line.slice(12)] : []))
  return new Map(linesOf(look.section('names')).map((name, index) => [name, states[index] ?? 'unknown']))
}
