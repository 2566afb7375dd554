/** openssl_pkcs12: makes a PKCS#12 archive of a key and certificates be in a file, or takes one apart; what is secret stays on the host. */
import { type Args, bool, choice, fallback, int, list, path, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { backupLine, takeAway, tend } from './tend.ts'

const params = {
  ...attributeParams,
  action: choice(['export', 'parse'], 'export', { description: 'make an archive, or take src apart' }),
  backup: fallback(bool(), false),
  certificate_path: path({ description: 'file of the certificate' }),
  encryption_level: choice(['auto', 'compatibility2022'], 'auto', { description: 'how it is sealed: also for old programs' }),
  force: fallback(bool(), false),
  friendly_name: str({ aliases: ['name'], description: 'what the certificate is called in the archive' }),
  iter_size: int({ description: 'rounds of the seal' }),
  maciter_size: int({ description: 'has no effect: openssl has its own number of rounds for the checksum' }),
  other_certificates: list('path', { aliases: ['ca_certificates'], description: 'files of further certificates' }),
  other_certificates_parse_all: fallback(bool({ description: 'all certificates in these files, not the first alone' }), false),
  passphrase: str({ noLog: true, description: 'what the archive is sealed with' }),
  path: required(path({ description: 'the file' })),
  privatekey_content: str({ noLog: true, description: 'the private key' }),
  privatekey_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  privatekey_path: path({ description: 'file of the private key' }),
  return_content: fallback(bool({ description: 'tell the archive in the result, in Base64' }), false),
  select_crypto_backend: choice(['auto', 'cryptography', 'pyopenssl'], 'auto', { description: 'has no effect' }),
  src: path({ description: 'the archive that is taken apart' }),
  state: choice(['absent', 'present'], 'present'),
} as const

type ArchiveArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.openssl_pkcs12',
  summary: 'Makes PKCS#12 archives, and takes them apart.',
  params,
  rules: {
    requiredIf: [['action', 'parse', ['src']]],
    mutuallyExclusive: [['privatekey_path', 'privatekey_content']],
  },
  async *run(args, host) {
    const told = { filename: args.path, ...(args.privatekey_path ? { privatekey_path: args.privatekey_path } : {}) }
    if (args.state === 'absent') {
      const { changed, backup } = yield* takeAway(host, [args.path], args.backup)
      return { changed, ...told, ...(backup === undefined ? {} : { backup_file: backup }) }
    }
    const fresh = args.force || !(await isSettled(host, args))
    if (fresh && args.action === 'export' && !args.friendly_name) throw new ModuleFailure('Friendly_name is required')
    let backup = ''
    if (fresh) {
      const done = yield {
        what: 'archive',
        script: joinScripts([prepared(args), args.action === 'export' ? wanted(args) : takenApart(args.src!), put(args)]),
        onFailure: 'tell',
        ...secrets(args),
      }
      if (done && done.code !== 0) throw failure(args, done.code, textOf(done.stderr))
      backup = done ? textOf(done.stdout) : ''
    }
    const mended = fresh && host.check ? false : yield* tend(host, { ...args, mode: args.mode ?? '0400' }, args.path)
    const after = host.check && fresh ? undefined : await host.look(sh`stat -c %a -- ${args.path}; openssl base64 -A -in ${args.path}`)
    const [mode = '', content = ''] = after ? textOf(after.stdout).split('\n') : []
    return {
      changed: fresh || mended,
      ...told,
      ...(backup === '' ? {} : { backup_file: backup }),
      ...(after ? { mode: mode.padStart(4, '0') } : {}),
      ...(args.return_content && after ? { pkcs12: content } : {}),
    }
  },
})

const NO_OPENSSL = 93
const NO_FILE = 94

function failure(args: ArchiveArgs, code: number, stderr: string): ModuleFailure {
  if (code === NO_OPENSSL) return new ModuleFailure('Failed to find required executable "openssl" in paths')
  if (code === NO_FILE) return new ModuleFailure(`a file that the archive is made of does not exist, or the folder of ${args.path}`)
  return new ModuleFailure(`openssl failed: ${stderr.trim()}`, { rc: code })
}

const secrets = (args: ArchiveArgs): { env: ReadonlyMap<string, string> } => ({
  env: new Map([
    ['TSSPRAY_PASS', args.passphrase ?? ''],
    ['TSSPRAY_KEYPASS', args.privatekey_passphrase ?? ''],
  ]),
})

