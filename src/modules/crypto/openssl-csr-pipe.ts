/** openssl_csr_pipe: gives a request for a certificate that is as asked for: the one that is given, or a new one. */
import { str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { type CsrArgs, essenceOf, params as fileParams, makeRequest, told } from './openssl-csr.ts'
import { without } from './without.ts'

const params = {
  ...without(fileParams, [
    ...(Object.keys(attributeParams) as (keyof typeof attributeParams)[]),
    'backup',
    'force',
    'path',
    'return_content',
    'state',
  ]),
  content: str({ description: 'the request that is there' }),
}

export default defineModule({
  name: 'community.crypto.openssl_csr_pipe',
  summary: 'Makes requests for certificates, without files.',
  params,
  rules: {
    mutuallyExclusive: [
      ['privatekey_path', 'privatekey_content'],
      ['subject', 'subject_ordered'],
    ],
    requiredOneOf: [['privatekey_path', 'privatekey_content']],
  },
  async *run(args, host) {
    if (args.version !== 1) throw new ModuleFailure('Invalid version: the only one is 1')
    const whole = { ...args, path: '' } as unknown as CsrArgs
    const made = await makeRequest(host, whole)
    const changed = essenceOf(args.content ?? '') !== essenceOf(made)
    const { filename: _, ...rest } = told(whole)
    return { changed, ...rest, csr: changed && !host.check ? made : (args.content ?? null) }
  },
})
