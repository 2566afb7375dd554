/** openssl_privatekey_convert: makes a file hold a private key in another form, or sealed with something else; the key does not leave the host. */
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { keyFacts } from './fingerprints.ts'
import { RAW_SIZES } from './openssl-privatekey.ts'
import { backupLine, tend } from './tend.ts'

const params = {
  ...attributeParams,
  backup: fallback(bool({ description: 'keep a copy of the old file' }), false),
  dest_passphrase: str({ noLog: true, description: 'what the key is sealed with in the file' }),
  dest_path: required(path({ description: 'the file' })),
  format: required(choice(['pkcs1', 'pkcs8', 'raw'], { description: 'form of the file' })),
  src_content: str({ noLog: true, description: 'the key' }),
  src_passphrase: str({ noLog: true, description: 'what the key is sealed with' }),
  src_path: path({ description: 'file of the key' }),
} as const

type ConvertArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.openssl_privatekey_convert',
  summary: 'Converts private keys from one form to another.',
  params,
  rules: { mutuallyExclusive: [['src_path', 'src_content']], requiredOneOf: [['src_path', 'src_content']] },
  async *run(args, host) {
    const now = await lookAtBoth(host, args)
    const size = RAW_SIZES[now.type]
    if (args.format === 'raw' && (size === undefined || args.dest_passphrase !== undefined))
      throw new ModuleFailure('Cryptography backend cannot serialize the private key in the required format "raw"')
    if (args.format === 'pkcs1' && size !== undefined)
      throw new ModuleFailure('Cryptography backend cannot serialize the private key in the required format "pkcs1"')
    const done = now.fits ? undefined : yield convertChange(args, now.type)
    const mended = now.fits || !host.check ? yield* tend(host, { ...args, mode: args.mode ?? '0600' }, args.dest_path) : false
    const backup = done && args.backup ? textOf(done.stdout) : ''
    return { changed: !now.fits || mended, ...(backup === '' ? {} : { backup_file: backup }) }
  },
})

const NO_OPENSSL = 93
const NO_SOURCE = 94
const NO_FOLDER = 95
const NO_KEY = 96

const env = (args: ConvertArgs): ReadonlyMap<string, string> =>
  new Map([
    ['TSSPRAY_FROM', args.src_passphrase ?? ''],
    ['TSSPRAY_PASS', args.dest_passphrase ?? ''],
  ])

/** Puts the key that is given into `$k`, without a seal; a raw key gets what goes before it. */
function sourceScript(args: ConvertArgs): Script {
  const given = args.src_content === undefined ? sh`cat -- ${args.src_path!}` : sh`printf %s ${args.src_content}`
  return sh`umask 077
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
k=$dir/key
${given} >"$dir/given" || exit 1
readable() {
  if grep -q -e '^-----BEGIN' "$1"; then openssl pkey -in "$1" -passin "env:$2" >"$3" 2>/dev/null; return; fi
  {
    case $(wc -c <"$1" | tr -d ' ')$4 in
    32) printf ${rawHead('Ed25519')} ;;
    32x) printf ${rawHead('X25519')} ;;
    56*) printf ${rawHead('X448')} ;;
    57*) printf ${rawHead('Ed448')} ;;
    esac
    cat -- "$1"
  } | openssl pkey -inform DER >"$3" 2>/dev/null
}
readable "$dir/given" TSSPRAY_FROM "$k" "" && [ -s "$k" ] || exit ${NO_KEY}
`
}

