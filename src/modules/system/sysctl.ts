/** sysctl: makes a kernel parameter be set in a file, and in force. */
import { linesOf, wordsOf } from '../../facts/index.ts'
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, ran } from './looking.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'ansible.posix.sysctl',
  summary: 'Sets kernel parameters.',
  params: {
    name: required(str({ aliases: ['key'] })),
    value: str({ aliases: ['val'] }),
    state: choice(['present', 'absent'], 'present'),
    reload: fallback(bool(), true),
    sysctl_set: fallback(bool(), false),
    ignoreerrors: fallback(bool(), false),
    sysctl_file: fallback(path(), '/etc/sysctl.conf'),
  },
  rules: { requiredIf: [['state', 'present', ['value']]] },
  async *run(args, host) {
    if (args.name === '') throw new ModuleFailure('name cannot be blank')
    if (args.state === 'present' && args.value === '') throw new ModuleFailure('value cannot be blank')
    const wanted = { name: args.name.trim(), value: kernelValue(args.value ?? ''), present: args.state === 'present' }
    const look = await lookAt(host, sh`w sysctl && printf '\036e:sysctl\n'; c now sysctl -e -n ${wanted.name}; f ${args.sysctl_file}`)
    if (!look.exists('sysctl')) throw new ModuleFailure('Failed to find required executable "sysctl"')
    const text = look.section(`f:${args.sysctl_file}`) ?? ''
    const inFile = fileValue(text, wanted.name)
    const differs = !sameWords(look.command('now'), wanted.value)
    const write = wanted.present ? inFile !== wanted.value : Boolean(inFile)
    const set = args.sysctl_set && wanted.present && differs && look.command('now') !== undefined
    const changed =
      write || (args.reload && !(inFile === undefined && !wanted.present) && differs) || (args.sysctl_set && wanted.present && differs)
    if (!changed) return { changed }
    const steps = [
      ...(set ? [setScript(wanted.name, wanted.value, args.ignoreerrors)] : []),
      ...(write ? [sh`${writeText(args.sysctl_file, fixedText(text, wanted), { mode: '0644' })} || exit 93`] : []),
      ...(args.reload ? [reloadScript(args.sysctl_file, args.ignoreerrors)] : []),
    ]
    const done = yield { what: 'parameter', onFailure: 'tell', script: joinScripts([sh`(`, ...steps, sh`:`, sh`)`]) }
    if (done && done.code !== 0) {
      const { rc, stdout, stderr } = ran(done)
      throw new ModuleFailure(
        (failures[rc] ?? ((_name, said) => `Failed to write ${args.sysctl_file}: ${said}`))(wanted.name, stdout + stderr),
      )
    }
    return { changed }
  },
})

/** Which step ended a change, by its exit code. */
const failures: Readonly<Record<number, (name: string, said: string) => string>> = {
  91: (name, said) => `setting ${name} failed: ${said}`,
  92: (_name, said) => `Failed to reload sysctl: ${said}`,
}

const setScript = (name: string, value: string, lenient: boolean): Script =>
  sh`x=$(sysctl ${lenient ? ['-e'] : []} -w ${`${name}=${value}`} 2>&1) || { printf '%s\n' "$x"; exit 91; }`

const reloadScript = (file: string, lenient: boolean): Script => sh`sysctl ${lenient ? ['-e'] : []} -p ${file} || exit 92`

const yes = new Set(['y', 'yes', 'on', '1', 'true', 't'])
const no = new Set(['n', 'no', 'off', '0', 'false', 'f'])

/** Words for yes and no become the digits that the kernel takes. */
function kernelValue(text: string): string {
  const word = text.toLowerCase()
  return yes.has(word) ? '1' : no.has(word) ? '0' : text.trim()
}

const isSetting = (line: string): boolean => line !== '' && !/^[#;]/.test(line) && line.includes('=')
const splitSetting = (line: string): [string, string] => {
  const equals = line.indexOf('=')
  return [line.slice(0, equals).trim(), line.slice(equals + 1).trim()]
}

/** The last value of a key in the file. */
function fileValue(text: string, name: string): string | undefined {
  const values = linesOf(text)
    .map((line) => line.trim())
    .filter(isSetting)
    .map(splitSetting)
  return values.findLast(([key]) => key === name)?.[1]
}

function sameWords(a: string | undefined, b: string): boolean {
  return a !== undefined && wordsOf(a).join(' ') === wordsOf(b).join(' ')
}

/** The file with one line for each key, the wanted one among them. */
function fixedText(text: string, wanted: { name: string; value: string; present: boolean }): string {
  const seen = new Set<string>()
  const lines = linesOf(text).flatMap((raw) => {
    const line = raw.trim()
    if (!isSetting(line)) return [line]
    const [key, value] = splitSetting(line)
    if (seen.has(key)) return []
    seen.add(key)
    if (key !== wanted.name) return [`${key}=${value}`]
    return wanted.present ? [`${key}=${wanted.value}`] : []
  })
  if (wanted.present && !seen.has(wanted.name)) lines.push(`${wanted.name}=${wanted.value}`)
  return lines.map((line) => `${line}\n`).join('')
}
