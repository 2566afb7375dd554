/** x509_certificate: makes a certificate, signed by its own key or by an authority's, be in a file. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'
import { pemToDer } from './der.ts'
import { number } from './describe.ts'
import { opensslFailure, opensslScript } from './openssl.ts'
import { needFolder, takeAway } from './tend.ts'
import { timeOf } from './time.ts'
import { type Certificate, essence, readCertificate, readRequest } from './x509.ts'

const IDENTIFIERS = ['create_if_not_provided', 'always_create', 'never_create'] as const

export const params = {
  ...attributeParams,
  acme_accountkey_path: path(),
  acme_chain: fallback(bool(), false),
  acme_challenge_path: path(),
  acme_directory: fallback(str(), 'https://acme-v02.api.letsencrypt.org/directory'),
  backup: fallback(bool({ description: 'keep a copy of the old certificate' }), false),
  csr_content: str({ description: 'the request' }),
  csr_path: path({ description: 'file of the request' }),
  entrust_api_client_cert_key_path: path(),
  entrust_api_client_cert_path: path(),
  entrust_api_key: str({ noLog: true }),
  entrust_api_specification_path: fallback(path(), 'https://cloud.entrust.net/EntrustCloud/documentation/cms-api-2.1.0.yaml'),
  entrust_api_user: str(),
  entrust_cert_type: choice(
    [
      'STANDARD_SSL',
      'ADVANTAGE_SSL',
      'UC_SSL',
      'EV_SSL',
      'WILDCARD_SSL',
      'PRIVATE_SSL',
      'PD_SSL',
      'CDS_ENT_LITE',
      'CDS_ENT_PRO',
      'SMIME_ENT',
    ],
    'STANDARD_SSL',
  ),
  entrust_not_after: fallback(str(), '+365d'),
  entrust_requester_email: str(),
  entrust_requester_name: str(),
  entrust_requester_phone: str(),
  force: fallback(bool({ description: 'make a new certificate in any case' }), false),
  ignore_timestamps: fallback(bool({ description: 'another time of validity is no reason for a new one' }), true),
  ownca_content: str({ description: "the authority's certificate" }),
  ownca_create_authority_key_identifier: fallback(bool({ description: "name the authority's key" }), true),
  ownca_create_subject_key_identifier: choice(IDENTIFIERS, 'create_if_not_provided'),
  ownca_digest: fallback(str({ description: 'digest that is signed' }), 'sha256'),
  ownca_not_after: fallback(str({ description: 'end of validity: +400d, or 20301231235959Z' }), '+3650d'),
  ownca_not_before: fallback(str({ description: 'begin of validity' }), '+0s'),
  ownca_path: path({ description: "file of the authority's certificate" }),
  ownca_privatekey_content: str({ noLog: true, description: "the authority's key" }),
  ownca_privatekey_passphrase: str({ noLog: true, description: "what the authority's key is sealed with" }),
  ownca_privatekey_path: path({ description: "file of the authority's key" }),
  ownca_version: fallback(int({ description: '3: there is no other' }), 3),
  path: required(path({ description: 'the file' })),
  privatekey_content: str({ noLog: true, description: 'the private key' }),
  privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  privatekey_path: path({ description: 'file of the private key' }),
  provider: choice(['acme', 'entrust', 'ownca', 'selfsigned'], { description: 'who signs' }),
  return_content: fallback(bool({ description: 'tell the certificate in the result' }), false),
  select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect: openssl signs' }),
  selfsigned_create_subject_key_identifier: choice(IDENTIFIERS, 'create_if_not_provided'),
  selfsigned_digest: fallback(str({ description: 'digest that is signed' }), 'sha256'),
  selfsigned_not_after: fallback(str({ aliases: ['selfsigned_notAfter'], description: 'end of validity' }), '+3650d'),
  selfsigned_not_before: fallback(str({ aliases: ['selfsigned_notBefore'], description: 'begin of validity' }), '+0s'),
  selfsigned_version: fallback(int({ description: '3: there is no other' }), 3),
  state: choice(['absent', 'present'], 'present', { description: 'whether the file is to be there' }),
} as const

export type CertArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.x509_certificate',
  aliases: ['community.crypto.openssl_certificate'],
  summary: 'Makes certificates, signed by their own key or by an authority of yours.',
  params,
  rules: {
    requiredIf: [['state', 'present', ['provider']]],
    mutuallyExclusive: [
      ['csr_path', 'csr_content'],
      ['privatekey_path', 'privatekey_content'],
      ['ownca_path', 'ownca_content'],
      ['ownca_privatekey_path', 'ownca_privatekey_content'],
    ],
  },
  async *run(args, host) {
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return {
        changed,
        filename: args.path,
        privatekey: args.privatekey_path ?? null,
        csr: args.csr_path ?? null,
        ...(backup === undefined ? {} : { backup_file: backup }),
      }
    }
    await needFolder(host, args.path)
    const wish = wishOf(args, host.now())
    const { made, authority } = await sign(host, args, wish)
    const file = await openFile(args, host)
    const now = textOf(file.content ?? new Uint8Array())
    const changed = args.force || !isAsGood(now, made, authority, args.ignore_timestamps)
    const next = changed ? made : now
    const saved = yield* saveFile(args, file, { bytes: new TextEncoder().encode(next), changed, msg: '' }, host)
    return {
      changed: saved.changed,
      ...told(args, readCertificate(pemToDer(next)!)),
      ...(saved.backup === '' ? {} : { backup_file: saved.backup }),
      ...(args.return_content ? { certificate: next } : {}),
    }
  },
})

interface Wish {
  readonly own: boolean
  readonly digest: string
  readonly notBefore: string
  readonly notAfter: string
  readonly identifier: (typeof IDENTIFIERS)[number]
}

export function wishOf(args: CertArgs, now: Date): Wish {
  const { provider } = args
  if (provider !== 'ownca' && provider !== 'selfsigned')
    throw new ModuleFailure(`the provider ${String(provider)} is not supported: only selfsigned and ownca are`)
  const own = provider === 'ownca'
  if ((own ? args.ownca_version : args.selfsigned_version) !== 3) throw new ModuleFailure('only certificates of version 3 can be made')
  if (own && args.csr_path === undefined && args.csr_content === undefined)
    throw new ModuleFailure('csr_path or csr_content is required for the ownca provider')
  if (own && args.ownca_path === undefined && args.ownca_content === undefined)
    throw new ModuleFailure('ownca_path or ownca_content is required for the ownca provider')
  if (own && args.ownca_privatekey_path === undefined && args.ownca_privatekey_content === undefined) {
    throw new ModuleFailure('ownca_privatekey_path or ownca_privatekey_content is required for the ownca provider')
  }
  if (!own && args.privatekey_path === undefined && args.privatekey_content === undefined) {
    throw new ModuleFailure('One of privatekey_path and privatekey_content must be specified for the selfsigned provider')
  }
  return {
    own,
    digest: own ? args.ownca_digest : args.selfsigned_digest,
    notBefore: timeOf(own ? args.ownca_not_before : args.selfsigned_not_before, now),
    notAfter: timeOf(own ? args.ownca_not_after : args.selfsigned_not_after, now),
    identifier: own ? args.ownca_create_subject_key_identifier : args.selfsigned_create_subject_key_identifier,
  }
}

const CONFIG = (dir: string, extensions: readonly string[]): string => `[ca]
default_ca = own
[own]
database = ${dir}/index
serial = ${dir}/serial
rand_serial = yes
new_certs_dir = ${dir}
default_md = sha256
policy = any
preserve = yes
copy_extensions = copyall
unique_subject = no
x509_extensions = ext
[any]
commonName = optional
[ext]
${extensions.join('\n')}
[req]
distinguished_name = dn
[dn]
`

/** Signs in a folder of its own: what comes out is the certificate, and nothing of the host has changed. */
export async function sign(host: Host, args: CertArgs, wish: Wish): Promise<{ made: string; authority: string | undefined }> {
  const request = await requestOf(host, args)
  const provided = request?.extensions.some((one) => one.oid === '2.5.29.14') ?? false
  const extensions = [
    ...(wish.identifier === 'always_create' || (wish.identifier === 'create_if_not_provided' && !provided)
      ? ['subjectKeyIdentifier = hash']
      : []),
    ...(wish.own && args.ownca_create_authority_key_identifier && !request?.extensions.some((one) => one.oid === '2.5.29.35')
      ? ['authorityKeyIdentifier = keyid']
      : []),
  ]
  const key = wish.own ? { privatekey_path: args.ownca_privatekey_path, privatekey_content: args.ownca_privatekey_content } : args
  const password = (wish.own ? args.ownca_privatekey_passphrase : args.privatekey_passphrase) ?? ''
  const output = await host.look(
    opensslScript(
      { config: '', key },
      sh`${fileScript('csr', args.csr_path, args.csr_content)}
${wish.own ? fileScript('authority', args.ownca_path, args.ownca_content) : sh``}
printf %s ${CONFIG('.', extensions)} >"$dir/config"
: >"$dir/index"
case $key in /*) ;; *) key=$PWD/$key ;; esac
cd "$dir" || exit 1
[ -s csr ] || openssl req -new -config config -key "$key" -passin env:TSSPRAY_PASS -subj / >csr || exit 1
${signScript(wish)} >&2 </dev/null || exit 1
sed -n '/^-----BEGIN/,/^-----END/p' made
printf '\036'
if [ -f authority ]; then openssl x509 -in authority -noout -pubkey; fi`,
    ),
    { onFailure: 'tell', env: new Map([['TSSPRAY_PASS', password]]) },
  )
  if (output.code !== 0) throw opensslFailure(output)
  const [made = '', authority = ''] = textOf(output.stdout).split('\u001e')
  return { made, authority: authority.trim() === '' ? undefined : authority }
}

