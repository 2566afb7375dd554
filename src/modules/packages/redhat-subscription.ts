/** redhat_subscription: makes a host be registered with Red Hat's subscription management, or not. */
import { isDict, type Value } from '../../base/index.ts'
import { type Args, bool, choice, dictOf, fallback, list, str } from '../../params/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from '../system/looking.ts'

const params = {
  state: choice(['present', 'absent'], 'present'),
  username: str(),
  password: str({ noLog: true }),
  token: str({ noLog: true }),
  server_hostname: str(),
  server_insecure: str(),
  server_prefix: str(),
  server_port: str(),
  rhsm_baseurl: str(),
  rhsm_repo_ca_cert: str(),
  auto_attach: bool({ aliases: ['autosubscribe'] }),
  activationkey: str({ noLog: true }),
  org_id: str(),
  environment: str(),
  pool: str(),
  pool_ids: fallback(list('raw'), []),
  consumer_type: str(),
  consumer_name: str(),
  consumer_id: str(),
  force_register: fallback(bool(), false),
  server_proxy_hostname: str(),
  server_proxy_scheme: str(),
  server_proxy_port: str(),
  server_proxy_user: str(),
  server_proxy_password: str({ noLog: true }),
  release: str(),
  syspurpose: dictOf({ role: str(), usage: str(), service_level_agreement: str(), addons: list(), sync: fallback(bool(), false) }),
} as const

type SubscriptionArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.redhat_subscription',
  summary: 'Registers hosts with Red Hat.',
  params,
  rules: {
    requiredTogether: [
      ['username', 'password'],
      ['server_proxy_hostname', 'server_proxy_port'],
      ['server_proxy_user', 'server_proxy_password'],
    ],
    mutuallyExclusive: [
      ['activationkey', 'username'],
      ['activationkey', 'token'],
      ['token', 'username'],
      ['activationkey', 'consumer_id'],
      ['activationkey', 'environment'],
      ['activationkey', 'auto_attach'],
      ['pool', 'pool_ids'],
    ],
    requiredIf: [['force_register', true, ['username', 'activationkey', 'token'], true]],
  },
  async *run(args, host) {
    if (args.activationkey !== undefined && args.org_id === undefined)
      throw new ModuleFailure('org_id is required when using activationkey')
    const look = await lookAt(
      host,
      sh`printf '\036user\n'; id -u; e /etc/pki/consumer/cert.pem /etc/pki/consumer/key.pem; f /etc/rhsm/syspurpose/syspurpose.json
if w subscription-manager; then printf '\036e:tool\n'; fi`,
    )
    if (look.section('user')?.trim() !== '0')
      throw new ModuleFailure("Interacting with subscription-manager requires root permissions ('become: true')")
    if (!look.exists('tool')) throw new ModuleFailure('Failed to find required executable "subscription-manager"')
    const registered = look.exists('/etc/pki/consumer/cert.pem') && look.exists('/etc/pki/consumer/key.pem')
    if (args.state === 'absent') {
      if (!registered) return { changed: false, msg: 'System already unregistered.' }
      const done = yield {
        what: 'registration',
        onFailure: 'tell',
        script: sh`subscription-manager unsubscribe --all; subscription-manager unregister`,
      }
      mustEnd(done, ({ stderr }) => `Failed to unregister: ${stderr}`)
      return { changed: true, msg: `System successfully unregistered from ${args.server_hostname ?? 'subscription.rhsm.redhat.com'}.` }
    }
    const purpose = purposeScript(args, look.file('/etc/rhsm/syspurpose/syspurpose.json'))
    if (registered && !args.force_register) {
      if (purpose === undefined) return { changed: false, msg: 'System already registered.' }
      const done = yield { what: 'purpose', onFailure: 'tell', script: purpose }
      mustEnd(done, ({ stderr }) => `Failed to update syspurpose attributes: ${stderr}`)
      return { changed: true, msg: 'Syspurpose attributes changed.' }
    }
    if (args.username === undefined && args.activationkey === undefined && args.token === undefined) {
      throw new ModuleFailure('state is present but any of the following are missing: username, activationkey, token')
    }
    const script = joinScripts(
      [configScript(args), registerScript(args), ...attachScripts(args), ...(purpose === undefined ? [] : [purpose])].map(
        (step) => sh`${step} || exit $?`,
      ),
    )
    const done = yield { what: 'registration', onFailure: 'tell', script }
    mustEnd(
      done,
      ({ stderr, stdout }) => `Failed to register with '${args.server_hostname ?? 'subscription.rhsm.redhat.com'}': ${stderr || stdout}`,
    )
    return {
      changed: true,
      msg: `System successfully registered to '${args.server_hostname ?? 'subscription.rhsm.redhat.com'}'.`,
      subscribed_pool_ids: pools(args).map((one) => one.id),
    }
  },
})

