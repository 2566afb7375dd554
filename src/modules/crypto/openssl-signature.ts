/** openssl_signature: signs a file with a private key; the key stays on the host. */
import { choice, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { opensslFailure, opensslScript } from './openssl.ts'

const NO_FILE = 95

export default defineModule({
  name: 'community.crypto.openssl_signature',
  summary: 'Signs files.',
  params: {
    path: required(path({ description: 'the file that is signed' })),
    privatekey_content: str({ noLog: true, description: 'the private key' }),
    privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
    privatekey_path: path({ description: 'file of the private key' }),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
  },
  rules: { mutuallyExclusive: [['privatekey_path', 'privatekey_content']], requiredOneOf: [['privatekey_path', 'privatekey_content']] },
  async *run(args, host) {
    const told = await host.look(
      opensslScript(
        { config: '', key: args },
        sh`[ -f ${args.path} ] || exit ${NO_FILE}
if openssl pkey -in "$key" -passin env:TSSPRAY_PASS -noout -text 2>/dev/null | grep -q '^ED'; then
openssl pkeyutl -sign -rawin -inkey "$key" -passin env:TSSPRAY_PASS -in ${args.path} -out "$dir/sig" || exit 1
else openssl dgst -sha256 -sign "$key" -passin env:TSSPRAY_PASS -out "$dir/sig" ${args.path} || exit 1; fi
openssl base64 -A -in "$dir/sig"`,
      ),
      { onFailure: 'tell', env: new Map([['TSSPRAY_PASS', args.privatekey_passphrase ?? '']]) },
    )
    if (told.code === NO_FILE) throw new ModuleFailure(`The file ${args.path} does not exist`, { name: args.path })
    if (told.code !== 0) throw opensslFailure(told)
    return { changed: false, signature: textOf(told.stdout) }
  },
})
