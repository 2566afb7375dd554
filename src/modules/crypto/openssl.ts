/** Makes the script in which openssl has its configuration and key at hand: in a folder of its own, which is gone afterwards. */
import { type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { ModuleFailure } from '../api.ts'

export interface KeySource {
  readonly privatekey_path?: string | undefined
  readonly privatekey_content?: string | undefined
}

const NO_OPENSSL = 93
const NO_KEY = 94

/** The script finds `$dir/config` and `$key`. */
export function opensslScript({ config, key }: { readonly config: string; readonly key: KeySource }, body: Script): Script {
  const keyScript =
    key.privatekey_content === undefined
      ? sh`key=${key.privatekey_path ?? ''}
[ -f "$key" ] || { printf %s "$key"; exit ${NO_KEY}; }`
      : sh`key=$dir/key; printf %s ${key.privatekey_content} >"$key"`
  return sh`command -v openssl >/dev/null || exit ${NO_OPENSSL}
umask 077
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
printf %s ${config} >"$dir/config"
${keyScript}
${body}`
}

export function opensslFailure(output: Output): ModuleFailure {
  if (output.code === NO_OPENSSL) return new ModuleFailure('Failed to find required executable "openssl" in paths')
  if (output.code === NO_KEY) return new ModuleFailure(`The private key file ${textOf(output.stdout)} does not exist`)
  return new ModuleFailure(`openssl failed: ${textOf(output.stderr).trim()}`, { rc: output.code })
}
