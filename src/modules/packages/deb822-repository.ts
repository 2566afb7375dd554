/** deb822_repository: makes a source in deb822 form be in apt's lists, or not, with its key beside it. */
import type { Value } from '../../base/index.ts'
import { Look } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, int, list, raw, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, ModuleFailure } from '../api.ts'
import { fileInfo, statFile } from '../system/file-info.ts'
import { lookAt } from '../system/looking.ts'
import { writeText } from '../system/write-text.ts'

/** Parameters that become fields of the source, in order of their names. */
const fields = {
  allow_downgrade_to_insecure: bool(),
  allow_insecure: bool(),
  allow_weak: bool(),
  architectures: list(),
  by_hash: bool(),
  check_date: bool(),
  check_valid_until: bool(),
  components: list(),
  date_max_future: int(),
  enabled: bool(),
  inrelease_path: str(),
  languages: list(),
  name: required(str()),
  pdiffs: bool(),
  signed_by: str(),
  suites: list(),
  targets: list(),
  trusted: bool(),
  types: fallback(list(), ['deb']),
  uris: list(),
} as const

const params = { ...fields, mode: fallback(raw(), '0644'), state: choice(['present', 'absent'], 'present') } as const

export default defineModule({
  name: 'ansible.builtin.deb822_repository',
  summary: "Manages apt's sources in deb822 form.",
  params,
  async *run(args, host) {
    const slug = args.name
      .toLowerCase()
      .replace(/[_\s]+/g, '-')
      .replace(/[^a-z0-9-]+/g, '')
    const dest = `/etc/apt/sources.list.d/${slug}.sources`
    const keys = ['asc', 'gpg'].map((ending) => `/etc/apt/keyrings/${slug}.${ending}`)
    const look = await lookAt(host, sourceLook(args, dest, keys))
    if (args.state === 'absent') {
      const there = [dest, ...keys].filter((path) => look.exists(path))
      if (there.length > 0) yield { what: 'source', script: sh`rm -f ${there}` }
      return { changed: there.length > 0, repo: null, dest, key_filename: keys[1]! }
    }
    const key = yield* signedBy(args, look, keys)
    const repo = render(args, key.field)
    const before = look.section(`f:${dest}`) ?? ''
    const mode = modeOf(args.mode)
    const oldMode = fileInfo(look).mode
    const rewrite = before !== repo
    const remode = oldMode !== undefined && oldMode !== mode
    let after = look
    if (rewrite || remode) {
      const write = rewrite ? sh`mkdir -p /etc/apt/sources.list.d && ${writeText(dest, repo, { mode })} || exit $?; ` : sh``
      const diff = { before, after: repo, beforeHeader: dest, afterHeader: dest }
      const script = sh`( ${write}chmod ${mode} ${dest} ) || exit $?; ${statFile(dest)}`
      const done = yield { what: 'source', diff, script }
      if (done) after = new Look(textOf(done.stdout))
    }
    return { changed: key.changed || rewrite || remode, repo, dest, key_filename: key.file ?? null, ...(host.check ? {} : fileInfo(after)) }
  },
})

type SourceArgs = Args<typeof params>

const isAddress = (text: string | undefined): text is string => text !== undefined && /^\w+:\/\//.test(text)

/** The key at an address is fetched for its checksum alone. */
const sourceLook = (args: SourceArgs, dest: string, keys: readonly string[]): Script => sh`
e ${dest} ${keys}; f ${dest}
${statFile(dest)}
if [ -n ${args.signed_by ?? ''} ] && [ -f ${isAddress(args.signed_by) ? '' : (args.signed_by ?? '').split('\n')[0]!} ]; then printf '\036e:keyfile\n'; fi
for k in ${keys}; do if [ -f "$k" ]; then printf '\036sum:%s\n' "$k"; sha256sum <"$k"; fi; done
if ${isAddress(args.signed_by) && args.state === 'present' ? sh`:` : sh`false`}; then
  t=$(mktemp) && { ${download(args.signed_by ?? '')} 2>/dev/null && { printf '\036fetched\n'; sha256sum <"$t"; if grep -q -e '-----BEGIN PGP PUBLIC KEY BLOCK-----' "$t"; then printf '\036armored\n'; fi; }; rm -f "$t"; }
fi`

/** Downloads to the file $t with what apt brings along, or curl. */
const download = (address: string): Script =>
  sh`{ if [ -x /usr/lib/apt/apt-helper ]; then /usr/lib/apt/apt-helper download-file ${address} "$t" >/dev/null; else curl -fsSL -o "$t" ${address}; fi; }`

interface Key {
  readonly changed: boolean
  /** what stands in the source's field */
  readonly field: string | undefined
  readonly file: string | undefined
}

async function* signedBy(args: SourceArgs, look: Look, keys: readonly string[]): AsyncGenerator<Change, Key, Done> {
  const given = args.signed_by
  if (given === undefined) return { changed: false, field: undefined, file: undefined }
  if (!isAddress(given)) return { changed: false, field: given, file: look.exists('keyfile') ? given : undefined }
  const fetched = look.section('fetched')
  if (fetched === undefined) throw new ModuleFailure(`Could not fetch signed_by key: ${given}`)
  const file = look.section('armored') === undefined ? keys[1]! : keys[0]!
  if (look.section(`sum:${file}`)?.trim() === fetched.trim()) return { changed: false, field: file, file }
  const script = sh`mkdir -p -m 0755 /etc/apt/keyrings && t=${`${file}.new`} && ${download(given)} && chmod 0644 "$t" && mv -f "$t" ${file}`
  const done = yield { what: 'key', onFailure: 'tell', script }
  if (done && done.code !== 0) throw new ModuleFailure(`Could not fetch signed_by key: ${textOf(done.stderr).trim()}`)
  return { changed: true, field: file, file }
}

const special: Readonly<Record<string, string>> = { name: 'X-Repolib-Name', uris: 'URIs' }

const fieldName = (key: string): string =>
  special[key] ??
  key
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('-')

function render(args: SourceArgs, signed: string | undefined): string {
  const lines = (Object.keys(fields) as (keyof typeof fields)[]).sort().flatMap((key) => {
    const value = key === 'signed_by' ? signed : args[key]
    if (value === undefined) return []
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : Array.isArray(value) ? value.join(' ') : String(value)
    return [`${fieldName(key)}:${text.includes('\n') ? folded(text) : ` ${text}`}\n`]
  })
  return lines.join('')
}

/** Several lines go on indented; an empty one is a dot. */
const folded = (text: string): string =>
  `\n${text
    .trim()
    .split('\n')
    .map((line) => `    ${line.trim() || '.'}`)
    .join('\n')}`

const modeOf = (mode: Value): string => (typeof mode === 'number' ? mode.toString(8) : String(mode)).padStart(4, '0')
