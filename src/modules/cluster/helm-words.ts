/** What the Helm modules share: the parameters of the connection, the words of a call, and a release as it is told. */
import { type Dict, isDict, type Json, type JsonObject, type Value } from '../../base/index.ts'
import { bool, fallback, path, pythonJson, raw, str } from '../../params/index.ts'
import { joinScripts, type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'

export const helmParams = {
  api_key: str({ noLog: true, description: 'token of the API server' }),
  binary_path: path({ description: 'the helm program' }),
  ca_cert: path({ aliases: ['ssl_ca_cert'], description: "certificates of the API server's authority" }),
  context: str({ aliases: ['kube_context'], description: 'context of the kubeconfig' }),
  host: str({ description: 'address of the API server' }),
  kubeconfig: raw({ aliases: ['kubeconfig_path'], description: 'kubeconfig file on the host, or its content as a dict' }),
  validate_certs: fallback(bool({ aliases: ['verify_ssl'], description: "check the API server's certificate" }), true),
} as const

export interface HelmConnection {
  readonly api_key?: string | undefined
  readonly binary_path?: string | undefined
  readonly ca_cert?: string | undefined
  readonly context?: string | undefined
  readonly host?: string | undefined
  readonly kubeconfig?: Value | undefined
  readonly validate_certs: boolean
  readonly release_namespace?: string | undefined
}

const NO_HELM = 93

/** Defines the shell function `hm`, which is helm with the connection's words and variables. */
export function withHelm(args: HelmConnection, body: Script): Script {
  const variable = (set: Script, given: string | undefined): Script => (given === undefined ? sh`` : set)
  return joinScripts([
    sh`(`,
    variable(sh`export HELM_NAMESPACE=${args.release_namespace ?? ''}`, args.release_namespace),
    variable(sh`export HELM_KUBEAPISERVER=${args.host ?? ''}`, args.host),
    variable(sh`export HELM_KUBETOKEN=${args.api_key ?? ''}`, args.api_key),
    variable(sh`export HELM_KUBECAFILE=${args.ca_cert ?? ''}`, args.ca_cert),
    variable(sh`export HELM_KUBECONTEXT=${args.context ?? ''}`, args.context),
    args.validate_certs ? sh`` : sh`export HELM_KUBEINSECURE_SKIP_TLS_VERIFY=true`,
    kubeconfigScript(args.kubeconfig),
    sh`command -v ${binary(args)} >/dev/null || exit ${NO_HELM}
hm() { ${binary(args)} "$@"; }`,
    body,
    sh`)`,
  ])
}

export const binary = (args: HelmConnection): string => args.binary_path ?? 'helm'

function kubeconfigScript(kubeconfig: Value | undefined): Script {
  if (kubeconfig === undefined || kubeconfig === null)
    return sh`if [ -n "$K8S_AUTH_KUBECONFIG" ]; then export KUBECONFIG="$K8S_AUTH_KUBECONFIG"; fi`
  if (isDict(kubeconfig))
    return sh`KUBECONFIG=$(umask 077; mktemp) || exit 1
export KUBECONFIG
trap 'rm -f "$KUBECONFIG"' EXIT
printf %s ${pythonJson(kubeconfig)} >"$KUBECONFIG"`
  const file = String(kubeconfig)
  return file.startsWith('~/') ? sh`export KUBECONFIG="$HOME"/${file.slice(2)}` : sh`export KUBECONFIG=${file}`
}

/** The failure of a call, with the command as it is told. */
export function helmFailure(output: Output, command: string): ModuleFailure {
  if (output.code === NO_HELM) return new ModuleFailure('Failed to find required executable "helm" in paths')
  const [stdout, stderr] = [textOf(output.stdout), textOf(output.stderr)]
  return new ModuleFailure(`Failure when executing Helm command. Exited ${output.code}.\nstdout: ${stdout}\nstderr: ${stderr}`, {
    command,
    stdout,
    stderr,
    rc: output.code,
  })
}

/** A release as `helm list` and `helm get values` tell it; undefined where there is none. */
export async function releaseOf(
  host: Host,
  args: HelmConnection & { readonly release_name: string },
  options: { readonly states?: readonly string[]; readonly allValues?: boolean } = {},
): Promise<JsonObject | undefined> {
  const states = (options.states?.length ? options.states : ['all']).map((state) => `--${state}`)
  // the filter of helm is a pattern
  const pattern = `^${args.release_name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  const all = options.allValues ? ['--all'] : []
  const told = await host.look(
    withHelm(
      args,
      sh`l=$(hm list --output=json ${states} --filter ${pattern}) || exit $?
printf '%s\036' "$l"
case $l in *'"name"'*) hm get values --output=json ${all} ${args.release_name} ;; esac`,
    ),
    { onFailure: 'tell' },
  )
  if (told.code !== 0) throw helmFailure(told, `${binary(args)} list`)
  const [list = '', values = ''] = textOf(told.stdout).split('\u001e')
  const releases = JSON.parse(list.trim() || '[]') as JsonObject[] | null
  const release = releases?.find((one) => one['name'] === args.release_name)
  return release && { ...release, values: (JSON.parse(values.trim() || 'null') as Json) ?? {} }
}

export const isEmpty = (value: Dict | undefined): boolean => value === undefined || value.size === 0