const fileScript = (name: string, file: string | undefined, content: string | undefined): Script =>
  content !== undefined
    ? sh`printf '%s\n' ${content} >"$dir"/${name}`
    : file === undefined
      ? sh``
      : sh`cat -- ${file} >"$dir"/${name} || exit 1`

function signScript(wish: Wish): Script {
  const signer = ['-preserveDN', ...(wish.own ? ['-cert', 'authority'] : ['-selfsign'])]
  const times = ['-startdate', wish.notBefore, '-enddate', wish.notAfter]
  return sh`{ if openssl pkey -in "$key" -passin env:TSSPRAY_PASS -noout -text 2>/dev/null | grep -q '^ED'; then set -- default; else set -- ${wish.digest}; fi
openssl ca -batch -notext -config config -keyfile "$key" -passin env:TSSPRAY_PASS ${[...signer, ...times]} -md "$1" -in csr -out made 2>said || { cat said; exit 1; }; }`
}

async function requestOf(host: Host, args: CertArgs): Promise<ReturnType<typeof readRequest> | undefined> {
  const text = args.csr_content ?? (args.csr_path === undefined ? undefined : textOf((await host.look(sh`cat -- ${args.csr_path}`)).stdout))
  const der = text === undefined ? undefined : pemToDer(text)
  if (text !== undefined && !der) throw new ModuleFailure('The certificate signing request file is not in PEM format')
  return der && readRequest(der)
}

/** Whether the certificate that is there says the same, by a signature of the same key. */
export function isAsGood(now: string, made: string, authority: string | undefined, ignoreTimes: boolean): boolean {
  const [a, b] = [pemToDer(now), pemToDer(made)]
  if (!a || !b) return false
  try {
    const [old, next] = [readCertificate(a), readCertificate(b)]
    const issuer = (one: Certificate): string => JSON.stringify([one.version, one.issuer, one.signature])
    if (essence(old) !== essence(next) || issuer(old) !== issuer(next)) return false
    if (!ignoreTimes && (old.notBefore !== next.notBefore || old.notAfter !== next.notAfter)) return false
    const certificate = new X509Certificate(now)
    return certificate.verify(authority === undefined ? certificate.publicKey : createPublicKey(authority))
  } catch {
    return false
  }
}

export function told(args: CertArgs, certificate: Certificate): JsonObject {
  return {
    filename: args.path,
    privatekey: args.privatekey_path ?? null,
    csr: args.csr_path ?? null,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    serial_number: number(certificate.serial),
    ...(args.provider === 'ownca' ? { ca_cert: args.ownca_path ?? null, ca_privatekey: args.ownca_privatekey_path ?? null } : {}),
  }
}
