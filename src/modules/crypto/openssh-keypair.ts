/** openssh_keypair: makes a pair of SSH keys be in a file and its .pub; the private one does not leave the host. */
import { type Args, bool, choice, fallback, int, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, defineModule, type Host, ModuleFailure } from '../api.ts'
import { attributeParams } from '../files/attributes.ts'
import { needFolder, takeAway, tend } from './tend.ts'

const params = {
  ...attributeParams,
  backend: choice(['auto', 'cryptography', 'opensshbin'], 'auto', { description: 'has no effect: ssh-keygen makes the keys' }),
  comment: str({ description: 'comment of the public key' }),
  force: fallback(bool({ description: 'make new keys in any case' }), false),
  passphrase: str({ noLog: true, description: 'what the private key is sealed with' }),
  path: required(path({ description: 'file of the private key' })),
  private_key_format: choice(['auto', 'pkcs1', 'pkcs8', 'ssh'], 'auto', { description: 'form of the private key' }),
  regenerate: choice(['never', 'fail', 'partial_idempotence', 'full_idempotence', 'always'], 'partial_idempotence', {
    description: 'when new keys take the place of others',
  }),
  size: int({ description: 'bits of the key' }),
  state: choice(['present', 'absent'], 'present', { description: 'whether the keys are to be there' }),
  type: choice(['rsa', 'dsa', 'rsa1', 'ecdsa', 'ed25519'], 'rsa', { description: 'kind of the key' }),
} as const

type PairArgs = Args<typeof params>

const SIZES: Readonly<Record<string, number>> = { rsa: 4096, rsa1: 4096, dsa: 1024, ecdsa: 256, ed25519: 256 }

export default defineModule({
  name: 'community.crypto.openssh_keypair',
  summary: 'Makes pairs of SSH keys.',
  params,
  async *run(args, host) {
    const size = args.type === 'ed25519' ? 256 : (args.size ?? SIZES[args.type]!)
    if (args.type === 'ecdsa' && ![256, 384, 521].includes(size)) {
      throw new ModuleFailure(
        'For ECDSA keys, size determines the key length by selecting from one of three elliptic curve sizes: 256, 384 or 521 bits.',
      )
    }
    if (args.type === 'dsa' && size !== 1024) throw new ModuleFailure('DSA keys must be exactly 1024 bits as specified by FIPS 186-2.')
    if (args.type.startsWith('rsa') && size < 1024) {
      throw new ModuleFailure(
        'For RSA keys, the minimum size is 1024 bits and the default is 4096 bits. Attempting to use bit lengths under 1024 will cause the module to fail.',
      )
    }
    await needFolder(host, args.path)
    if (args.state === 'absent') {
      const { fingerprint, publicKey, comment } = await lookAtPair(host, args)
      const { changed } = yield* takeAway(host, [args.path, `${args.path}.pub`], false)
      return { changed, filename: args.path, size, type: args.type, fingerprint, public_key: publicKey, comment }
    }
    const now = await lookAtPair(host, args)
    if (now.kind === 'directory') throw new ModuleFailure(`${args.path} is a directory. Please specify a path to a file.`)
    const makes = mustMake(args, now, size)
    if (makes) yield makeChange(args, size)
    else if (!now.publicFits || (args.comment !== undefined && args.comment !== now.comment)) yield publicChange(args, now)
    const changed = makes || !now.publicFits || (args.comment !== undefined && args.comment !== now.comment)
    const mended = changed && host.check ? false : yield* tend(host, args, args.path)
    const after = changed && !host.check ? await lookAtPair(host, args) : now
    const result = { changed: changed || mended, filename: args.path, size, type: args.type }
    if (makes && host.check) return { ...result, fingerprint: '', public_key: '', comment: args.comment ?? '' }
    return { ...result, size: after.size ?? size, fingerprint: after.fingerprint, public_key: after.publicKey, comment: after.comment }
  },
})

interface PairNow {
  readonly kind: 'none' | 'file' | 'directory'
  readonly size: number | undefined
  readonly fingerprint: string
  readonly type: string
  /** algorithm and key, as the private key gives them */
  readonly publicKey: string
  /** the .pub file holds that key */
  readonly publicFits: boolean
  readonly comment: string
  /** the private key can be read with the passphrase, and only with one where one is given */
  readonly readable: boolean
}

const NO_KEYGEN = 93

