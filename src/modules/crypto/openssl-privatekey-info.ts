/** openssl_privatekey_info: tells what a private key is; the key itself leaves the host only where its data are asked for. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { JsonObject } from '../../base/index.ts'
import { bool, choice, fallback, path, str } from '../../params/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { integerOf, readDer } from './der.ts'
import { keyData, number } from './describe.ts'
import { fingerprintsOf, keyFacts } from './fingerprints.ts'
import { readFileOf, readKey } from './read-key.ts'

const params = {
  check_consistency: fallback(bool({ description: 'whether the halves of the key fit' }), false),
  content: str({ noLog: true, description: 'the key' }),
  passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  path: path({ description: 'file of the key' }),
  return_private_key_data: fallback(bool({ description: 'tell the secret numbers too' }), false),
  select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
} as const

export default defineModule({
  name: 'community.crypto.openssl_privatekey_info',
  summary: 'Tells what a private key is.',
  params,
  rules: { requiredOneOf: [['path', 'content']], mutuallyExclusive: [['path', 'content']] },
  async *run(args, host) {
    if (args.path !== undefined) await mustLoad(host, args.path)
    const source = { privatekey_path: args.path, privatekey_content: args.content }
    const der = await parsing(() => readKey(host, source, args.passphrase, 'public'))
    const { type, size, curve } = keyFacts(der)
    const secret =
      args.return_private_key_data || args.check_consistency ? await readKey(host, source, args.passphrase, 'private') : undefined
    const consistent = args.check_consistency ? fits(secret!, der) : null
    const told: JsonObject = {
      changed: false,
      can_load_key: true,
      can_parse_key: true,
      key_is_consistent: consistent,
      public_key: createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' }) as string,
      public_key_fingerprints: fingerprintsOf(der),
      type,
      public_data: keyData(der, type, size, curve),
      ...(args.return_private_key_data ? { private_data: secretData(secret!, type) } : {}),
    }
    if (consistent === false) throw new ModuleFailure('Private key is not consistent!', told)
    return told
  },
})

async function mustLoad(host: Host, file: string): Promise<void> {
  try {
    await readFileOf(host, file)
  } catch (error) {
    if (!(error instanceof ModuleFailure)) throw error
    throw new ModuleFailure(error.message, { can_load_key: false, can_parse_key: false, key_is_consistent: null })
  }
}

async function parsing<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ModuleFailure)) throw error
    throw new ModuleFailure(error.message, { can_load_key: true, can_parse_key: false, key_is_consistent: null })
  }
}

function fits(secret: Uint8Array, der: Uint8Array): boolean {
  try {
    const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
    return createPublicKey(key).export({ format: 'der', type: 'spki' }).equals(der)
  } catch {
    return false
  }
}

function secretData(secret: Uint8Array, type: string): JsonObject {
  const inner = readDer(secret).parts[2]!.content
  if (type === 'RSA') {
    const [, , , exponent, p, q] = readDer(inner).parts
    return { p: number(integerOf(p!.content)), q: number(integerOf(q!.content)), exponent: number(integerOf(exponent!.content)) }
  }
  if (type === 'DSA') return { x: number(integerOf(readDer(inner).content)) }
  if (type === 'ECC') return { multiplier: number(BigInt(`0x${Buffer.from(readDer(inner).parts[1]!.content).toString('hex')}`)) }
  return {}
}
