/** The variables of the host that is connected to, and what tasks see of the connection without anybody having set it: ansible_host, ansible_user, … */
import { OMIT, type Raw, type Value } from '../base/index.ts'
import { AllHostVars, HostVars, type Layer, type LayeredScope, lazyLayer, mapLayer } from '../vars/index.ts'
import type { KeywordReader } from './keywords.ts'
import type { Situation } from './request.ts'

/** The names as the host sees them where the task runs: the task's own, unless it is delegated. */
export function scopeThere({ pr, task, host, bare, local, delegate }: Situation): LayeredScope {
  if (delegate === undefined) return bare
  return pr.run.variables.scope({
    view: pr.view,
    host: delegate,
    task,
    local: mapLayer(new Map<string, Value>([...local, ['inventory_hostname', host]])),
    ...(bare.files ? { files: bare.files } : {}),
  })
}

/** Weaker than every variable; made when they are asked for. */
export function connectionVariables(situation: Situation, keywords: KeywordReader): Layer {
  const { pr, task, host, delegate } = situation
  const { connection } = pr.run.settings
  const given = (...names: string[]): Value | undefined => {
    const there = scopeThere(situation)
    for (const name of names) {
      const value = there.get(name)
      if (value !== undefined && value !== null && value !== '' && value !== OMIT) return value
    }
    return undefined
  }
  const itself = pr.run.inventory.host(host)?.implicit ? '127.0.0.1' : host
  const address = () => given('ansible_ssh_host', 'ansible_host') ?? delegate ?? itself
  const user = () => given('ansible_ssh_user', 'ansible_user') ?? keywords.value(task.keywords.remoteUser) ?? connection.remoteUser
  const port = () => given('ansible_ssh_port', 'ansible_port') ?? keywords.value(task.keywords.port) ?? connection.port
  const password = () => given('ansible_ssh_pass', 'ansible_password') ?? connection.password
  const key = () => given('ansible_ssh_private_key_file', 'ansible_private_key_file') ?? connection.privateKeyFile
  const timeout = () => given('ansible_ssh_timeout', 'ansible_timeout') ?? connection.timeoutSeconds
  const makers: [string, () => Raw | undefined][] = [
    ['ansible_connection', () => given('ansible_connection') ?? keywords.value(task.keywords.connection) ?? connection.connection],
    ['ansible_shell_executable', () => connection.shell ?? '/bin/sh'],
    ...both('host', address),
    ...both('user', user),
    ...both('port', port),
    ...both('timeout', timeout),
    ['ansible_ssh_pass', password],
    ['ansible_password', password],
    ['ansible_ssh_private_key_file', key],
    ['ansible_private_key_file', key],
  ]
  if (delegate !== undefined) {
    const address = lazyLayer(new Map(makers.filter(([name]) => ADDRESS.has(name))))
    makers.push(['ansible_delegated_vars', () => delegatedVariables(situation, delegate, address)])
  }
  return lazyLayer(new Map(makers))
}

/** What `ansible_delegated_vars` has besides the delegate's own variables. */
const ADDRESS: ReadonlySet<string> = new Set(['ansible_host', 'ansible_port', 'ansible_user'])

const both = (name: string, maker: () => Raw | undefined): [string, () => Raw | undefined][] => [
  [`ansible_${name}`, maker],
  [`ansible_ssh_${name}`, maker],
]

/** `ansible_delegated_vars`: the delegate's variables under its name. */
function delegatedVariables(situation: Situation, delegate: string, address: Layer): Value {
  const there = new HostVars(scopeThere(situation).weakly(address))
  return new AllHostVars(
    () => [delegate],
    (name) => (name === delegate ? there : undefined),
  )
}
