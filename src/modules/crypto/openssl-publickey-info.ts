/** openssl_publickey_info: tells what a public key is. */
import { createPublicKey } from 'node:crypto'
import { choice, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { keyData } from './describe.ts'
import { fingerprintsOf, keyFacts } from './fingerprints.ts'
import { readFileOf } from './read-key.ts'

export default defineModule({
  name: 'community.crypto.openssl_publickey_info',
  summary: 'Tells what a public key is.',
  params: {
    content: str({ description: 'the public key' }),
    path: path({ description: 'file of the public key' }),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
  },
  rules: { requiredOneOf: [['path', 'content']], mutuallyExclusive: [['path', 'content']] },
  async *run(args, host) {
    const text = args.content ?? textOf(await readFileOf(host, args.path!))
    let der: Uint8Array
    try {
      der = createPublicKey(text).export({ format: 'der', type: 'spki' })
    } catch (error) {
      throw new ModuleFailure(`Error while deserializing key: ${(error as Error).message}`)
    }
    const { type, size, curve } = keyFacts(der)
    const told = { fingerprints: fingerprintsOf(der), type, public_data: keyData(der, type, size, curve) }
    // Ansible says the first three so, whatever the key
    return { changed: false, can_load_key: false, can_parse_key: false, key_is_consistent: null, ...told }
  },
})
