/** x509_crl: makes a list of revoked certificates be in a file, signed by an authority's key, which does not leave the host. */
import type { JsonObject, Value } from '../../base/index.ts'
import { type Args, bool, choice, dict, fallback, int, list, listOf, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { SIGNATURES } from '../../template/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { openFile, saveFile } from '../files/edit.ts'
import { type Crl, readCrl, toldCrl, toldRevoked } from './crl.ts'
import { keysOf, type Moment, type Wish, wishOf } from './crl-wish.ts'
import { type Algorithm, algorithmOf, crlBody } from './crl-write.ts'
import { pemToDer } from './der.ts'
import { bits, pemOf, sequence } from './der-write.ts'
import { keyFacts } from './fingerprints.ts'
import { attributeOid, type NamePairs } from './names.ts'
import { opensslFailure, opensslScript } from './openssl.ts'
import { readKey } from './read-key.ts'
import { takeAway } from './tend.ts'
import { without } from './without.ts'

const REASON_WORDS = [
  ...['unspecified', 'key_compromise', 'ca_compromise', 'affiliation_changed', 'superseded', 'cessation_of_operation', 'certificate_hold'],
  ...['privilege_withdrawn', 'aa_compromise', 'remove_from_crl'],
] as const

const MODES = ['generate', 'update'] as const

const params = {
  ...without(attributeParams, ['mode']),
  backup: fallback(bool({ description: 'keep a copy of the old list' }), false),
  crl_mode: choice(MODES, { description: 'exactly these certificates, or these too; generate' }),
  digest: fallback(str({ description: 'digest that is signed: sha256, sha384, sha512, sha1 or md5' }), 'sha256'),
  force: fallback(bool({ description: 'make a new list in any case' }), false),
  format: choice(['pem', 'der'], 'pem', { description: 'form of the file' }),
  ignore_timestamps: fallback(bool({ description: 'other times are no reason for a new list' }), false),
  issuer: dict({ description: "parts of the authority's name" }),
  issuer_ordered: list<Value>('dict', { description: "the authority's name, part by part in this order" }),
  last_update: fallback(str({ description: 'begin of validity: +0s, or 20301231235959Z' }), '+0s'),
  mode: choice(MODES, { description: 'the old name of crl_mode' }),
  name_encoding: choice(['ignore', 'idna', 'unicode'], 'ignore', { description: 'how names beyond ASCII are told' }),
  next_update: str({ description: 'end of validity' }),
  path: required(path({ description: 'the file' })),
  privatekey_content: str({ noLog: true, description: "the authority's key" }),
  privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  privatekey_path: path({ description: "file of the authority's key" }),
  return_content: fallback(bool({ description: 'tell the list in the result' }), false),
  revoked_certificates: listOf(
    {
      content: str({ description: 'the certificate' }),
      invalidity_date: str({ description: 'when the certificate became invalid' }),
      invalidity_date_critical: fallback(bool(), false),
      issuer: list('str', { description: "names of the certificate's issuer" }),
      issuer_critical: fallback(bool(), false),
      path: path({ description: 'file of the certificate' }),
      reason: choice(REASON_WORDS, { description: 'why it is revoked' }),
      reason_critical: fallback(bool(), false),
      revocation_date: fallback(str({ description: 'when it was revoked' }), '+0s'),
      serial_number: int({ description: "the certificate's number" }),
    },
    {
      description: 'the certificates',
      mutuallyExclusive: [['path', 'content', 'serial_number']],
      requiredOneOf: [['path', 'content', 'serial_number']],
    },
  ),
  state: choice(['present', 'absent'], 'present', { description: 'whether the file is to be there' }),
} as const

type CrlArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.x509_crl',
  summary: 'Makes lists of revoked certificates.',
  params,
  rules: {
    requiredIf: [
      ['state', 'present', ['privatekey_path', 'privatekey_content'], true],
      ['state', 'present', ['issuer', 'issuer_ordered'], true],
      ['state', 'present', ['next_update', 'revoked_certificates']],
    ],
    mutuallyExclusive: [
      ['privatekey_path', 'privatekey_content'],
      ['issuer', 'issuer_ordered'],
    ],
  },
  async *run(args, host) {
    if (args.mode !== undefined && args.crl_mode !== undefined)
      throw new ModuleFailure('You cannot use both `mode` and `crl_mode`. Use `crl_mode`.')
    const fixed = { filename: args.path, privatekey: args.privatekey_path ?? null, format: args.format }
    if (args.state === 'absent') {
      const now = foundIn(await openFile({ ...args, mode: undefined }, host), args)
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...fixed, ...toldOf(now.crl), ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    const wish = await wishOf(args, host)
    const key = { privatekey_path: args.privatekey_path, privatekey_content: args.privatekey_content }
    const algorithm = algorithmOf(keyFacts(await readKey(host, key, args.privatekey_passphrase, 'public')).type, args.digest)
    const editArgs = { ...args, mode: undefined }
    const file = await openFile(editArgs, host)
    const now = foundIn(file, args)
    const renew = args.force || !fits(args, wish, algorithm, now.crl)
    const changed = renew || now.format !== args.format
    const der = !changed || host.check ? now.der : renew ? await sign(host, args, algorithm, wish, now.crl) : now.der
    const bytes = changed && der ? formed(args.format, der) : (file.content ?? new Uint8Array())
    const saved = yield* saveFile(editArgs, file, { bytes, changed, msg: '' }, host)
    const after = der && readCrl(der)
    return {
      changed: saved.changed,
      ...fixed,
      ...(host.check ? toldWish(args, wish) : toldOf(after)),
      ...(saved.backup === '' ? {} : { backup_file: saved.backup }),
      ...(args.return_content ? { crl: contentOf(bytes) } : {}),
      diff: { before: infoOf(now.crl, now.format), after: host.check ? infoOf(now.crl, now.format) : infoOf(after, args.format) },
    }
  },
})

