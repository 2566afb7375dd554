/** yum_repository: makes a repository be in a .repo file, or not. */
import type { Value } from '../../base/index.ts'
import { parseIni } from '../../facts/index.ts'
import { bool, choice, fallback, list, path, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { lookAt } from '../system/looking.ts'
import { writeText } from '../system/write-text.ts'

/** Parameters that become keys of the repository as they are. */
const keys = {
  bandwidth: str(),
  baseurl: list(),
  cost: str(),
  countme: bool(),
  deltarpm_metadata_percentage: str(),
  deltarpm_percentage: str(),
  description: str(),
  enabled: bool(),
  enablegroups: bool(),
  exclude: list('str', { aliases: ['excludepkgs'] }),
  failovermethod: choice(['roundrobin', 'priority']),
  gpgcakey: str(),
  gpgcheck: bool(),
  gpgkey: list(),
  module_hotfixes: bool(),
  http_caching: choice(['all', 'packages', 'none']),
  include: str(),
  includepkgs: list(),
  ip_resolve: choice(['4', '6', 'IPv4', 'IPv6', 'whatever']),
  keepalive: bool(),
  keepcache: choice(['0', '1']),
  metadata_expire: str(),
  metadata_expire_filter: choice(['never', 'read-only:past', 'read-only:present', 'read-only:future']),
  metalink: str(),
  mirrorlist: str(),
  mirrorlist_expire: str(),
  password: str({ noLog: true }),
  priority: str(),
  protect: bool(),
  proxy: str(),
  proxy_password: str({ noLog: true }),
  proxy_username: str(),
  repo_gpgcheck: bool(),
  retries: str(),
  s3_enabled: bool(),
  skip_if_unavailable: bool(),
  sslcacert: str({ aliases: ['ca_cert'] }),
  ssl_check_cert_permissions: bool(),
  sslclientcert: str({ aliases: ['client_cert'] }),
  sslclientkey: str({ aliases: ['client_key'] }),
  sslverify: bool({ aliases: ['validate_certs'] }),
  throttle: str(),
  timeout: str(),
  ui_repoid_vars: str(),
  username: str(),
  async: bool(),
} as const

export default defineModule({
  name: 'ansible.builtin.yum_repository',
  summary: 'Manages repositories of yum and dnf.',
  params: {
    ...keys,
    name: required(str()),
    file: str(),
    reposdir: fallback(path(), '/etc/yum.repos.d'),
    state: choice(['present', 'absent'], 'present'),
    ...attributeParams,
    unsafe_writes: fallback(bool(), false),
  },
  rules: {
    requiredIf: [
      ['state', 'present', ['baseurl', 'mirrorlist', 'metalink'], true],
      ['state', 'present', ['description']],
    ],
  },
  async *run(args, host) {
    const { name, state, reposdir } = args
    const dest = `${reposdir}/${args.file ?? name}.repo`
    const look = await lookAt(host, sh`e ${reposdir} ${dest}; f ${dest}`)
    if (!look.exists(reposdir)) throw new ModuleFailure(`Repo directory '${reposdir}' does not exist.`)
    const parsed = parseIni((look.section(`f:${dest}`) ?? '').split('\n'))
    if (typeof parsed === 'string') throw new ModuleFailure(`Problems handling file ${dest}.`, { details: parsed })
    const after = { ...parsed.sections }
    delete after[name]
    if (state === 'present') after[name] = section(args)
    const [before, then] = [dump(parsed.sections), dump(after)]
    let changed = before !== then
    if (changed) {
      const script = Object.keys(after).length === 0 ? sh`rm -f ${dest}` : writeText(dest, render(after))
      yield { what: 'repository', script }
    }
    const attributes = attributeArgs(args)
    if (attributes.size > 0 && (look.exists(dest) || state === 'present') && !(host.check && !look.exists(dest))) {
      const result = yield* host.call('ansible.builtin.file', new Map<string, Value>([...attributes, ['path', dest]]))
      changed ||= result.changed === true
    }
    return { changed, repo: name, state, ...(host.diff ? { diff: { before, after: then, before_header: dest, after_header: dest } } : {}) }
  },
})

const attributeNames = ['mode', 'owner', 'group', 'seuser', 'serole', 'setype', 'selevel', 'attributes'] as const

const attributeArgs = (args: { readonly [K in (typeof attributeNames)[number]]?: Value | undefined }): Map<string, Value> =>
  new Map(
    attributeNames.flatMap((name) => (args[name] === undefined || args[name] === null ? [] : [[name, args[name]] as [string, Value]])),
  )

/** The keys of the wanted repository, in order of their names. */
function section(args: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.keys(keys).flatMap((key): [string, string][] => {
    const value = args[key]
    if (value === undefined || value === null) return []
    return [[key === 'description' ? 'name' : key, text(key, value)]]
  })
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function text(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.join(key === 'baseurl' || key === 'gpgkey' ? '\n' : ' ')
  return String(value)
}

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>

const lines = (entries: readonly [string, string][], join: string): string =>
  entries.map(([key, value]) => `${key} = ${value.replaceAll('\n', join)}\n`).join('')

/** The file; a value of several lines goes on indented. */
const render = (sections: Sections): string =>
  Object.entries(sections)
    .map(([name, own]) => `[${name}]\n${lines(Object.entries(own), '\n\t')}\n`)
    .join('')

/** For comparison: all in order of names. */
const dump = (sections: Sections): string =>
  Object.keys(sections)
    .sort()
    .map(
      (name) =>
        `[${name}]\n${lines(
          Object.entries(sections[name]!).sort(([a], [b]) => (a < b ? -1 : 1)),
          '\n',
        )}\n`,
    )
    .join('')
