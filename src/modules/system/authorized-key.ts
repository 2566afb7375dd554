/** authorized_key: makes keys be among those that may log in as a user, or not. */
import type { JsonObject } from '../../base/index.ts'
import { linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, statProbe } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { ask } from '../files/ask.ts'
import { pathInfo } from '../files/info.ts'
import { lookAt } from './looking.ts'
import { type Key, parseKey, parseOptions, withKeys } from './ssh-keys.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'ansible.posix.authorized_key',
  summary: "Manages users' authorized keys.",
  params: {
    user: required(str()),
    key: required(str()),
    path: path(),
    manage_dir: fallback(bool(), true),
    state: choice(['absent', 'present'], 'present'),
    key_options: str(),
    exclusive: fallback(bool(), false),
    comment: str(),
    validate_certs: fallback(bool(), true),
    follow: fallback(bool(), false),
  },
  async *run(args, host) {
    const { user, state } = args
    const text = args.key.startsWith('http') ? await fetched(host, args.key, args.validate_certs) : args.key
    const keys = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => wantedKey(line, args.key_options, args.comment))
    const look = await lookAt(host, userLook(user, args.path))
    const [, , uid, gid, , home] = (look.section('user') ?? '').trim().split(':')
    if (home === undefined && !(host.check && args.path !== undefined)) {
      throw new ModuleFailure(
        host.check ? 'Either user must exist or you must provide full path to key file in check mode' : `Failed to lookup user ${user}`,
      )
    }
    const file = args.path ?? `${home}/.ssh/authorized_keys`
    const before = look.section('keys') ?? ''
    const after = withKeys(before, keys, state === 'present', args.exclusive)
    const { manage_dir, exclusive, validate_certs, follow } = args
    const given = { user, key: args.key, path: args.path ?? null, manage_dir, state, key_options: args.key_options ?? null }
    const result = { ...given, exclusive, comment: args.comment ?? null, validate_certs, follow, keyfile: file }
    // an explicit path is told with what is there, as of every result that has one
    const seen = async (): Promise<JsonObject> => (args.path === undefined ? {} : pathInfo(await ask(host, statProbe(args.path))))
    if (after === undefined) return { changed: false, ...result, ...(await seen()) }
    const diff = { before, after, beforeHeader: file, afterHeader: file }
    yield { what: 'keys', diff, script: writing(file, after, `${uid}:${gid}`, args.manage_dir) }
    return { changed: true, ...result, ...(await seen()) }
  },
})

function wantedKey(line: string, options: string | undefined, comment: string | undefined): Key {
  const key = parseKey(line)
  if (!key) throw new ModuleFailure(`invalid key specified: ${line}`)
  return { ...key, ...(options === undefined ? {} : { options: parseOptions(options) }), ...(comment === undefined ? {} : { comment }) }
}

const userLook = (user: string, file: string | undefined): Script => sh`
if w getent; then x=$(getent passwd ${user}); else x=$(awk -F: -v u=${user} '$1==u{print;exit}' /etc/passwd); fi
printf '\036user\n%s\n' "$x"
f=${file ?? ''}; if [ -z "$f" ]; then f=$(printf '%s\n' "$x" | cut -d: -f6)/.ssh/authorized_keys; fi
printf '\036keys\n'; if [ -f "$f" ]; then cat "$f"; fi`

/** The folder and the file belong to the user, and to nobody else. */
const writing = (file: string, text: string, owner: string, manageFolder: boolean): Script =>
  joinScripts([
    sh`(
d=$(dirname ${file})`,
    manageFolder
      ? sh`if [ ! -d "$d" ]; then mkdir -m 0700 "$d" || exit 1; fi; chown ${owner} "$d" && chmod 0700 "$d" || exit 1`
      : sh`mkdir -p "$d" || exit 1`,
    writeText(file, text, { mode: '0600' }),
    sh`[ $? -eq 0 ] && chown ${owner} ${file} && chmod 0600 ${file}
)`,
  ])

async function fetched(host: Host, address: string, checked: boolean): Promise<string> {
  const script = sh`
printf '\036fetched\n'
if w curl; then curl -fsSL ${checked ? [] : ['-k']} ${address}; else wget -qO- ${checked ? [] : ['--no-check-certificate']} ${address}; fi || printf '\036failed\n'`
  const look = await lookAt(host, script)
  if (look.section('failed') !== undefined) throw new ModuleFailure(`Error getting key from: ${address}`)
  return linesOf(look.section('fetched')).join('\n')
}
