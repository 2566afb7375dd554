/** seport: makes the policy of SELinux give ports a type, or not. */
import { bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { failSemanage, mustBeEnabled, semanage } from './selinux-tools.ts'
import { useTool } from './tools.ts'

export default defineModule({
  name: 'community.general.seport',
  summary: "Manages types of ports in SELinux's policy.",
  params: {
    ignore_selinux_state: fallback(bool(), false),
    local: fallback(bool({ description: 'only what was changed on this host' }), false),
    ports: required(list('str', { description: 'ports, and ranges of them' })),
    proto: required(choice(['tcp', 'udp'], { description: 'the protocol' })),
    reload: fallback(bool({ description: 'load the policy anew' }), true),
    setype: required(str()),
    state: choice(['absent', 'present'], 'present'),
  },
  async *run(args, host) {
    await mustBeEnabled(host, args.ignore_selinux_state)
    const { proto, setype, state } = args
    const ports = args.ports.map((port) => port.trim())
    const all = portsIn(await semanage(host, ['port', '-l', '-n', ...(args.local ? ['-C'] : [])]))
    const own = new Set(all.filter((one) => one.type === setype && one.proto === proto).map((one) => one.port))
    const taken = new Set(all.filter((one) => one.proto === proto).map((one) => one.port))
    const result = { ports, proto, setype, state }
    const todo = ports.filter((port) => own.has(port) !== (state === 'present'))
    for (const port of todo) {
      const verb = state === 'absent' ? ['-d'] : [taken.has(port) ? '-m' : '-a', '-t', setype, '-r', 's0']
      failSemanage(yield* useTool('port', ['semanage', 'port', ...verb, ...(args.reload ? [] : ['-N']), '-p', proto, port]))
    }
    return { changed: todo.length > 0, ...result }
  },
})

/** `http_port_t   tcp   80, 81, 8000-8010` */
function portsIn(lines: readonly string[]): { type: string; proto: string; port: string }[] {
  return lines.flatMap((line) => {
    const [type, proto, ...ports] = line.trim().split(/[\s,]+/)
    return ports.filter(Boolean).map((port) => ({ type: type!, proto: proto!, port }))
  })
}
