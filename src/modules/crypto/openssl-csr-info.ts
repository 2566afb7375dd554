/** openssl_csr_info: tells what a request for a certificate says. */
import type { JsonObject } from '../../base/index.ts'
import { choice, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { pemToDer } from './der.ts'
import { describeRequest } from './describe-request.ts'
import { readFileOf } from './read-key.ts'

export default defineModule({
  name: 'community.crypto.openssl_csr_info',
  summary: 'Tells what a request for a certificate says.',
  params: {
    content: str({ description: 'the request' }),
    name_encoding: choice(['ignore', 'idna', 'unicode'], 'ignore', { description: 'how names beyond ASCII are told' }),
    path: path({ description: 'file of the request' }),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
  },
  rules: { requiredOneOf: [['path', 'content']], mutuallyExclusive: [['path', 'content']] },
  async *run(args, host) {
    const text = args.content ?? textOf(await readFileOf(host, args.path!))
    const der = /-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(text) ? pemToDer(text) : undefined
    if (!der)
      throw new ModuleFailure('Valid PEM but no BEGIN CERTIFICATE REQUEST/END CERTIFICATE REQUEST delimiters. Are you sure this is a CSR?')
    let told: JsonObject
    try {
      told = describeRequest(der)
    } catch (error) {
      throw new ModuleFailure(`Unable to load request: ${(error as Error).message}`)
    }
    if (told['signature_valid'] === false) throw new ModuleFailure('CSR signature is invalid! (See also return values)', told)
    return { changed: false, ...told }
  },
})