/** What is before the bytes of a raw key in PKCS#8, as printf writes it. */
const rawHead = (type: string): string =>
  RAW_HEADS[type]!.replace(/../g, (hex) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`)

const RAW_HEADS: Readonly<Record<string, string>> = {
  Ed25519: '302e020100300506032b657004220420',
  X25519: '302e020100300506032b656e04220420',
  X448: '3046020100300506032b656f043a0438',
  Ed448: '3047020100300506032b6571043b0439',
}

async function lookAtBoth(host: Host, args: ConvertArgs): Promise<{ readonly type: string; readonly fits: boolean }> {
  const told = await host.look(
    sh`command -v openssl >/dev/null || exit ${NO_OPENSSL}
p=${args.dest_path}
case $p in */*) d=\${p%/*}; [ -d "\${d:-/}" ] || exit ${NO_FOLDER} ;; esac
${
  args.src_path === undefined
    ? sh``
    : sh`[ -f ${args.src_path} ] || exit ${NO_SOURCE}
`
}${sourceScript(args)}openssl pkey -in "$k" -pubout -outform DER | openssl base64 -A
printf '\036'
[ -f "$p" ] || exit 0
sed -n 's/^-----BEGIN \(.*\)-----.*/\1/p' "$p" 2>/dev/null | head -n 1
printf '\036'; grep -c '^Proc-Type: 4,ENC' "$p"
hint=; if openssl pkey -in "$k" -outform DER | openssl asn1parse -inform DER 2>/dev/null | grep -q ':X25519'; then hint=x; fi
printf '\036'; readable "$p" TSSPRAY_PASS "$dir/there" "$hint"; cmp -s "$k" "$dir/there" && printf same
:`,
    { onFailure: 'tell', env: env(args) },
  )
  const folder = args.dest_path.replace(/\/[^/]*$/, '') || '/'
  const failures: Readonly<Record<number, string>> = {
    [NO_OPENSSL]: 'Failed to find required executable "openssl" in paths',
    [NO_FOLDER]: `The directory ${folder} does not exist or the file is not a directory`,
    [NO_SOURCE]: `The file ${args.src_path} does not exist`,
    [NO_KEY]: 'the private key cannot be read: it is broken, or sealed with another passphrase',
  }
  const failure = failures[told.code]
  if (failure !== undefined) throw new ModuleFailure(failure)
  const [key = '', label = '', old = '', same = ''] = textOf(told.stdout).split('\u001e')
  return {
    type: keyFacts(new Uint8Array(Buffer.from(key, 'base64'))).type,
    fits: same === 'same' && sameForm(args, label.trim(), old.trim()),
  }
}

/** A key that can be read with a passphrase although it has no seal is as good as none. */
function sameForm(args: ConvertArgs, label: string, old: string): boolean {
  const sealed = label.startsWith('ENCRYPTED') || old === '1'
  const form = label === '' ? 'raw' : label === 'PRIVATE KEY' || label === 'ENCRYPTED PRIVATE KEY' ? 'pkcs8' : 'pkcs1'
  return form === args.format && sealed === (args.dest_passphrase !== undefined)
}

function convertChange(args: ConvertArgs, type: string): Change {
  const sealed = args.dest_passphrase === undefined ? [] : ['-aes256', '-passout', 'env:TSSPRAY_PASS']
  const write =
    args.format === 'raw'
      ? sh`openssl pkey -in "$k" -outform DER | tail -c ${RAW_SIZES[type] ?? 0}`
      : sh`openssl pkey -in "$k" ${[...(args.format === 'pkcs1' ? ['-traditional'] : []), ...sealed]}`
  return {
    what: 'key',
    diff: { before: {}, after: { format: args.format } },
    script: sh`${sourceScript(args)}t=$(mktemp ${`${args.dest_path}.XXXXXX`}) || exit 1
trap 'rm -rf "$dir"; rm -f -- "$t"' EXIT
${write} >"$t" && [ -s "$t" ] || exit 1
${args.backup ? backupLine(args.dest_path) : sh``}if [ -e ${args.dest_path} ]; then chown "$(stat -c %u:%g -- ${args.dest_path})" "$t" && chmod "$(stat -c %a -- ${args.dest_path})" "$t" || exit 1; fi
mv -f -- "$t" ${args.dest_path}`,
    env: env(args),
    failMessage: 'openssl could not convert the key',
  }
}