async function lookAtPair(host: Host, { path: file, passphrase }: PairArgs): Promise<PairNow> {
  const none = passphrase === undefined ? sh`printf ''` : sh`ssh-keygen -y -P '' -f ${file} 2>/dev/null </dev/null`
  const told = await host.look(
    sh`command -v ssh-keygen >/dev/null || exit ${NO_KEYGEN}
if [ -d ${file} ]; then printf directory; exit 0; fi
[ -f ${file} ] || exit 0
printf file; printf '\036'; ssh-keygen -y -P ${passphrase ?? ''} -f ${file} 2>/dev/null </dev/null ; ssh-keygen -l -f ${file} 2>/dev/null
printf '\036'; cat ${`${file}.pub`} 2>/dev/null; printf '\036'; ${none}`,
    { onFailure: 'tell' },
  )
  if (told.code === NO_KEYGEN) throw new ModuleFailure('Failed to find required executable "ssh-keygen" in paths')
  const [kind = '', both = '', pub = '', unsealed = ''] = textOf(told.stdout).split('\u001e')
  const lines = both.split('\n')
  const key = (lines.find((line) => /^(ssh|ecdsa|sk)-/.test(line)) ?? '').trim().split(' ')
  const print = /^(\d+) (\S+) .*\((\S+)\)$/m.exec(both)
  const [algorithm = '', body = '', ...comment] = pub.trim().split(' ')
  const publicKey = key.slice(0, 2).join(' ')
  return {
    kind: kind === 'file' || kind === 'directory' ? kind : 'none',
    size: print ? Number(print[1]) : undefined,
    fingerprint: print?.[2] ?? '',
    type: print?.[3]?.toLowerCase() ?? '',
    publicKey,
    publicFits: `${algorithm} ${body}` === publicKey,
    comment: comment.join(' '),
    readable: publicKey !== '' && unsealed.trim() === '',
  }
}

function mustMake(args: PairArgs, now: PairNow, size: number): boolean {
  if (now.kind === 'none' || args.force || args.regenerate === 'always') return true
  if (!now.readable) {
    if (args.regenerate === 'full_idempotence') return true
    if (args.regenerate === 'never') return false
    throw new ModuleFailure(
      'Unable to read the key. The key is protected with a passphrase or broken. Will not proceed. To force regeneration, call the module with `regenerate` set to `full_idempotence` or `always`, or with `force=yes`.',
    )
  }
  if (args.regenerate === 'never') return false
  const type = args.type === 'rsa1' ? 'rsa' : args.type
  if (now.type === type && now.size === size) return false
  if (args.regenerate !== 'fail') return true
  throw new ModuleFailure(
    'Key has wrong type and/or size. Will not proceed. To force regeneration, call the module with `regenerate` set to `partial_idempotence`, `full_idempotence` or `always`, or with `force=yes`.',
  )
}

const FORMATS: Readonly<Record<string, readonly string[]>> = { auto: [], ssh: [], pkcs1: ['-m', 'PEM'], pkcs8: ['-m', 'PKCS8'] }

function makeChange(args: PairArgs, size: number): Change {
  const bits = args.type === 'ed25519' ? [] : ['-b', String(size)]
  const words = [
    '-q',
    ...FORMATS[args.private_key_format]!,
    '-t',
    args.type,
    ...bits,
    '-C',
    args.comment ?? '',
    '-N',
    args.passphrase ?? '',
  ]
  return {
    what: 'key',
    diff: { before: {}, after: { type: args.type, size, comment: args.comment ?? '' } },
    script: sh`rm -f -- ${args.path} ${`${args.path}.pub`} && ssh-keygen ${words} -f ${args.path} </dev/null`,
    failMessage: 'ssh-keygen could not make the keys',
  }
}

/** Writes the public file anew, with the comment that is wanted or the one it had. */
function publicChange(args: PairArgs, now: PairNow): Change {
  const comment = args.comment ?? now.comment
  const inside: Script =
    args.comment === undefined
      ? sh``
      : sh`ssh-keygen -q -c -C ${args.comment} -P ${args.passphrase ?? ''} -f ${args.path} </dev/null >/dev/null 2>&1
`
  return {
    what: 'public key',
    diff: { before: { comment: now.comment }, after: { comment } },
    script: sh`${inside}t=$(mktemp ${`${args.path}.pub.XXXXXX`}) || exit 1
printf '%s\n' ${[now.publicKey, comment].filter(Boolean).join(' ')} >"$t" && chmod 0644 "$t" && mv -f -- "$t" ${`${args.path}.pub`}`,
  }
}
