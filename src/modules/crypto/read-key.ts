/** Asks the host's openssl for a private key's public half, or for the whole key where that is asked for. */
import { sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import { type KeySource, opensslFailure, opensslScript } from './openssl.ts'

/** DER: the public key with its algorithm, or the private one as PKCS#8. */
export async function readKey(host: Host, key: KeySource, passphrase: string | undefined, half: 'public' | 'private'): Promise<Uint8Array> {
  const words = half === 'public' ? ['pkey', '-pubout'] : ['pkcs8', '-topk8', '-nocrypt']
  const told = await host.look(
    opensslScript(
      { config: '', key },
      sh`openssl ${words} -in "$key" -passin env:TSSPRAY_PASS -outform DER >"$dir/der" || exit 1; openssl base64 -A -in "$dir/der"`,
    ),
    { onFailure: 'tell', env: new Map([['TSSPRAY_PASS', passphrase ?? '']]) },
  )
  if (told.code !== 0) throw opensslFailure(told)
  return new Uint8Array(Buffer.from(textOf(told.stdout), 'base64'))
}

/** Whether a key is to be read from a file that is not there. */
export const keyIsMissing = async (host: Host, path: string | undefined): Promise<boolean> =>
  path !== undefined && (await host.look(sh`[ -e ${path} ]`, { onFailure: 'tell' })).code !== 0

/** The bytes of a file on the host, which must be there. */
export async function readFileOf(host: Host, path: string): Promise<Uint8Array> {
  const told = await host.look(sh`[ -f ${path} ] || exit 94; cat -- ${path}`, { onFailure: 'tell' })
  if (told.code !== 0) throw new ModuleFailure(`The file ${path} does not exist`, { name: path })
  return told.stdout
}
