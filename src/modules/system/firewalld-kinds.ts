/** The kinds of things that a zone of firewalld may have → the words with which firewall-cmd asks for, adds and removes them. */

import type { Dict } from '../../base/index.ts'
import { asText, boolWord } from '../../params/index.ts'
import { ModuleFailure } from '../api.ts'

export interface ZoneThing {
  /** `port` of --query-port, --add-port and --remove-port */
  readonly option: string
  /** what follows the option; undefined for those that are only on or off */
  readonly value: string | undefined
  /** firewall-cmd can take it back after some time */
  readonly timed: boolean
  /** the switch that is asked for is the opposite of state */
  readonly reversed?: boolean
  /** what is told of a change besides the operation */
  readonly told: (enabled: boolean, zone: string, state: string) => string[]
}

export interface ThingArgs {
  readonly icmp_block?: string | undefined
  readonly icmp_block_inversion?: string | undefined
  readonly service?: string | undefined
  readonly protocol?: string | undefined
  readonly port?: string | undefined
  readonly port_forward?: readonly Dict[] | undefined
  readonly rich_rule?: string | undefined
  readonly interface?: string | undefined
  readonly masquerade?: string | undefined
  readonly source?: string | undefined
}

/** The one thing that the task is about; undefined where it is about the zone itself. */
export function thingOf(args: ThingArgs): ZoneThing | undefined {
  const found = KINDS.find(([name]) => args[name] !== undefined)
  return found?.[1](args)
}

const changed =
  (name: string, value: string): ZoneThing['told'] =>
  (_enabled, _zone, state) => [`Changed ${name} ${value} to ${state}`]

const named =
  (name: keyof ThingArgs, option: string) =>
  (args: ThingArgs): ZoneThing => {
    const value = args[name] as string
    return { option, value, timed: true, told: changed(name === 'icmp_block' ? 'icmp-block' : name, value) }
  }

const KINDS: readonly (readonly [keyof ThingArgs, (args: ThingArgs) => ZoneThing])[] = [
  ['icmp_block', named('icmp_block', 'icmp-block')],
  [
    'icmp_block_inversion',
    (args) => switched('icmp-block-inversion', args.icmp_block_inversion!, changed('icmp-block-inversion', args.icmp_block_inversion!)),
  ],
  ['service', named('service', 'service')],
  ['protocol', named('protocol', 'protocol')],
  ['source', (args) => ({ option: 'source', value: args.source!, timed: false, told: moved('Added', args.source!) })],
  ['port', portThing],
  ['port_forward', forwardThing],
  ['rich_rule', named('rich_rule', 'rich-rule')],
  ['interface', (args) => ({ option: 'interface', value: args.interface!, timed: false, told: moved('Changed', args.interface!) })],
  [
    'masquerade',
    (args) =>
      switched('masquerade', args.masquerade!, (enabled, zone) => [
        enabled ? `Added masquerade to zone ${zone}` : `Removed masquerade from zone ${zone}`,
      ]),
  ],
]

const moved =
  (verb: string, what: string): ZoneThing['told'] =>
  (enabled, zone) => [enabled ? `${verb} ${what} to zone ${zone}` : `Removed ${what} from zone ${zone}`]

/** `masquerade: false` with state enabled is masquerade with state disabled. */
function switched(option: string, given: string, told: ZoneThing['told']): ZoneThing {
  return { option, value: undefined, timed: false, reversed: boolWord(given) === false, told }
}

function portThing(args: ThingArgs): ZoneThing {
  const [port, protocol] = args.port!.trim().split('/')
  if (!protocol) throw new ModuleFailure('improper port format (missing protocol?)')
  return { option: 'port', value: `${port}/${protocol}`, timed: true, told: changed('port', `${port}/${protocol}`) }
}

function forwardThing(args: ThingArgs): ZoneThing {
  if (args.port_forward!.length > 1) throw new ModuleFailure('Only one port forward supported at a time')
  const [forward] = args.port_forward!
  const text = (name: string): string => {
    const value = forward?.get(name)
    return value === undefined || value === null ? '' : asText(value)
  }
  const fields = `port=${text('port')}:proto=${text('proto')}:toport=${text('toport')}`
  const value = text('toaddr') === '' ? fields : `${fields}:toaddr=${text('toaddr')}`
  return { option: 'forward-port', value, timed: true, told: changed('port_forward', `${fields}:toaddr=${text('toaddr')}`) }
}
