/** openssh_cert: makes a certificate of OpenSSH, for a user's or a host's key, be in a file; the signing key does not leave the host. */
import type { Json, JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, list, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { number } from './describe.ts'
import { readSshCertificate, type SshCertificate } from './openssh-cert-blob.ts'
import { ALWAYS, FOREVER, keygenTime, type Moment, momentOf, optionsOf, optionText, toldTime } from './openssh-cert-wish.ts'
import { tend } from './tend.ts'

const params = {
  ...attributeParams,
  force: fallback(bool({ description: 'make a new certificate in any case' }), false),
  identifier: str({ description: "the key's name in logs" }),
  ignore_timestamps: fallback(bool({ description: 'another time of validity is no reason for a new one' }), false),
  options: list('str', { description: 'what a user may do: clear, force-command=…, no-pty …' }),
  path: required(path({ description: 'the file' })),
  pkcs11_provider: str({ description: 'library of the token that holds the signing key' }),
  principals: list('str', { description: 'users or hosts that it is for; all otherwise' }),
  public_key: path({ description: 'file of the key that is certified' }),
  regenerate: choice(['never', 'fail', 'partial_idempotence', 'full_idempotence', 'always'], 'partial_idempotence', {
    description: 'when a new certificate takes the place of another',
  }),
  serial_number: int({ description: "the certificate's number" }),
  signature_algorithm: choice(['ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'], { description: 'how an RSA key signs' }),
  signing_key: path({ description: "file of the authority's key" }),
  state: choice(['absent', 'present'], 'present', { description: 'whether the file is to be there' }),
  type: choice(['host', 'user'], { description: 'for a host or a user' }),
  use_agent: fallback(bool({ description: 'the signing key is in an agent' }), false),
  valid_at: str({ description: 'make a new one where it is not valid then' }),
  valid_from: str({ description: 'begin of validity: always, +0s, 2030-12-31T23:59:59' }),
  valid_to: str({ description: 'end of validity: forever, +52w …' }),
} as const

type CertArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.openssh_cert',
  summary: 'Makes certificates of OpenSSH for hosts and users.',
  params,
  rules: { requiredIf: [['state', 'present', ['type', 'signing_key', 'public_key', 'valid_from', 'valid_to']]] },
  async *run(args, host) {
    const now = await lookAtCertificate(host, args)
    if (args.state === 'absent') {
      if (now.text === undefined) return { changed: false }
      yield { what: 'state', diff: viewOf(now.certificate, undefined), script: sh`rm -f -- ${args.path}` }
      return { changed: true }
    }
    const times = validity(args, host)
    const makes = mustMake(args, now, times, host)
    if (makes) yield makeChange(args, times, now)
    const mended = makes && host.check ? false : yield* tend(host, args, args.path)
    const after = makes && !host.check ? await lookAtCertificate(host, args) : now
    if (makes && !host.check && !after.certificate) throw new ModuleFailure('Unable to read new certificate')
    return {
      changed: makes || mended,
      type: args.type!,
      filename: args.path,
      info: infoOf(after.info),
      ...(host.diff
        ? {
            diff: { before: toldCertificate(now.certificate), after: toldCertificate(makes && host.check ? undefined : after.certificate) },
          }
        : {}),
      ...(now.trouble === undefined ? {} : { warnings: [`Unable to read existing certificate: ${now.trouble}`] }),
    }
  },
})

interface CertificateNow {
  /** the file's text where there is one */
  readonly text: string | undefined
  readonly certificate: SshCertificate | undefined
  readonly trouble: string | undefined
  /** what ssh-keygen says of it */
  readonly info: string
  /** fingerprints of the key and of the signing key */
  readonly keys: readonly [string, string]
}

const NO_KEYGEN = 93
const NO_FOLDER = 94