interface Found {
  readonly der: Uint8Array | undefined
  readonly crl: Crl | undefined
  readonly format: 'pem' | 'der'
}

/** The list in the file, where it can be read. */
function foundIn({ content }: { readonly content: Uint8Array | undefined }, args: CrlArgs): Found {
  const none: Found = { der: undefined, crl: undefined, format: args.format }
  if (!content) return none
  try {
    const pem = pemToDer(textOf(content))
    const der = pem ?? content
    return { der, crl: readCrl(der), format: pem ? 'pem' : 'der' }
  } catch {
    return none
  }
}

const isUpdate = (args: CrlArgs): boolean => (args.crl_mode ?? args.mode) === 'update'

/** Whether the list that is there says what it should. */
function fits(args: CrlArgs, wish: Wish, algorithm: Algorithm, crl: Crl | undefined): boolean {
  if (!crl) return false
  const same = (moment: Moment, at: string | undefined): boolean => args.ignore_timestamps || (!moment.relative && moment.at === at)
  if (!same(wish.last, crl.lastUpdate) || !same(wish.next, crl.nextUpdate)) return false
  if (digestOf(crl.signature) !== algorithm.digest) return false
  const pairs = (name: NamePairs): string[] => name.map(([key, value]) => JSON.stringify([attributeOid(key), value]))
  const inOrder = (args.issuer_ordered ?? []).length > 0
  const [wanted, there] = [pairs(wish.issuer), pairs(crl.issuer)].map((all) => (inOrder ? all : [...new Set(all)].sort()))
  if (wanted!.join() !== there!.join()) return false
  const which = args.ignore_timestamps ? 1 : 0
  const old = crl.revoked.map((one) => keysOf(one)[which])
  const fresh = wish.entries.map((one) => one.keys[which])
  return isUpdate(args) ? contains(old, fresh) : JSON.stringify(old) === JSON.stringify(fresh)
}

