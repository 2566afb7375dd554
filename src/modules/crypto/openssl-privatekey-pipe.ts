/** openssl_privatekey_pipe: gives a private key that is as asked for: the one that is given, or a new one, which is made on the controller. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { bool, fallback, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { fingerprintsOf, keyFacts } from './fingerprints.ts'
import { deedFor, params as fileParams, formatOf, type KeyArgs, type KeyNow } from './openssl-privatekey.ts'
import { makePrivateKey, type ReadKey, readPrivateKey, writePrivateKey } from './private-keys.ts'
import { without } from './without.ts'

const params = {
  ...without(fileParams, [
    ...(Object.keys(attributeParams) as (keyof typeof attributeParams)[]),
    ...(['backup', 'force', 'path', 'return_content', 'state'] as const),
  ]),
  content: str({ noLog: true, description: 'the key that is there' }),
  content_base64: fallback(bool({ description: 'the key that is there is in Base64' }), false),
  return_current_key: fallback(bool({ description: 'tell the key in any case, not only a new one' }), false),
}

export default defineModule({
  name: 'community.crypto.openssl_privatekey_pipe',
  summary: 'Makes private keys, without files.',
  params,
  rules: { requiredTogether: [['cipher', 'passphrase']], requiredIf: [['type', 'ECC', ['curve']]] },
  controllerOnly: true,
  async *run(args, host) {
    const whole = { ...args, path: '', force: false } as unknown as KeyArgs
    const given =
      args.content === undefined ? undefined : new Uint8Array(Buffer.from(args.content, args.content_base64 ? 'base64' : 'utf8'))
    const there = given && readPrivateKey(given, args.passphrase, args.type)
    const now = nowOf(given, there)
    const deed = deedFor(whole, now)
    const seal = args.cipher === undefined ? undefined : args.passphrase
    if (args.cipher !== undefined && args.cipher !== 'auto' && deed !== 'none')
      throw new ModuleFailure('Cryptography backend can only use "auto" for cipher option.')
    const key = deed === 'none' || host.check ? there?.key : deed === 'make' ? await makePrivateKey(args) : there!.key
    const bytes = deed === 'none' || host.check ? given : writePrivateKey(key!, formatOf(whole), seal)
    const changed = deed !== 'none'
    return {
      changed,
      type: args.type,
      size: args.size,
      ...(args.type === 'ECC' ? { curve: args.curve! } : {}),
      fingerprint: key ? fingerprintsOf(publicDer(key)) : {},
      ...(changed || args.return_current_key ? { privatekey: bytes ? toldKey(bytes) : null } : {}),
    }
  },
})

const publicDer = (key: KeyObject): Uint8Array => new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' }))

function nowOf(given: Uint8Array | undefined, there: ReadKey | undefined): KeyNow {
  const key = there && publicDer(there.key)
  return { exists: given !== undefined, key, facts: key && keyFacts(key), sealed: there?.sealed ?? false, format: there?.form ?? 'raw' }
}

/** Bytes that are no text are told in Base64. */
const toldKey = (bytes: Uint8Array): string => (/^-----BEGIN /m.test(textOf(bytes)) ? textOf(bytes) : Buffer.from(bytes).toString('base64'))