async function lookAtCertificate(host: Host, args: CertArgs): Promise<CertificateNow> {
  const others = [args.public_key, args.signing_key].filter((one) => one !== undefined)
  const full = args.regenerate === 'full_idempotence' || args.regenerate === 'fail'
  const told = await host.look(
    sh`for p in ${[args.path, ...others]}; do case $p in */*) d=\${p%/*}; [ -d "\${d:-/}" ] || { printf %s "\${d:-/}"; exit ${NO_FOLDER}; } ;; esac; done
command -v ssh-keygen >/dev/null || exit ${NO_KEYGEN}
printf '\036'; if [ -e ${args.path} ]; then printf x; cat -- ${args.path}; fi
printf '\036'; TZ=UTC ssh-keygen -L -f ${args.path} 2>/dev/null
${full ? sh`for k in ${others}; do printf '\036'; ssh-keygen -l -f "$k" 2>/dev/null; done` : sh``}
:`,
    { onFailure: 'tell' },
  )
  const [first = '', text = '', info = '', ...prints] = textOf(told.stdout).split('\u001e')
  if (told.code === NO_FOLDER)
    throw new ModuleFailure(`The directory ${first} does not exist or the file is not a directory`, { name: first })
  if (told.code === NO_KEYGEN) throw new ModuleFailure('Failed to find required executable "ssh-keygen" in paths')
  const [key = '', signer = ''] = prints.map((one) => one.trim().split(' ')[1] ?? '')
  return { text: text === '' ? undefined : text.slice(1), ...parsed(args, text), info, keys: [key, signer] }
}

function parsed(args: CertArgs, text: string): { certificate: SshCertificate | undefined; trouble: string | undefined } {
  if (text === '') return { certificate: undefined, trouble: undefined }
  try {
    return { certificate: readSshCertificate(text.slice(1)), trouble: undefined }
  } catch (error) {
    const trouble = (error as Error).message
    if (args.state === 'present' && !args.force && (args.regenerate === 'never' || args.regenerate === 'fail'))
      throw new ModuleFailure(`Unable to read existing certificate: ${trouble}`)
    return { certificate: undefined, trouble }
  }
}

interface Times {
  readonly from: Moment
  readonly to: Moment
}

function validity(args: CertArgs, host: Host): Times {
  if (args.options?.length && args.type === 'host') throw new ModuleFailure('Options can only be used with user certificates.')
  const [from, to] = [momentOf(args.valid_from!, host.now()), momentOf(args.valid_to!, host.now())]
  if (from > to) throw new ModuleFailure(`Valid from: ${args.valid_from} must not be greater than Valid to: ${args.valid_to}`)
  return { from, to }
}

function mustMake(args: CertArgs, { certificate, keys }: CertificateNow, times: Times, host: Host): boolean {
  if (args.force || args.regenerate === 'always' || !certificate) return true
  if (args.regenerate === 'never') return false
  const partly = fitsPartly(args, certificate, times, host)
  if (args.regenerate === 'partial_idempotence') return !partly
  const fits = partly && fitsWholly(args, certificate, keys)
  if (!fits && args.regenerate === 'fail')
    throw new ModuleFailure('Certificate does not match the provided options.', { cert: toldCertificate(certificate) })
  return !fits
}

const equal = (a: Iterable<string>, b: Iterable<string>): boolean =>
  JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort())

function fitsPartly(args: CertArgs, certificate: SshCertificate, times: Times, host: Host): boolean {
  const { validAfter, validBefore } = certificate
  const at = args.valid_at === undefined ? undefined : momentOf(args.valid_at, host.now())
  const relative = /^\s*[+-]/.test(args.valid_from!) || /^\s*[+-]/.test(args.valid_to!)
  return (
    equal(certificate.principals, args.principals ?? []) &&
    (args.signature_algorithm === undefined || certificate.signatureType === args.signature_algorithm) &&
    (args.serial_number === undefined || certificate.serial === BigInt(args.serial_number)) &&
    certificate.type === args.type &&
    (args.ignore_timestamps || (!relative && validAfter === times.from && validBefore === times.to)) &&
    (at === undefined || (validAfter <= at && at <= validBefore))
  )
}

