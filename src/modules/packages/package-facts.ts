/** package_facts: tells the packages that are installed. */
import { type Json, type JsonObject, record } from '../../base/index.ts'
import { type Look, linesOf } from '../../facts/index.ts'
import { choice, fallback, list } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { originsOf } from './apt-origins.ts'

export default defineModule({
  name: 'ansible.builtin.package_facts',
  summary: 'Tells which packages are installed.',
  params: { manager: fallback(list(), ['auto']), strategy: choice(['first', 'all'], 'first') },
  async *run(args, host) {
    const wanted = args.manager
      .map((name) => name.toLowerCase())
      .flatMap((name) => (name === 'auto' ? managers.map((one) => one.name) : [aliases[name] ?? name]))
    const unknown = wanted.filter((name) => !managers.some((one) => one.name === name))
    if (unknown.length > 0) throw new ModuleFailure(`Unsupported package managers requested: ${unknown.join(', ')}`)
    const chosen = managers.filter((one) => wanted.includes(one.name))
    const look = await lookAt(host, sh`${chosen.map((one) => lookOf(one, args.strategy === 'first'))}`)
    const packages: Record<string, JsonObject[]> = record()
    let found = false
    for (const manager of chosen) {
      if (!look.exists(manager.name)) continue
      found = true
      for (const one of manager.read(look)) {
        const name = String(one.name)
        packages[name] = [...(packages[name] ?? []), { ...one, source: manager.name }]
      }
    }
    if (!found)
      throw new ModuleFailure(
        `Could not detect a supported package manager from the following list: ${JSON.stringify(wanted)}, or the required Python library is not installed. Check warnings for details.`,
      )
    return { changed: false, ansible_facts: { packages } }
  },
})

const aliases: Readonly<Record<string, string>> = { yum: 'rpm', dnf: 'rpm', dnf5: 'rpm', zypper: 'rpm' }

interface Manager {
  readonly name: string
  /** the program that must be there */
  readonly program: string
  readonly script: Script
  readonly read: (look: Look) => Record<string, Json>[]
}

const lookOf = (manager: Manager, first: boolean): Script => sh`
if w ${manager.program} && ${first ? sh`[ -z "$done" ]` : sh`:`}; then printf '\036e:%s\n' ${manager.name}; done=1; ${manager.script}
fi`

/** A table of text → records; columns are split at a bar. */
const rows = (text: string | undefined): string[][] => linesOf(text).map((line) => line.split('|'))

const managers: readonly Manager[] = [
  {
    name: 'apk',
    program: 'apk',
    script: sh`printf '\036apks\n'; apk info -v 2>/dev/null`,
    read: (look) =>
      linesOf(look.section('apks')).map((line) => {
        const match = /^(.+)-([^-]+)-([^-]+)$/.exec(line)
        return match ? { name: match[1]!, version: match[2]!, release: match[3]! } : { name: line, version: '', release: '' }
      }),
  },
  {
    name: 'apt',
    program: 'apt-get',
    script: sh`
printf '\036native\n'; dpkg --print-architecture
printf '\036debs\n'; dpkg-query -W -f ${'${db:Status-Abbrev}|${Package}|${Version}|${Architecture}|${Section}\n'}
printf '\036sources\n'; apt-cache policy 2>/dev/null
printf '\036policy\n'; dpkg-query -W -f ${'${Package}\n'} | xargs apt-cache policy 2>/dev/null`,
    read(look) {
      const native = look.section('native')?.trim()
      const origins = originsOf(look.section('sources'), look.section('policy'))
      return rows(look.section('debs'))
        .filter(([status]) => status?.[1] === 'i')
        .map(([, name = '', version = '', arch = '', category = '']) => ({
          name: arch === native || arch === 'all' ? name : `${name}:${arch}`,
          version,
          arch,
          category,
          origin: origins(name, version),
        }))
    },
  },
  {
    name: 'pacman',
    program: 'pacman',
    script: sh`printf '\036pacman\n'; LC_ALL=C pacman -Qi 2>/dev/null`,
    read: (look) => (look.section('pacman') ?? '').split('\n\n').flatMap(pacmanPackage),
  },
  {
    name: 'rpm',
    program: 'rpm',
    script: sh`printf '\036rpms\n'; rpm -qa --qf ${'%{NAME}|%{VERSION}|%{RELEASE}|%{EPOCH}|%{ARCH}\\n'} 2>/dev/null`,
    read: (look) =>
      rows(look.section('rpms')).map(([name = '', version = '', release = '', epoch = '', arch = '']) => ({
        name,
        version,
        release,
        epoch: /^\d+$/.test(epoch) ? Number(epoch) : null,
        arch: arch === '(none)' ? null : arch,
      })),
  },
]

/** `Name            : acl` lines; the fields' names do not change under LC_ALL=C. */
function pacmanPackage(text: string): Record<string, Json>[] {
  const fields = new Map(
    linesOf(text).flatMap((line) => {
      const match = /^([\w ]*\w) +: (.*)$/.exec(line)
      return match ? [[match[1]!, match[2]!] as const] : []
    }),
  )
  const name = fields.get('Name')
  if (name === undefined) return []
  const provides = fields.get('Provides') ?? 'None'
  return [
    {
      name,
      version: fields.get('Version') ?? '',
      arch: fields.get('Architecture') ?? '',
      provides: provides === 'None' ? null : provides.split('  ').map((one) => one.split('=')[0]!),
    },
  ]
}
