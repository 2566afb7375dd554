/** apt_key: makes apt trust a signing key, or not, through a keyring. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, path, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'

const params = {
  id: str(),
  url: str(),
  data: str(),
  file: path(),
  keyring: path(),
  validate_certs: fallback(bool(), true),
  keyserver: str(),
  state: choice(['absent', 'present'], 'present'),
} as const

type KeyArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.builtin.apt_key',
  summary: "Manages apt's keys.",
  params,
  rules: { mutuallyExclusive: [['data', 'file', 'keyserver', 'url']] },
  async *run(args, host) {
    const { state } = args
    const id = args.id?.replace(/^0x/i, '').toUpperCase()
    if (id !== undefined && !/^([0-9A-F]{8}|[0-9A-F]{16}|[0-9A-F]{16,40})$/.test(id))
      throw new ModuleFailure('Invalid key_id', { id: args.id ?? '' })
    const sourced = args.url !== undefined || args.data !== undefined || args.file !== undefined || args.keyserver !== undefined
    if (state === 'present' && !sourced && id === undefined) throw new ModuleFailure('Missing key_id, required with keyserver.')
    const look = await lookAt(host, keyLook(args))
    if (look.section('failed') !== undefined)
      throw new ModuleFailure(`Failed to download key at ${args.url ?? ''}: ${look.section('failed')?.trim() ?? ''}`)
    const wanted = id ?? firstId(look.section('key'))
    if (wanted === undefined) throw new ModuleFailure('No valid key id could be determined from the given source')
    const there = keyIds(look).some((one) => one.endsWith(wanted.slice(-16)) || one.slice(-8) === wanted.slice(-8))
    const told = { fp: wanted, id: args.id ?? wanted, key_id: wanted, short_id: wanted.slice(-8) }
    if (there === (state === 'present')) return { changed: false, ...told, before: keyIds(look) }
    const script = state === 'absent' ? removal(args, wanted) : addition(args, wanted)
    const done = yield { what: 'key', onFailure: 'tell', script }
    if (done && done.code !== 0)
      throw new ModuleFailure(state === 'present' ? 'Error adding key' : 'Error removing key', {
        rc: done.code,
        stderr: textOf(done.stderr),
      })
    return { changed: true, ...told }
  },
})

/** gpg on the keyring alone, or apt's own tool on all. */
const onKeyring = (args: KeyArgs): Script =>
  args.keyring === undefined ? sh`apt-key adv` : sh`gpg --no-tty --batch --no-default-keyring --keyring ${args.keyring}`

/** Prints the key that was given. */
const given = (args: KeyArgs): Script => {
  if (args.data !== undefined) return sh`printf '%s\n' ${args.data}`
  if (args.file !== undefined) return sh`cat ${args.file}`
  return sh`{ if w curl; then curl -fsSL ${args.validate_certs ? [] : ['-k']} ${args.url ?? ''}; else wget -qO- ${args.validate_certs ? [] : ['--no-check-certificate']} ${args.url ?? ''}; fi; }`
}

const hasSource = (args: KeyArgs): boolean => args.data !== undefined || args.file !== undefined || args.url !== undefined

const keyLook = (args: KeyArgs): Script => sh`
printf '\036trusted\n'; ${onKeyring(args)} --with-colons --list-public-keys 2>/dev/null
if ${hasSource(args) && args.id === undefined ? sh`:` : sh`false`}; then
  printf '\036key\n'; ${given(args)} 2>/dev/null | gpg --no-tty --batch --with-colons --show-keys 2>/dev/null
fi`

const firstId = (text: string | undefined): string | undefined =>
  linesOf(text)
    .map((line) => line.split(':'))
    .find(([kind]) => kind === 'pub')?.[4]

const keyIds = (look: Look): string[] =>
  linesOf(look.section('trusted'))
    .map((line) => line.split(':'))
    .filter(([kind]) => kind === 'pub' || kind === 'sub')
    .map((fields) => fields[4] ?? '')

function addition(args: KeyArgs, id: string): Script {
  if (args.keyserver !== undefined) return sh`${onKeyring(args)} --keyserver ${args.keyserver} --recv-keys ${id}`
  const key = sh`w() { command -v "$1" >/dev/null 2>&1; }; ${given(args)}`
  return args.keyring === undefined
    ? sh`( ${key} | apt-key add - )`
    : sh`( ${key} | ${onKeyring(args)} --import - && chmod 0644 ${args.keyring} )`
}

const removal = (args: KeyArgs, id: string): Script =>
  args.keyring === undefined ? sh`apt-key del ${id}` : sh`${onKeyring(args)} --yes --delete-keys ${id}`
