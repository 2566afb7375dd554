/** openssl_privatekey: makes a private key of a kind be in a file; the key is made on the host and does not leave it. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { fingerprintsOf, type KeyFacts, keyFacts } from './fingerprints.ts'
import { backupLine, needFolder, takeAway, tend } from './tend.ts'

const CURVES = [
  ...[
    'secp224r1',
    'secp256k1',
    'secp256r1',
    'secp384r1',
    'secp521r1',
    'secp192r1',
    'brainpoolP256r1',
    'brainpoolP384r1',
    'brainpoolP512r1',
  ],
  ...['sect163k1', 'sect163r2', 'sect233k1', 'sect233r1', 'sect283k1', 'sect283r1', 'sect409k1', 'sect409r1', 'sect571k1', 'sect571r1'],
] as const

export const params = {
  ...attributeParams,
  backup: fallback(bool({ description: 'keep a copy of the old key' }), false),
  cipher: str({ description: 'how the key is sealed; auto' }),
  curve: choice(CURVES, { description: 'curve of an ECC key' }),
  force: fallback(bool({ description: 'make a new key in any case' }), false),
  format: choice(['pkcs1', 'pkcs8', 'raw', 'auto', 'auto_ignore'], 'auto_ignore', { description: 'form of the file' }),
  format_mismatch: choice(['regenerate', 'convert'], 'regenerate', { description: 'what to do with another form' }),
  passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  path: required(path({ description: 'the file' })),
  regenerate: choice(['never', 'fail', 'partial_idempotence', 'full_idempotence', 'always'], 'full_idempotence', {
    description: 'when a new key takes the place of another',
  }),
  return_content: fallback(bool({ description: 'tell the key in the result' }), false),
  select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect: openssl makes the keys' }),
  size: fallback(int({ description: 'bits of an RSA or DSA key' }), 4096),
  state: choice(['absent', 'present'], 'present', { description: 'whether the file is to be there' }),
  type: choice(['DSA', 'ECC', 'Ed25519', 'Ed448', 'RSA', 'X25519', 'X448'], 'RSA', { description: 'kind of the key' }),
} as const

export type KeyArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.openssl_privatekey',
  summary: 'Makes private keys with openssl.',
  params,
  rules: { requiredTogether: [['cipher', 'passphrase']], requiredIf: [['type', 'ECC', ['curve']]] },
  async *run(args, host) {
    const told = { filename: args.path, size: args.size, type: args.type, ...(args.type === 'ECC' ? { curve: args.curve! } : {}) }
    await needFolder(host, args.path)
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...told, fingerprint: {}, ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    const now = await lookAtKey(host, args)
    const deed = deedFor(args, now)
    const done = deed === 'none' ? undefined : yield deed === 'make' ? makeChange(args, now) : convertChange(args)
    const mended =
      deed !== 'none' && host.check
        ? false
        : yield* tend(host, deed !== 'none' && args.mode === undefined ? { ...args, mode: '0600' } : args, args.path)
    const after = done ? await lookAtKey(host, args) : now
    const backup = done && args.backup ? textOf(done.stdout) : ''
    return {
      changed: deed !== 'none' || mended,
      ...told,
      fingerprint: after.key ? fingerprintsOf(after.key) : {},
      ...(backup === '' ? {} : { backup_file: backup }),
      ...(args.return_content && after.exists ? { privatekey: textOf(await host.read(args.path)) } : {}),
    }
  },
})

export interface KeyNow {
  readonly exists: boolean
  /** the public key, where the private one can be read */
  readonly key: Uint8Array | undefined
  readonly facts: KeyFacts | undefined
  readonly sealed: boolean
  readonly format: 'pkcs1' | 'pkcs8' | 'raw'
}

const NO_OPENSSL = 93

const passEnv = (args: KeyArgs): { env: ReadonlyMap<string, string> } => ({ env: new Map([['TSSPRAY_PASS', args.passphrase ?? '']]) })

async function lookAtKey(host: Host, args: KeyArgs): Promise<KeyNow> {
  const told = await host.look(
    sh`command -v openssl >/dev/null || exit ${NO_OPENSSL}
[ -f ${args.path} ] || exit 0
printf 'there\n'; sed -n 's/^-----BEGIN \(.*\)-----.*/\1/p' ${args.path} 2>/dev/null | head -n 1
printf '\036'; grep -c '^Proc-Type: 4,ENC' ${args.path}
printf '\036'; openssl pkey -in ${args.path} -passin env:TSSPRAY_PASS -pubout -outform DER 2>/dev/null | openssl base64 -A`,
    { onFailure: 'tell', ...passEnv(args) },
  )
  if (told.code === NO_OPENSSL) throw new ModuleFailure('Failed to find required executable "openssl" in paths')
  const [head = '', old = '', key = ''] = textOf(told.stdout).split('\u001e')
  const [there, label = ''] = head.split('\n')
  const der = key.trim() === '' ? undefined : new Uint8Array(Buffer.from(key, 'base64'))
  return {
    exists: there === 'there',
    key: der,
    facts: der && keyFacts(der),
    sealed: label.startsWith('ENCRYPTED') || old.trim() === '1',
    format: label === '' ? 'raw' : label === 'PRIVATE KEY' || label === 'ENCRYPTED PRIVATE KEY' ? 'pkcs8' : 'pkcs1',
  }
}