/** Whether all are there, those that come twice twice. */
function contains(all: readonly string[], some: readonly string[]): boolean {
  const left = [...all]
  return some.every((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const digestOf = (oid: string): string | undefined => {
  const name = SIGNATURES[oid] ?? DSA_DIGESTS[oid] ?? ''
  return /(md5|sha\d+)/i.exec(name)?.[1]?.toLowerCase()
}

const DSA_DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.10040.4.3': 'dsaWithSHA1',
  '2.16.840.1.101.3.4.3.2': 'dsa_with_SHA256',
  '2.16.840.1.101.3.4.3.3': 'dsa_with_SHA384',
  '2.16.840.1.101.3.4.3.4': 'dsa_with_SHA512',
}

/** The whole list; the key signs where it is. */
async function sign(host: Host, args: CrlArgs, algorithm: Algorithm, wish: Wish, crl: Crl | undefined): Promise<Uint8Array> {
  const which = args.ignore_timestamps ? 1 : 0
  const fresh = new Set(wish.entries.map((one) => one.keys[which]))
  const kept = isUpdate(args) ? (crl?.revoked ?? []).filter((one) => !fresh.has(keysOf(one)[which])).map((one) => one.whole!) : []
  const issuer = wish.issuer.map(([key, value]) => [attributeOid(key), value] as const)
  const body = crlBody(algorithm, issuer, [wish.last.at, wish.next.at], [...kept, ...wish.entries.map(({ der }) => der)])
  const signer =
    algorithm.digest === undefined
      ? sh`openssl pkeyutl -sign -rawin -inkey "$key" -passin env:TSSPRAY_PASS -in "$dir/body" -out "$dir/seal"`
      : sh`openssl dgst ${`-${algorithm.digest}`} -sign "$key" -passin env:TSSPRAY_PASS -out "$dir/seal" "$dir/body"`
  const key = { privatekey_path: args.privatekey_path, privatekey_content: args.privatekey_content }
  const told = await host.look(
    opensslScript({ config: '', key }, sh`cat >"$dir/body"; ${signer} >&2 || exit 1; openssl base64 -A -in "$dir/seal"`),
    { onFailure: 'tell', stdin: body, env: new Map([['TSSPRAY_PASS', args.privatekey_passphrase ?? '']]) },
  )
  if (told.code !== 0) throw opensslFailure(told)
  return sequence(body, algorithm.der, bits(new Uint8Array(Buffer.from(textOf(told.stdout), 'base64'))))
}

const formed = (format: string, der: Uint8Array): Uint8Array => (format === 'der' ? der : new TextEncoder().encode(pemOf('X509 CRL', der)))

const contentOf = (bytes: Uint8Array): string | null => {
  if (bytes.length === 0) return null
  return pemToDer(textOf(bytes)) ? textOf(bytes) : Buffer.from(bytes).toString('base64')
}

const NOTHING: JsonObject = { last_update: null, next_update: null, digest: null, issuer_ordered: null, issuer: null }

const toldOf = (crl: Crl | undefined): JsonObject => ({
  // an empty list tells nothing of itself
  ...(crl && crl.revoked.length > 0 ? toldCrl(crl) : NOTHING),
  revoked_certificates: (crl?.revoked ?? []).map(toldRevoked),
})

/** In a check the wish is told, with the names as the task has them. */
const toldWish = (args: CrlArgs, wish: Wish): JsonObject => ({
  last_update: wish.last.at,
  next_update: wish.next.at,
  digest: args.digest,
  issuer_ordered: wish.issuer.map(([key, value]) => [key, value]),
  issuer: Object.fromEntries(wish.issuer),
  revoked_certificates: wish.entries.map(({ entry }) => toldRevoked(entry)),
})

const infoOf = (crl: Crl | undefined, format: string): JsonObject =>
  crl ? { format, ...toldCrl(crl), revoked_certificates: crl.revoked.map(toldRevoked), can_parse_crl: true } : {}
