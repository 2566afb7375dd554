/** helm_pull: gets a chart from a repository into a folder of the host. */
import { type Args, bool, fallback, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { callHelm } from './helm-plugins.ts'
import { helmFailure, withHelm } from './helm-words.ts'

const params = {
  binary_path: path({ description: 'the helm program' }),
  chart_ca_cert: path({ description: "certificates of the repository's authority" }),
  chart_devel: bool({ description: 'versions in the making too' }),
  chart_ref: required(str({ description: 'chart: repo/name or address' })),
  chart_ssl_cert_file: path({ description: 'certificate to be known by' }),
  chart_ssl_key_file: path({ description: 'key of the certificate' }),
  chart_version: str({ description: 'version of the chart; the newest otherwise' }),
  destination: required(path({ description: 'folder on the host' })),
  pass_credentials: fallback(bool({ description: 'tell user and password to other servers too' }), false),
  provenance: fallback(bool({ description: 'get the proof of its origin, and do not check it' }), false),
  repo_password: str({ aliases: ['password', 'chart_repo_password'], noLog: true, description: "the repository's password" }),
  repo_url: str({ aliases: ['url', 'chart_repo_url'], description: 'address of the repository' }),
  repo_username: str({ aliases: ['username', 'chart_repo_username'], description: "the repository's user" }),
  skip_tls_certs_check: fallback(bool({ description: "do not check the repository's certificate" }), false),
  untar_chart: fallback(bool({ description: 'unpack the chart' }), false),
  verify_chart: fallback(bool({ description: 'check the proof of its origin' }), false),
  verify_chart_keyring: path({ description: 'file of the keys for the check' }),
} as const

type PullArgs = Args<typeof params>

/** [parameter, option of helm, since which version of helm] */
const VALUES = [
  ['chart_version', '--version'],
  ['verify_chart_keyring', '--keyring'],
  ['repo_url', '--repo'],
  ['repo_username', '--username'],
  ['repo_password', '--password'],
  ['destination', '--destination'],
  ['chart_ca_cert', '--ca-file', '3.1.0'],
  ['chart_ssl_cert_file', '--cert-file', '3.1.0'],
  ['chart_ssl_key_file', '--key-file', '3.1.0'],
] as const

const FLAGS = [
  ['verify_chart', '--verify'],
  ['provenance', '--prov'],
  ['pass_credentials', '--pass-credentials'],
  ['skip_tls_certs_check', '--insecure-skip-tls-verify', '3.3.0'],
  ['chart_devel', '--devel'],
  ['untar_chart', '--untar'],
] as const

export default defineModule({
  name: 'kubernetes.core.helm_pull',
  summary: 'Gets charts from repositories.',
  params,
  rules: {
    requiredBy: { repo_username: ['repo_password'], repo_password: ['repo_username'] },
    mutuallyExclusive: [['chart_version', 'chart_devel']],
  },
  async *run(args, host) {
    const connection = { binary_path: args.binary_path, validate_certs: true }
    const version = await helmVersion(host, args)
    checkVersion(args, version)
    const words = ['pull', args.chart_ref, ...wordsOf(args, args.repo_password)]
    const shown = ['pull', args.chart_ref, ...wordsOf(args, '********')]
    const told = yield* callHelm('chart', connection, words, { shown })
    if (told.rc !== 0) throw new ModuleFailure('Failure when executing Helm command.', { changed: false, ...told })
    return { changed: true, ...told }
  },
})

const wordsOf = (args: PullArgs, password: string | undefined): string[] => [
  ...VALUES.flatMap(([name, option]) => (args[name] ? [option, name === 'repo_password' ? (password ?? '') : args[name]] : [])),
  ...FLAGS.flatMap(([name, option]) => (args[name] ? [option] : [])),
]

async function helmVersion(host: Host, args: PullArgs): Promise<readonly number[]> {
  const told = await host.look(withHelm({ binary_path: args.binary_path, validate_certs: true }, sh`hm version --client --short`), {
    onFailure: 'tell',
  })
  if (told.code !== 0) throw helmFailure(told, 'helm version --client --short')
  return (/v(\d+(?:\.\d+)*)/.exec(textOf(told.stdout))?.[1] ?? '0').split('.').map(Number)
}

const isSince = (version: readonly number[], since: string): boolean => {
  for (const [i, part] of since.split('.').map(Number).entries()) if ((version[i] ?? 0) !== part) return (version[i] ?? 0) > part
  return true
}

function checkVersion(args: PullArgs, version: readonly number[]): void {
  const current = version.join('.')
  if (!isSince(version, '3.0.0')) throw new ModuleFailure(`This module requires helm >= 3.0.0, current version is ${current}`)
  for (const [name, , since] of [...VALUES, ...FLAGS] as readonly (readonly [keyof PullArgs, string, string?])[])
    if (since !== undefined && args[name] && !isSince(version, since))
      throw new ModuleFailure(`Parameter ${name} requires helm >= ${since}, current version is ${current}`)
}
