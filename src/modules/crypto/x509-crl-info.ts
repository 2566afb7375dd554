/** x509_crl_info: tells what a list of revoked certificates says. */
import { bool, choice, fallback, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { type Crl, readCrl, toldCrl, toldRevoked } from './crl.ts'
import { pemToDer } from './der.ts'
import { readFileOf } from './read-key.ts'

export default defineModule({
  name: 'community.crypto.x509_crl_info',
  summary: 'Tells what a list of revoked certificates says.',
  params: {
    content: str({ description: 'the list: PEM, or DER in Base64' }),
    list_revoked_certificates: fallback(bool({ description: 'tell the certificates too' }), true),
    name_encoding: choice(['ignore', 'idna', 'unicode'], 'ignore', { description: 'how names beyond ASCII are told' }),
    path: path({ description: 'file of the list' }),
  },
  rules: { requiredOneOf: [['path', 'content']], mutuallyExclusive: [['path', 'content']] },
  async *run(args, host) {
    const bytes = args.content === undefined ? await readFileOf(host, args.path!) : new TextEncoder().encode(args.content)
    const pem = pemToDer(textOf(bytes))
    const crl = parsed(pem ?? (args.content === undefined ? bytes : new Uint8Array(Buffer.from(args.content, 'base64'))))
    const revoked = args.list_revoked_certificates ? { revoked_certificates: crl.revoked.map(toldRevoked) } : {}
    return { changed: false, format: pem ? 'pem' : 'der', ...toldCrl(crl), ...revoked }
  },
})

function parsed(der: Uint8Array): Crl {
  try {
    return readCrl(der)
  } catch (error) {
    throw new ModuleFailure(`Error while decoding CRL: ${(error as Error).message}`)
  }
}
