/** openssl_csr: makes a request for a certificate, with this subject and these extensions, be in a file. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'
import { requestConfig, requestParams, subjectOf } from './config.ts'
import { pemToDer } from './der.ts'
import { opensslFailure, opensslScript } from './openssl.ts'
import { keyIsMissing } from './read-key.ts'
import { needFolder, takeAway } from './tend.ts'
import { essence, readRequest } from './x509.ts'

export const params = {
  ...attributeParams,
  ...requestParams,
  backup: fallback(bool({ description: 'keep a copy of the old request' }), false),
  digest: fallback(str({ description: 'digest that is signed' }), 'sha256'),
  force: fallback(bool({ description: 'make a new request in any case' }), false),
  path: required(path({ description: 'the file' })),
  privatekey_content: str({ noLog: true, description: 'the private key' }),
  privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  privatekey_path: path({ description: 'file of the private key' }),
  return_content: fallback(bool({ description: 'tell the request in the result' }), false),
  select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect: openssl makes the requests' }),
  state: choice(['absent', 'present'], 'present', { description: 'whether the file is to be there' }),
  version: fallback(int({ description: '1: there is no other' }), 1),
} as const

export type CsrArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.openssl_csr',
  summary: 'Makes requests for certificates.',
  params,
  rules: {
    mutuallyExclusive: [
      ['privatekey_path', 'privatekey_content'],
      ['subject', 'subject_ordered'],
    ],
  },
  async *run(args, host) {
    await needFolder(host, args.path)
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...told(args), ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    if (args.version !== 1) throw new ModuleFailure('Invalid version: the only one is 1')
    if (args.privatekey_path === undefined && args.privatekey_content === undefined)
      throw new ModuleFailure('one of the following is required: privatekey_path, privatekey_content')
    const file = await openFile(args, host)
    // the key may be what an earlier task would have made
    if (host.check && !file.real.exists && (await keyIsMissing(host, args.privatekey_path))) return { changed: true, ...told(args) }
    const made = await makeRequest(host, args)
    const now = textOf(file.content ?? new Uint8Array())
    const changed = args.force || essenceOf(now) !== essenceOf(made)
    const next = changed ? made : now
    const saved = yield* saveFile(args, file, { bytes: new TextEncoder().encode(next), changed, msg: '' }, host)
    return {
      changed: saved.changed,
      ...told(args),
      ...(saved.backup === '' ? {} : { backup_file: saved.backup }),
      ...(args.return_content ? { csr: next } : {}),
    }
  },
})

export async function makeRequest(host: Host, args: CsrArgs): Promise<string> {
  const digest = `-${args.digest}`
  const request = await host.look(
    opensslScript(
      { config: requestConfig(args), key: args },
      sh`if openssl pkey -in "$key" -passin env:TSSPRAY_PASS -noout -text 2>/dev/null | grep -q '^ED'; then set --; else set -- ${digest}; fi
openssl req -new -utf8 -config "$dir/config" -key "$key" -passin env:TSSPRAY_PASS "$@"`,
    ),
    { onFailure: 'tell', env: new Map([['TSSPRAY_PASS', args.privatekey_passphrase ?? '']]) },
  )
  if (request.code !== 0) throw opensslFailure(request)
  return textOf(request.stdout)
}

export function essenceOf(pem: string): string {
  const der = pemToDer(pem)
  try {
    return der ? essence(readRequest(der)) : ''
  } catch {
    return ''
  }
}

export function told(args: CsrArgs): JsonObject {
  const names =
    args.subject_alt_name ??
    subjectOf(args).flatMap(([key, value]) => (key === 'CN' && args.use_common_name_for_san ? [`DNS:${value}`] : []))
  return {
    privatekey: args.privatekey_path ?? null,
    filename: args.path,
    subject: subjectOf(args).map(([key, value]) => [key, value]),
    subjectAltName: names.length > 0 ? names : null,
    keyUsage: args.key_usage ?? null,
    extendedKeyUsage: args.extended_key_usage ?? null,
    basicConstraints: args.basic_constraints ?? null,
    ocspMustStaple: args.ocsp_must_staple,
    name_constraints_permitted: args.name_constraints_permitted ?? [],
    name_constraints_excluded: args.name_constraints_excluded ?? [],
  }
}
