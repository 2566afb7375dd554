/** rpm_key: makes rpm trust a signing key, or not. */
import { type Look, linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'

export default defineModule({
  name: 'ansible.builtin.rpm_key',
  summary: "Manages rpm's keys.",
  params: {
    key: required(str()),
    state: choice(['present', 'absent'], 'present'),
    fingerprint: list(),
    validate_certs: fallback(bool(), true),
  },
  async *run(args, host) {
    const { key, state } = args
    const isId = /^(0x)?[0-9a-fA-F]{8,40}$/.test(key)
    const look = await lookAt(
      host,
      isId
        ? trusted
        : sh`${trusted}
${keyLook(key, args.validate_certs)}`,
    )
    const id = isId ? key.replace(/^0x/, '').toLowerCase() : idOf(look, key)
    if (!isId && args.fingerprint !== undefined) compareFingerprints(look, args.fingerprint)
    const short = id.slice(-8)
    const there = linesOf(look.section('trusted')).some((line) => line.toLowerCase().startsWith(short))
    if (there === (state === 'present')) return { changed: false }
    if (state === 'absent') {
      yield { what: 'key', script: sh`rpm --erase --allmatches ${`gpg-pubkey-${short}`}` }
      return { changed: true }
    }
    if (isId) throw new ModuleFailure(`When importing a key, a valid file must be given`)
    yield {
      what: 'key',
      script: sh`( ${fetched(key, args.validate_certs)}
rpm --import "$k"; r=$?; if [ "$k" != ${key} ]; then rm -f "$k"; fi; exit $r )`,
    }
    return { changed: true }
  },
})

const trusted: Script = sh`printf '\036trusted\n'; rpm -q gpg-pubkey --qf ${'%{version}-%{release}\\n'} 2>/dev/null`

/** Leaves the key's file in $k. */
const fetched = (key: string, checked: boolean): Script =>
  key.includes('://')
    ? sh`k=$(mktemp) && curl -fsSL ${checked ? [] : ['-k']} -o "$k" ${key} || exit 1`
    : sh`k=${key}; if [ ! -f "$k" ]; then exit 1; fi`

const keyLook = (key: string, checked: boolean): Script => sh`
printf '\036key\n'
${key.includes('://') ? sh`curl -fsSL ${checked ? [] : ['-k']} ${key} 2>/dev/null` : sh`cat ${key} 2>/dev/null`} | gpg --no-tty --batch --with-colons --fixed-list-mode --show-keys 2>/dev/null`

/** The long id of the first key in gpg's colon listing. */
function idOf(look: Look, key: string): string {
  const id = linesOf(look.section('key'))
    .map((line) => line.split(':'))
    .find(([kind]) => kind === 'pub')?.[4]
  if (!id) throw new ModuleFailure(`Not a valid key ${key}`)
  return id.toLowerCase()
}

/** Some of the key's fingerprints have to be those that are trusted. */
function compareFingerprints(look: Look, wanted: readonly string[]): void {
  const now = linesOf(look.section('key'))
    .map((line) => line.split(':'))
    .filter(([kind]) => kind === 'fpr')
    .map((fields) => (fields[9] ?? '').toUpperCase())
  const bare = wanted.map((one) => one.replaceAll(' ', '').toUpperCase())
  if (!bare.some((one) => now.includes(one))) {
    throw new ModuleFailure(`The specified fingerprint, '${bare.join(', ')}', does not match any key fingerprints in '${now.join(', ')}'`)
  }
}
