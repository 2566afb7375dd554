/** locale_gen: makes locales be built on the host, or not. */
import { linesOf } from '../../facts/index.ts'
import { choice, list, required } from '../../params/index.ts'
import { joinScripts, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'community.general.locale_gen',
  summary: 'Builds locales.',
  params: { name: required(list()), state: choice(['absent', 'present'], 'present') },
  async *run({ name: names, state }, host) {
    const look = await lookAt(
      host,
      sh`f /etc/locale.gen; e /etc/locale.gen /var/lib/locales/supported.d; f /usr/share/i18n/SUPPORTED /usr/local/share/i18n/SUPPORTED
printf '\036built\n'; locale -a 2>/dev/null`,
    )
    if (!look.exists('/etc/locale.gen') && !look.exists('/var/lib/locales/supported.d')) {
      throw new ModuleFailure('/etc/locale.gen and /var/lib/locales/supported.d/local are missing. Is the package "locales" installed?')
    }
    const known = linesOf(look.file('/usr/share/i18n/SUPPORTED') ?? look.file('/etc/locale.gen')).map((line) =>
      line.replace(/^[#\s]+/, '').split(/\s+/),
    )
    const unknown = names.filter((name) => !known.some(([one]) => one === name))
    if (unknown.length > 0)
      throw new ModuleFailure(`The following locales you have entered are not available on your system: ${unknown.join(', ')}`)
    const built = new Set(linesOf(look.section('built')).map(plain))
    const todo = names.filter((name) => built.has(plain(name)) !== (state === 'present'))
    if (todo.length === 0) return { changed: false, name: names }
    const before = look.section('f:/etc/locale.gen') ?? ''
    const script = look.exists('/etc/locale.gen')
      ? joinScripts([
          sh`${writeText('/etc/locale.gen', marked(before, todo, state === 'present', known))} || exit $?`,
          sh`locale-gen </dev/null`,
        ])
      : sh`locale-gen ${todo} </dev/null`
    const done = yield { what: 'locale', onFailure: 'tell', script }
    mustEnd(
      done,
      ({ stderr }) => `Command failed: ${stderr}`,
      (said) => ({ ...said }),
    )
    return { changed: true, name: names }
  },
})

/** en_US.UTF-8 and en_US.utf8 are one. */
const plain = (name: string): string => name.replace(/\.(.*)$/, (_all, charset: string) => `.${charset.toLowerCase().replaceAll('-', '')}`)

/** The list of locales with some taken in, or out. */
function marked(text: string, names: readonly string[], on: boolean, known: readonly (readonly string[])[]): string {
  const wanted = new Set(names)
  const seen = new Set<string>()
  const lines = linesOf(text).map((line) => {
    const bare = line.replace(/^[#\s]+/, '')
    const name = bare.split(/\s+/)[0]!
    if (!wanted.has(name) || bare.split(/\s+/).length !== 2) return line
    seen.add(name)
    return on ? bare : `# ${bare}`
  })
  const missing = on ? names.filter((name) => !seen.has(name)).map((name) => known.find(([one]) => one === name)!.join(' ')) : []
  return [...lines, ...missing].map((line) => `${line}\n`).join('')
}
