/** openssl_signature_info: tells whether a signature is one of a file by a certificate's key. */
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { choice, path, required, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { readFileOf } from './read-key.ts'

export default defineModule({
  name: 'community.crypto.openssl_signature_info',
  summary: 'Checks signatures of files.',
  params: {
    certificate_content: str({ description: 'the certificate' }),
    certificate_path: path({ description: 'file of the certificate' }),
    path: required(path({ description: 'the file that is signed' })),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
    signature: required(str({ description: 'the signature, in Base64' })),
  },
  rules: { mutuallyExclusive: [['certificate_path', 'certificate_content']], requiredOneOf: [['certificate_path', 'certificate_content']] },
  async *run(args, host) {
    const data = await readFileOf(host, args.path)
    const pem = args.certificate_content ?? textOf(await readFileOf(host, args.certificate_path!))
    const key = certificateOf(pem).publicKey
    const digest = key.asymmetricKeyType?.startsWith('ed') ? null : 'sha256'
    return { changed: false, valid: isValid(digest, data, key, Buffer.from(args.signature, 'base64')) }
  },
})

function certificateOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw new ModuleFailure((error as Error).message)
  }
}

function isValid(digest: string | null, data: Uint8Array, key: KeyObject, seal: Uint8Array): boolean {
  try {
    return verify(digest, data, key, seal)
  } catch {
    return false
  }
}
