/** x509_certificate_pipe: gives a certificate that is as asked for: the one that is given, or a new one. */
import { choice, required, str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { pemToDer } from './der.ts'
import { without } from './without.ts'
import { readCertificate } from './x509.ts'
import { type CertArgs, params as fileParams, isAsGood, sign, told, wishOf } from './x509-certificate.ts'

const params = {
  ...without(fileParams, [
    ...(Object.keys(attributeParams) as (keyof typeof attributeParams)[]),
    ...([
      'acme_accountkey_path',
      'acme_challenge_path',
      'acme_chain',
      'acme_directory',
      'state',
      'path',
      'return_content',
      'backup',
    ] as const),
  ]),
  content: str({ description: 'the certificate that is there' }),
  provider: required(choice(['entrust', 'ownca', 'selfsigned'], { description: 'who signs: its own key, or an authority of yours' })),
}

export default defineModule({
  name: 'community.crypto.x509_certificate_pipe',
  summary: 'Makes certificates, without files.',
  params,
  rules: {
    mutuallyExclusive: [
      ['csr_path', 'csr_content'],
      ['privatekey_path', 'privatekey_content'],
      ['ownca_path', 'ownca_content'],
      ['ownca_privatekey_path', 'ownca_privatekey_content'],
    ],
  },
  async *run(args, host) {
    const whole = { ...args, path: '' } as unknown as CertArgs
    const { made, authority } = await sign(host, whole, wishOf(whole, host.now()))
    const changed = args.force || !isAsGood(args.content ?? '', made, authority, args.ignore_timestamps)
    const certificate = changed && !host.check ? made : (args.content ?? null)
    const { filename: _, ...rest } = told(whole, readCertificate(pemToDer(changed ? made : args.content!)!))
    return { changed, ...rest, certificate }
  },
})
