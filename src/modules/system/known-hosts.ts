/** known_hosts: makes a host's key be known to ssh, or not. */
import { Look, linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { fileInfo, statFile } from './file-info.ts'
import { lookAt } from './looking.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'ansible.builtin.known_hosts',
  summary: "Manages ssh's known hosts.",
  params: {
    name: required(str({ aliases: ['host'] })),
    key: str(),
    path: fallback(path(), '~/.ssh/known_hosts'),
    hash_host: fallback(bool(), false),
    state: choice(['absent', 'present'], 'present'),
  },
  async *run(args, host) {
    const { state } = args
    const name = args.name.toLowerCase()
    if (state === 'present' && args.key === undefined) throw new ModuleFailure('No key specified when adding a host')
    const key = args.key === undefined ? undefined : parseLine(args.key.trim().split('\n').at(-1)!)
    if (args.key !== undefined && !key) throw new ModuleFailure('host key has invalid format')
    if (key && /\S\s*,/.test(name)) throw new ModuleFailure(NOT_A_LIST)
    const file = args.path
    const look = await lookAt(host, hostLook(name, file, args.key, args.hash_host))
    if (key && args.key !== undefined && look.section('matches')?.trim() === '')
      throw new ModuleFailure('Host parameter does not match hashed host field in supplied key')
    const before = look.section(`f:${file}`) ?? ''
    const lines = linesOf(before)
    const found = foundLines(look)
    const wanted = args.hash_host
      ? (look
          .section('hashed')
          ?.split('\n')
          .find((line) => line !== '' && !line.startsWith('#')) ?? '')
      : (args.key ?? '').trim()
    const base = { name: args.name, key: args.key ?? null, path: file, hash_host: args.hash_host }
    const after = key
      ? withOrWithoutKey(lines, found, parseLine(wanted) ?? key, state === 'present' ? wanted : undefined)
      : without(lines, found)
    // in check mode nothing is told of what was given, but where a key that is not there is to go
    const told = host.check && !(state === 'absent' && key && after === undefined) ? {} : { ...base, ...fileInfo(look) }
    if (after === undefined) return { changed: false, ...told, diff: { before, after: before, before_header: file, after_header: file } }
    const text = after.map((line) => `${line}\n`).join('')
    const diff = { before, after: text, beforeHeader: file, afterHeader: file }
    const shown = { before, after: text, before_header: file, after_header: file }
    const done = yield {
      what: 'key',
      diff,
      script: sh`( d=$(dirname ${file}); if [ ! -d "$d" ]; then mkdir -m 0700 "$d" || exit 1; fi
${writeText(file, text, { mode: '0644' })} ) || exit $?
${statFile(file)}`,
    }
    return { changed: true, ...told, diff: shown, ...(done ? fileInfo(new Look(textOf(done.stdout))) : {}) }
  },
})

const NOT_A_LIST = 'Comma separated list of names is not supported. Please pass a single name to lookup in the known_hosts file.'

interface Line {
  /** @cert-authority or @revoked */
  readonly marker: string
  readonly hosts: string
  readonly type: string
  readonly key: string
}

/** `[@marker] hosts type key …` */
function parseLine(text: string): Line | undefined {
  const words = text.trim().split(/\s+/)
  const marker = words[0]?.startsWith('@') ? words.shift()! : ''
  const [hosts, type, key] = words
  return hosts !== undefined && type !== undefined && key !== undefined ? { marker, hosts, type, key } : undefined
}

const hostLook = (name: string, file: string, key: string | undefined, hash: boolean): Script => sh`
f ${file}; ${statFile(file)}
printf '\036found\n'; if [ -f ${file} ]; then ssh-keygen -F ${name} -f ${file} 2>/dev/null; fi
if [ -n ${key ?? ''} ]; then
  t=$(mktemp) && printf '%s\n' ${key ?? ''} >"$t"
  printf '\036matches\n'; ssh-keygen -F ${name} -f "$t" 2>/dev/null
  if ${hash ? sh`:` : sh`false`}; then ssh-keygen -H -f "$t" >/dev/null 2>&1; printf '\036hashed\n'; cat "$t"; fi
  rm -f "$t" "$t.old"
fi`

/** Lines that ssh-keygen finds, with their number in the file: `# Host x found: line 3`. */
function foundLines(look: Look): { index: number; line: string }[] {
  const found: { index: number; line: string }[] = []
  let index = -1
  for (const line of linesOf(look.section('found'))) {
    const number = line.startsWith('#') ? / line (\d+)\b/.exec(line)?.[1] : undefined
    if (number !== undefined) index = Number(number) - 1
    else if (!line.startsWith('#') && line !== '') found.push({ index, line })
  }
  return found
}

function without(lines: readonly string[], found: readonly { index: number; line: string }[]): readonly string[] | undefined {
  const drop = new Set(found.map(({ index }) => index))
  return drop.size === 0 ? undefined : lines.filter((_line, index) => !drop.has(index))
}

/** The lines with the key added or taken away; undefined where nothing changes. */
function withOrWithoutKey(
  lines: readonly string[],
  found: readonly { index: number; line: string }[],
  key: Line,
  added: string | undefined,
): readonly string[] | undefined {
  const match = matching(found, key)
  const kept = match === undefined ? lines : lines.filter((_line, index) => index !== match.index)
  if (added === undefined) return match === undefined ? undefined : kept
  return match?.isSame ? undefined : [...kept, added]
}

/** The line of the same key, or of another key of its kind, whose place it takes; those of authorities and revoked ones stay unless they are the same. */
function matching(
  found: readonly { index: number; line: string }[],
  key: Line,
): { readonly index: number; readonly isSame: boolean } | undefined {
  for (const { index, line } of found) {
    const known = parseLine(line)
    if (!known) continue
    const isHidden = known.marker === '' && [known, key].every(({ hosts }) => hosts.startsWith('|1|'))
    const isSame =
      known.marker === key.marker && known.type === key.type && known.key === key.key && (isHidden || known.hosts === key.hosts)
    if (isSame) return { index, isSame }
    if (!/^@(?:cert-authority|revoke)/.test(known.marker) && known.type === key.type) return { index, isSame }
  }
  return undefined
}