type Deed = 'none' | 'make' | 'convert'

/** What is to be done about the key that is there. */
export function deedFor(args: KeyArgs, now: KeyNow): Deed {
  if (!now.exists || args.force || args.regenerate === 'always') return 'make'
  const readable = now.key !== undefined && now.sealed === (args.passphrase !== undefined)
  if (!readable) {
    if (args.regenerate === 'full_idempotence') return 'make'
    throw new ModuleFailure(
      'Unable to read the key. The key is protected with a another passphrase / no passphrase or broken. Will not proceed. To force regeneration, call the module with `generate` set to `full_idempotence` or `always`, or with `force=yes`.',
    )
  }
  if (args.regenerate === 'never') return 'none'
  if (!fits(args, now.facts!)) {
    if (args.regenerate !== 'fail') return 'make'
    throw new ModuleFailure(
      'Key has wrong type and/or size. Will not proceed. To force regeneration, call the module with `generate` set to `partial_idempotence`, `full_idempotence` or `always`, or with `force=yes`.',
    )
  }
  const wanted = formatOf(args)
  if (args.format === 'auto_ignore' || wanted === now.format) return 'none'
  if (args.format_mismatch === 'convert') return 'convert'
  if (args.regenerate !== 'fail') return 'make'
  throw new ModuleFailure(
    'Key has wrong format. Will not proceed. To force regeneration, call the module with `generate` set to `partial_idempotence`, `full_idempotence` or `always`, or with `force=yes`. To convert the key, set `format_mismatch` to `convert`.',
  )
}

function fits(args: KeyArgs, facts: KeyFacts): boolean {
  if (facts.type !== args.type) return false
  if (args.type === 'RSA' || args.type === 'DSA') return facts.size === args.size
  return args.type === 'ECC' ? facts.curve === args.curve : true
}

export const formatOf = (args: KeyArgs): KeyNow['format'] =>
  args.format === 'auto' || args.format === 'auto_ignore' ? (['RSA', 'DSA', 'ECC'].includes(args.type) ? 'pkcs1' : 'pkcs8') : args.format

/** openssl's own names of curves */
const OPENSSL_CURVES: Readonly<Record<string, string>> = { secp256r1: 'prime256v1', secp192r1: 'prime192v1' }

function generator(args: KeyArgs): Script {
  if (args.type === 'RSA') return sh`openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:${args.size} 2>/dev/null`
  if (args.type === 'DSA') return sh`openssl dsaparam -genkey -noout ${args.size} 2>/dev/null`
  if (args.type === 'ECC') {
    const curve = OPENSSL_CURVES[args.curve!] ?? args.curve!
    return sh`openssl genpkey -algorithm EC -pkeyopt ${`ec_paramgen_curve:${curve}`} -pkeyopt ec_param_enc:named_curve`
  }
  return sh`openssl genpkey -algorithm ${args.type}`
}

export const RAW_SIZES: Readonly<Record<string, number>> = { Ed25519: 32, X25519: 32, X448: 56, Ed448: 57 }

/** Reads a key without a seal and writes it in the form that is asked for. */
function writer(args: KeyArgs): Script {
  const format = formatOf(args)
  if (format === 'raw') {
    const size = RAW_SIZES[args.type]
    if (size === undefined || args.passphrase !== undefined) throw new ModuleFailure('Cannot export private key in raw format')
    return sh`openssl pkey -outform DER | tail -c ${size}`
  }
  const cipher = args.cipher === undefined || args.cipher === 'auto' ? 'aes256' : args.cipher
  const sealed = args.passphrase === undefined ? [] : [`-${cipher}`, '-passout', 'env:TSSPRAY_PASS']
  return sh`openssl pkey ${format === 'pkcs1' ? ['-traditional', ...sealed] : sealed}`
}

const place = (args: KeyArgs, source: Script): Script => sh`umask 077
t=$(mktemp ${`${args.path}.XXXXXX`}) && k=$(mktemp ${`${args.path}.XXXXXX`}) || exit 1
trap 'rm -f -- "$t" "$k"' EXIT
${source} >"$k" && ${writer(args)} <"$k" >"$t" && [ -s "$t" ] || exit 1
rm -f -- "$k"
${args.backup ? backupLine(args.path) : sh``}if [ -e ${args.path} ]; then chown "$(stat -c %u:%g -- ${args.path})" "$t" && chmod "$(stat -c %a -- ${args.path})" "$t" || exit 1; fi
mv -f -- "$t" ${args.path}`

const view = (facts: KeyFacts | undefined): JsonObject =>
  facts ? { type: facts.type, size: facts.size ?? null, curve: facts.curve ?? null } : {}

function makeChange(args: KeyArgs, now: KeyNow): Change {
  const after = { type: args.type, size: ['RSA', 'DSA'].includes(args.type) ? args.size : null, curve: args.curve ?? null }
  return {
    what: 'key',
    diff: { before: view(now.facts), after },
    script: place(args, generator(args)),
    ...passEnv(args),
    failMessage: 'openssl could not make the key',
  }
}

function convertChange(args: KeyArgs): Change {
  return {
    what: 'format',
    script: place(args, sh`openssl pkey -in ${args.path} -passin env:TSSPRAY_PASS`),
    ...passEnv(args),
    failMessage: 'openssl could not convert the key',
  }
}
