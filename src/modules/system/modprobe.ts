/** modprobe: makes a kernel module be loaded or not, now and after the next start. */
import { type Look, linesOf } from '../../facts/index.ts'
import { choice, fallback, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd, ran } from './looking.ts'
import { writeText } from './write-text.ts'

const loadFolder = '/etc/modules-load.d'
const optionFolder = '/etc/modprobe.d'

export default defineModule({
  name: 'community.general.modprobe',
  summary: 'Loads and unloads kernel modules.',
  params: {
    name: required(str()),
    state: choice(['absent', 'present'], 'present'),
    params: fallback(str(), ''),
    persistent: choice(['disabled', 'present', 'absent'], 'disabled'),
  },
  async *run(args, host) {
    const { name, state, params, persistent } = args
    const words = params.split(/\s+/).filter(Boolean)
    const wanted = { name, params, state }
    let changed = false
    const look = await lookAt(host, moduleLook(name))
    if (!look.exists('modprobe')) throw new ModuleFailure('Failed to find required executable "modprobe"', wanted)
    const loaded = look.exists('loaded')
    if (!loaded && !look.exists('/proc/modules')) {
      throw new ModuleFailure("[Errno 2] No such file or directory: '/proc/modules'", { changed: false, ...wanted })
    }
    if (loaded !== (state === 'present')) {
      const command = state === 'present' ? sh`modprobe ${name} ${words}` : sh`modprobe -r ${name}`
      const options = (said: { rc: number; stdout: string; stderr: string }) => ({ changed: 0, ...said, ...wanted })
      if (host.check) {
        const tried = ran(await host.look(sh`${command} -n`, { onFailure: 'tell' }))
        if (tried.rc !== 0) throw new ModuleFailure(tried.stderr, { changed: false, ...tried, ...wanted })
      }
      const done = yield { what: 'module', onFailure: 'tell', script: command }
      mustEnd(done, ({ stderr }) => stderr, options)
      changed = true
    }
    const files = persistentFiles(look, name, words, persistent)
    if (files.length > 0) {
      yield { what: 'persistent', script: sh`${files} ` }
      changed = true
    }
    return { changed, ...wanted }
  },
})

const moduleLook = (name: string): Script => sh`
if w modprobe; then printf '\036e:modprobe\n'; fi
e /proc/modules
if grep -q ${`^${name.replaceAll('-', '_')} `} /proc/modules 2>/dev/null || grep -q ${`/${name}\\.ko$`} "/lib/modules/$(uname -r)/modules.builtin" 2>/dev/null; then printf '\036e:loaded\n'; fi
for x in ${loadFolder}/* ${optionFolder}/*; do if [ -f "$x" ]; then printf '\036file:%s\n' "$x"; cat "$x"; fi; done`

/** The scripts that write what has to be remembered, or forgotten. */
function persistentFiles(look: Look, name: string, params: readonly string[], wanted: 'disabled' | 'present' | 'absent'): Script[] {
  if (wanted === 'disabled') return []
  const escaped = name.replace(/[^\w]/g, '\\$&')
  const moduleLine = new RegExp(`^ *${escaped} *(?:[#;].*)?$`)
  const optionLine = new RegExp(`^options ${escaped} (\\w+=\\S+) *(?:[#;].*)?$`)
  const files = look.names('file:').map((path) => ({ path, lines: linesOf(look.section(`file:${path}`)) }))
  const loads = files.filter((file) => file.path.startsWith(loadFolder))
  const options = files.filter((file) => file.path.startsWith(optionFolder))
  const remembered = loads.some((file) => file.lines.some((line) => moduleLine.test(line)))
  const set = new Set(options.flatMap((file) => file.lines.flatMap((line) => optionLine.exec(line)?.[1] ?? [])))
  const silenced = (all: typeof files, pattern: RegExp): Script[] =>
    all
      .filter((file) => file.lines.some((line) => pattern.test(line)))
      .map((file) => chained(writeText(file.path, file.lines.map((line) => `${pattern.test(line) ? '#' : ''}${line}\n`).join(''))))
  if (wanted === 'absent')
    return [...(remembered ? silenced(loads, moduleLine) : []), ...(set.size > 0 ? silenced(options, optionLine) : [])]
  const sameParams = set.size === new Set(params).size && params.every((param) => set.has(param))
  const optionText = params.map((param) => `options ${name} ${param}\n`).join('')
  return [
    ...(remembered ? [] : [chained(writeText(`${loadFolder}/${name}.conf`, `${name}\n`))]),
    ...(sameParams ? [] : [...silenced(options, optionLine), chained(writeText(`${optionFolder}/${name}.conf`, optionText))]),
  ]
}

const chained = (script: Script): Script => sh`${script} || exit $?
`
