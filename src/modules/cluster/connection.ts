/** Turns the connection parameters of the Kubernetes modules into the words and the environment with which kubectl is called on the host. */
import { type Dict, isDict, type Json, type JsonObject, toJson, type Value } from '../../base/index.ts'
import { bool, dictOf, list, path, pythonJson, raw, str } from '../../params/index.ts'
import { joinScripts, type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'

export const connectionParams = {
  api_key: str({ noLog: true, description: 'token of the API server' }),
  ca_cert: path({ aliases: ['ssl_ca_cert'], description: "certificates of the API server's authority" }),
  client_cert: path({ aliases: ['cert_file'], description: 'certificate to be known by' }),
  client_key: path({ aliases: ['key_file'], description: 'key of client_cert' }),
  context: str({ description: 'context of the kubeconfig' }),
  host: str({ description: 'address of the API server' }),
  impersonate_groups: list('str', { description: 'groups to act as' }),
  impersonate_user: str({ description: 'user to act as' }),
  kubeconfig: raw({ description: 'kubeconfig file on the host, or its content as a dict' }),
  no_proxy: str({ description: 'hosts that are reached without the proxy' }),
  password: str({ noLog: true, description: 'password of username' }),
  persist_config: bool({ description: 'kubectl always keeps renewed tokens in the kubeconfig' }),
  proxy: str({ description: 'proxy to the API server' }),
  proxy_headers: dictOf({
    basic_auth: str({ noLog: true, description: 'user and password for the API server' }),
    proxy_basic_auth: str({ noLog: true, description: 'user and password for the proxy' }),
    user_agent: str({ description: 'what the client calls itself' }),
  }),
  username: str({ description: 'user of the API server' }),
  validate_certs: bool({ aliases: ['verify_ssl'], description: "check the API server's certificate" }),
} as const

export interface Connection {
  readonly api_key?: string | undefined
  readonly ca_cert?: string | undefined
  readonly client_cert?: string | undefined
  readonly client_key?: string | undefined
  readonly context?: string | undefined
  readonly host?: string | undefined
  readonly impersonate_groups?: readonly string[] | undefined
  readonly impersonate_user?: string | undefined
  readonly kubeconfig?: Value | undefined
  readonly no_proxy?: string | undefined
  readonly password?: string | undefined
  readonly proxy?: string | undefined
  readonly proxy_headers?: Dict | undefined
  readonly username?: string | undefined
  readonly validate_certs?: boolean | undefined
}

/** Each option of kubectl with the variable of the host's environment that stands for it where the task says nothing. */
const OPTIONS = [
  ['--server', 'host', 'K8S_AUTH_HOST'],
  ['--context', 'context', 'K8S_AUTH_CONTEXT'],
  ['--token', 'api_key', 'K8S_AUTH_API_KEY'],
  ['--username', 'username', 'K8S_AUTH_USERNAME'],
  ['--password', 'password', 'K8S_AUTH_PASSWORD'],
  ['--certificate-authority', 'ca_cert', 'K8S_AUTH_SSL_CA_CERT'],
  ['--client-certificate', 'client_cert', 'K8S_AUTH_CERT_FILE'],
  ['--client-key', 'client_key', 'K8S_AUTH_KEY_FILE'],
  ['--as', 'impersonate_user', 'K8S_AUTH_IMPERSONATE_USER'],
] as const

/** Defines the shell function `kc`, which is kubectl with the connection's words; everything runs in a subshell of its own. */
export function withKubectl(connection: Connection, body: Script): Script {
  return joinScripts([sh`(`, proxyScript(connection), kubeconfigScript(connection), kubectlFunction(connection), body, sh`)`])
}

function kubectlFunction(connection: Connection): Script {
  const words = OPTIONS.map(([option, name, variable]) => {
    const given = connection[name]
    return given === undefined ? fromEnvironment(option, variable) : sh`${`${option}=${given}`}`
  })
  const groups = (connection.impersonate_groups ?? []).map((group) => `--as-group=${group}`)
  const trust = connection.validate_certs === false ? ['--insecure-skip-tls-verify=true'] : []
  return sh`command -v kubectl >/dev/null || exit ${NO_KUBECTL}
kc() { kubectl \${kubefile:+--kubeconfig="$kubefile"} ${words} ${groups} ${trust} "$@"; }`
}

const fromEnvironment = (option: string, variable: (typeof OPTIONS)[number][2]): Script => ENVIRONMENT[variable](option)

/** The shell's own text cannot be made of parts, so each variable has its line. */
const ENVIRONMENT: Readonly<Record<(typeof OPTIONS)[number][2], (option: string) => Script>> = {
  K8S_AUTH_HOST: (o) => sh`\${K8S_AUTH_HOST:+${o}="$K8S_AUTH_HOST"}`,
  K8S_AUTH_CONTEXT: (o) => sh`\${K8S_AUTH_CONTEXT:+${o}="$K8S_AUTH_CONTEXT"}`,
  K8S_AUTH_API_KEY: (o) => sh`\${K8S_AUTH_API_KEY:+${o}="$K8S_AUTH_API_KEY"}`,
  K8S_AUTH_USERNAME: (o) => sh`\${K8S_AUTH_USERNAME:+${o}="$K8S_AUTH_USERNAME"}`,
  K8S_AUTH_PASSWORD: (o) => sh`\${K8S_AUTH_PASSWORD:+${o}="$K8S_AUTH_PASSWORD"}`,
  K8S_AUTH_SSL_CA_CERT: (o) => sh`\${K8S_AUTH_SSL_CA_CERT:+${o}="$K8S_AUTH_SSL_CA_CERT"}`,
  K8S_AUTH_CERT_FILE: (o) => sh`\${K8S_AUTH_CERT_FILE:+${o}="$K8S_AUTH_CERT_FILE"}`,
  K8S_AUTH_KEY_FILE: (o) => sh`\${K8S_AUTH_KEY_FILE:+${o}="$K8S_AUTH_KEY_FILE"}`,
  K8S_AUTH_IMPERSONATE_USER: (o) => sh`\${K8S_AUTH_IMPERSONATE_USER:+${o}="$K8S_AUTH_IMPERSONATE_USER"}`,
}

/** A kubeconfig that is given as a dict lives in a file as long as the script runs. */
function kubeconfigScript({ kubeconfig }: Connection): Script {
  if (kubeconfig === undefined || kubeconfig === null) return sh`kubefile=$K8S_AUTH_KUBECONFIG`
  if (isDict(kubeconfig))
    return sh`kubefile=$(umask 077; mktemp) || exit 1
trap 'rm -f "$kubefile"' EXIT
printf %s ${pythonJson(kubeconfig)} >"$kubefile"`
  const file = String(kubeconfig)
  return file.startsWith('~/') ? sh`kubefile=$HOME/${file.slice(2)}` : sh`kubefile=${file}`
}

function proxyScript({ proxy, no_proxy: without, proxy_headers: headers }: Connection): Script {
  if (headers && headers.size > 0 && [...headers.values()].some((value) => value !== null)) {
    throw new ModuleFailure(
      'proxy_headers are not supported: kubectl has no way to send them; put user and password in the address of the proxy',
    )
  }
  return joinScripts([
    proxy === undefined ? sh`` : sh`HTTPS_PROXY=${proxy}; HTTP_PROXY=$HTTPS_PROXY; export HTTPS_PROXY HTTP_PROXY`,
    without === undefined ? sh`` : sh`NO_PROXY=${without}; export NO_PROXY`,
  ])
}

/** The status of a host without kubectl. */
export const NO_KUBECTL = 93

/** The failure of a call of kubectl. */
export function kubectlFailure(output: Output, more: JsonObject = {}): ModuleFailure {
  const stderr = textOf(output.stderr).trim()
  const message =
    output.code === NO_KUBECTL ? 'Failed to find required executable "kubectl" in paths' : stderr || `kubectl ended with ${output.code}`
  return new ModuleFailure(message, { ...more, rc: output.code, stderr })
}

export type KubeObject = Readonly<Record<string, Json>>

/** A call that only reads. */
export async function readKubectl(host: Host, connection: Connection, body: Script, stdin?: string): Promise<Output> {
  return host.look(withKubectl(connection, body), {
    onFailure: 'tell',
    ...(stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) }),
  })
}

export const parsed = (text: string): KubeObject => JSON.parse(text) as KubeObject

export const objectOf = (value: Json | undefined): KubeObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as KubeObject) : {}

export const plainObject = (value: Value): KubeObject => objectOf(toJson(value))