/** parameter → setting of subscription-manager */
const settings = {
  server_hostname: 'server.hostname',
  server_insecure: 'server.insecure',
  server_prefix: 'server.prefix',
  server_port: 'server.port',
  rhsm_baseurl: 'rhsm.baseurl',
  rhsm_repo_ca_cert: 'rhsm.repo_ca_cert',
  server_proxy_hostname: 'server.proxy_hostname',
  server_proxy_scheme: 'server.proxy_scheme',
  server_proxy_port: 'server.proxy_port',
  server_proxy_user: 'server.proxy_user',
  server_proxy_password: 'server.proxy_password',
} as const

function configScript(args: SubscriptionArgs): Script {
  const words = (Object.keys(settings) as (keyof typeof settings)[]).flatMap((name) =>
    args[name] === undefined ? [] : [`--${settings[name]}=${args[name]}`],
  )
  return words.length > 0 ? sh`subscription-manager config ${words}` : sh`:`
}

function registerScript(args: SubscriptionArgs): Script {
  const pairs: readonly [string, string | undefined][] = [
    ['--org', args.org_id],
    ['--activationkey', args.activationkey],
    ['--token', args.token],
    ['--username', args.username],
    ['--password', args.password],
    ['--type', args.consumer_type],
    ['--name', args.consumer_name],
    ['--consumerid', args.consumer_id],
    ['--environment', args.environment],
    ['--release', args.release],
  ]
  const words = [
    ...(args.force_register ? ['--force'] : []),
    ...(args.auto_attach ? ['--auto-attach'] : []),
    ...pairs.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ]
  return sh`subscription-manager register ${words}`
}

/** A pool by number, some with a quantity. */
interface Pool {
  readonly id: string
  readonly quantity: string | undefined
}

function pools(args: SubscriptionArgs): Pool[] {
  return args.pool_ids.flatMap((one): Pool[] => {
    const value = one as Value
    return isDict(value)
      ? [...value].map(([id, quantity]) => ({ id: String(id), quantity: String(quantity) }))
      : [{ id: String(value), quantity: undefined }]
  })
}

function attachScripts(args: SubscriptionArgs): Script[] {
  const byNumber = pools(args).map(
    ({ id, quantity }) => sh`subscription-manager attach --pool ${id} ${quantity === undefined ? [] : ['--quantity', quantity]}`,
  )
  if (args.pool === undefined || args.pool === '^$') return byNumber
  return [
    ...byNumber,
    sh`subscription-manager list --available --pool-only --matches ${args.pool} | while read -r p; do subscription-manager attach --pool "$p" || exit $?; done`,
  ]
}

/** What the host is for, where that differs. */
function purposeScript(args: SubscriptionArgs, text: string | undefined): Script | undefined {
  if (!isDict(args.syspurpose)) return undefined
  const now = parse(text)
  const steps = ['role', 'usage', 'service_level_agreement', 'addons'].flatMap((name): Script[] => {
    const value = args.syspurpose!.get(name)
    if (value === undefined || value === null) return []
    const words = Array.isArray(value) ? value.map(String) : [String(value)]
    const same = JSON.stringify(now[name]) === JSON.stringify(Array.isArray(value) ? words : words[0])
    const verb = name === 'service_level_agreement' ? 'service-level' : name
    return same
      ? []
      : [
          Array.isArray(value)
            ? sh`subscription-manager addons ${words.map((word) => `--add=${word}`)}`
            : sh`subscription-manager ${verb} --set ${words}`,
        ]
  })
  return steps.length > 0 ? joinScripts(steps.map((step) => sh`${step} || exit $?`)) : undefined
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}
