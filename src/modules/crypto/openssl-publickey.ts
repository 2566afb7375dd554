/** openssl_publickey: makes the public half of a private key be in a file. */
import { createPublicKey } from 'node:crypto'
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { opensshKey } from './openssh-blob.ts'
import { keyIsMissing, readKey } from './read-key.ts'
import { needFolder, takeAway } from './tend.ts'

export default defineModule({
  name: 'community.crypto.openssl_publickey',
  summary: 'Makes files of public keys.',
  params: {
    ...attributeParams,
    backup: fallback(bool(), false),
    force: fallback(bool(), false),
    format: choice(['OpenSSH', 'PEM'], 'PEM', { description: 'form of the file' }),
    path: required(path({ description: 'the file' })),
    privatekey_content: str({ noLog: true, description: 'the private key' }),
    privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
    privatekey_path: path({ description: 'file of the private key' }),
    return_content: fallback(bool({ description: 'tell the public key in the result' }), false),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
    state: choice(['absent', 'present'], 'present'),
  },
  rules: {
    requiredIf: [['state', 'present', ['privatekey_path', 'privatekey_content'], true]],
    mutuallyExclusive: [['privatekey_path', 'privatekey_content']],
  },
  async *run(args, host) {
    const told = { privatekey: args.privatekey_path ?? null, filename: args.path, format: args.format }
    await needFolder(host, args.path)
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...told, fingerprint: {}, ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    const file = await openFile(args, host)
    // the key may be what an earlier task would have made
    if (host.check && !file.real.exists && (await keyIsMissing(host, args.privatekey_path)))
      return { changed: true, ...told, fingerprint: {} }
    const der = await readKey(host, args, args.privatekey_passphrase, 'public')
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
    const made = args.format === 'PEM' ? (key.export({ format: 'pem', type: 'spki' }) as string) : opensshKey(key)
    if (made === undefined) throw new ModuleFailure('this kind of key has no form for OpenSSH')
    const changed = args.force || !same(textOf(file.content ?? new Uint8Array()), der, args.format)
    const bytes = changed ? new TextEncoder().encode(made) : (file.content ?? new Uint8Array())
    const saved = yield* saveFile(args, file, { bytes, changed, msg: '' }, host)
    return {
      changed: saved.changed,
      ...told,
      fingerprint: host.check ? {} : fingerprintsOf(der),
      ...(saved.backup === '' ? {} : { backup_file: saved.backup }),
      ...(args.return_content ? { publickey: textOf(bytes) } : {}),
    }
  },
})

/** Does the file hold this key in this form? */
function same(text: string, der: Uint8Array, format: 'OpenSSH' | 'PEM'): boolean {
  const openssh = /^(ssh|ecdsa|sk)-/.test(text)
  if (openssh !== (format === 'OpenSSH')) return false
  try {
    if (!openssh) return createPublicKey(text).export({ format: 'der', type: 'spki' }).equals(der)
    const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
    return opensshKey(key)?.split(' ')[1] === text.trim().split(/\s+/)[1]
  } catch {
    return false
  }
}