function fitsWholly(args: CertArgs, certificate: SshCertificate, keys: readonly [string, string]): boolean {
  const wanted = optionsOf(args.options ?? [])
  const texts = (options: SshCertificate['extensions']): string[] => options.map(([name, value]) => optionText(name, value))
  return (
    (certificate.type !== 'user' ||
      (equal(texts(certificate.criticalOptions), wanted.critical) && equal(texts(certificate.extensions), wanted.extensions))) &&
    certificate.identifier === (args.identifier ?? '') &&
    certificate.publicKey === keys[0] &&
    certificate.signingKey === keys[1]
  )
}

/** ssh-keygen writes beside the key, so a copy of the key is signed in a folder of its own. */
function makeChange(args: CertArgs, { from, to }: Times, now: CertificateNow): Change {
  const words = [
    ...['-s', args.signing_key!, '-P', '', '-I', args.identifier ?? ''],
    ...(args.options ?? []).flatMap((one) => ['-O', one]),
    ...(args.pkcs11_provider === undefined ? [] : ['-D', args.pkcs11_provider]),
    ...(args.principals?.length ? ['-n', args.principals.join(',')] : []),
    ...(args.serial_number === undefined ? [] : ['-z', String(args.serial_number)]),
    ...(args.type === 'host' ? ['-h'] : []),
    ...(args.use_agent ? ['-U'] : []),
    ...(from === ALWAYS && to === FOREVER ? [] : ['-V', `${keygenTime(from)}:${keygenTime(to)}`]),
    ...(args.signature_algorithm === undefined ? [] : ['-t', args.signature_algorithm]),
  ]
  return {
    what: 'certificate',
    diff: viewOf(now.certificate, undefined),
    script: sh`dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cp -- ${args.public_key!} "$dir/key.pub" || exit 1
TZ=UTC; export TZ
ssh-keygen ${words} "$dir/key.pub" </dev/null || exit 1
p=${args.path}
case $p in */*) d=\${p%/*}/ ;; *) d= ;; esac
t=$(mktemp "\${d}.cert.XXXXXX") && cat -- "$dir/key-cert.pub" >"$t" || exit 1
if [ -e "$p" ]; then chown "$(stat -c %u:%g -- "$p")" "$t" && chmod "$(stat -c %a -- "$p")" "$t"; else chmod "$(stat -c %a -- "$dir/key-cert.pub")" "$t"; fi && mv -f -- "$t" "$p"`,
    failMessage: 'ssh-keygen could not make the certificate',
  }
}

const viewOf = (before: SshCertificate | undefined, after: SshCertificate | undefined): { before: JsonObject; after: JsonObject } => ({
  before: toldCertificate(before),
  after: toldCertificate(after),
})

const toldCertificate = (one: SshCertificate | undefined): JsonObject =>
  one
    ? {
        type_string: one.kind,
        serial: number(one.serial),
        cert_type: one.type,
        identifier: one.identifier,
        principals: [...one.principals] as Json,
        valid_after: toldTime(one.validAfter),
        valid_before: toldTime(one.validBefore),
        critical_options: one.criticalOptions.map(([name, value]) => optionText(name, value)),
        extensions: one.extensions.map(([name, value]) => optionText(name, value)),
        reserved: '',
        public_key: one.publicKey,
        signing_key: one.signingKey,
        signature_algorithm: one.signatureType,
      }
    : {}

const HEADS = new Set(['Type:', 'Public', 'Signing', 'Key', 'Serial:', 'Valid:', 'Principals:', 'Critical', 'Extensions:'])

/** What ssh-keygen says, a text for each of its parts; the first line names the file. */
function infoOf(text: string): string[] {
  const parts = ['']
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (HEADS.has(word)) parts.push(word)
    else parts[parts.length - 1] += ` ${word}`
  }
  return parts.slice(1)
}