/** The key, the certificate and the others as they are wished, each in a file of the scratch folder. */
function prepared(args: ArchiveArgs): Script {
  const key =
    args.privatekey_content !== undefined
      ? sh`printf '%s\n' ${args.privatekey_content} | openssl pkey -passin env:TSSPRAY_KEYPASS >"$d/key" || exit 1`
      : args.privatekey_path !== undefined
        ? sh`[ -f ${args.privatekey_path} ] || exit ${NO_FILE}; openssl pkey -in ${args.privatekey_path} -passin env:TSSPRAY_KEYPASS >"$d/key" || exit 1`
        : sh`: >"$d/key"`
  const certificate =
    args.certificate_path === undefined
      ? sh`: >"$d/cert"`
      : sh`[ -f ${args.certificate_path} ] || exit ${NO_FILE}; openssl x509 -in ${args.certificate_path} >"$d/cert" || exit 1`
  return sh`command -v openssl >/dev/null || exit ${NO_OPENSSL}
[ -d "$(dirname -- ${args.path})" ] || exit ${NO_FILE}
umask 077; d=$(mktemp -d) || exit 1
trap 'rm -rf "$d"' EXIT
${
  args.action === 'export'
    ? sh`${key}
${certificate}
: >"$d/others"; for f in ${args.other_certificates ?? []}; do [ -f "$f" ] || exit ${NO_FILE}; ${args.other_certificates_parse_all ? sh`sed -n '/-----BEGIN CERTIFICATE-----/,/-----END CERTIFICATE-----/p' "$f"` : sh`openssl x509 -in "$f"`} >>"$d/others" || exit 1; done`
    : sh``
}`
}

/** The archive that is asked for, in `$d/made`. */
function wanted(args: ArchiveArgs): Script {
  const old =
    args.encryption_level === 'compatibility2022' ? ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'] : []
  const rounds = args.iter_size === undefined ? [] : ['-iter', String(args.iter_size)]
  const words = ['-export', '-name', args.friendly_name ?? '', '-passout', 'env:TSSPRAY_PASS', ...old, ...rounds]
  return sh`set -- ${words}
if [ -s "$d/key" ]; then cat "$d/key" "$d/cert" >"$d/in"; set -- "$@" -in "$d/in"; else cp "$d/cert" "$d/in"; set -- "$@" -nokeys -in "$d/in"; fi
[ ! -s "$d/others" ] || set -- "$@" -certfile "$d/others"
openssl pkcs12 "$@" -out "$d/made" || exit 1`
}

/** An archive's key, certificate and others one after the other, in `$d/made`; the key in its old form, where it has one. */
const takenApart = (archive: string): Script => sh`[ -f ${archive} ] || exit ${NO_FILE}
${parts(archive)}
if [ -s "$d/nowkey" ] && openssl pkey -traditional -in "$d/nowkey" >"$d/oldform" 2>/dev/null; then mv "$d/oldform" "$d/nowkey"; fi
cat "$d/nowkey" "$d/nowcert" "$d/nowothers" >"$d/made"`

const parts = (
  archive: string,
): Script => sh`p12() { openssl pkcs12 -in ${archive} -passin env:TSSPRAY_PASS -nodes "$@" 2>/dev/null || openssl pkcs12 -legacy -in ${archive} -passin env:TSSPRAY_PASS -nodes "$@"; }
p12 >"$d/all" || exit 95
certs() { sed -n '/-----BEGIN CERTIFICATE-----/,/-----END CERTIFICATE-----/p'; }
if grep -q 'PRIVATE KEY-----' "$d/all"; then openssl pkey -in "$d/all" >"$d/nowkey"; else : >"$d/nowkey"; fi
if [ -s "$d/nowkey" ]; then p12 -nokeys -clcerts | certs >"$d/nowcert"; p12 -nokeys -cacerts | certs >"$d/nowothers"; else certs <"$d/all" >"$d/allcerts"; awk -v d="$d" '/-----BEGIN/{n++} {print > (d (n==1 ? "/nowcert" : "/nowothers"))}' "$d/allcerts"; touch "$d/nowcert" "$d/nowothers"; fi
sed -n 's/^ *friendlyName: //p' "$d/all" | head -n 1 >"$d/nowname"`

/** Nothing but whether all is as wished comes from the host. */
async function isSettled(host: Host, args: ArchiveArgs): Promise<boolean> {
  const sorted = sh`one() { awk '/-----BEGIN/{if(l)print l;l=""} {l=l $0} END{if(l)print l}' "$1" | sort; }`
  const compare =
    args.action === 'parse'
      ? sh`${takenApart(args.src!)}
cmp -s "$d/made" ${args.path} || exit 96`
      : sh`${parts(args.path)}
${sorted}
cmp -s "$d/key" "$d/nowkey" && cmp -s "$d/cert" "$d/nowcert" && [ "$(one "$d/others")" = "$(one "$d/nowothers")" ] && [ "$(cat "$d/nowname")" = ${args.friendly_name ?? ''} ] || exit 96`
  const told = await host.look(
    joinScripts([
      prepared(args),
      sh`[ -f ${args.path} ] || exit 96
${compare}`,
    ]),
    { onFailure: 'tell', ...secrets(args) },
  )
  if (told.code === 0) return true
  if (told.code === 96 || (told.code === 95 && args.action === 'export')) return false
  throw failure(args, told.code, textOf(told.stderr))
}

const put = (args: ArchiveArgs): Script => sh`${args.backup ? backupLine(args.path) : sh``}p=${args.path}; t=$p.new.$$
cat "$d/made" >"$t" && { [ ! -e "$p" ] || { chown "$(stat -c %u:%g "$p")" "$t" && chmod "$(stat -c %a "$p")" "$t"; }; } && mv -f "$t" "$p" || { rm -f "$t"; exit 1; }`
