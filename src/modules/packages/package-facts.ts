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
    const chosen = [...new Set(wanted)].flatMap((name) => managers.filter((one) => one.name === name))
    const look = await lookAt(host, sh`${chosen.map((one) => lookOf(one, args.strategy === 'first'))}`)
    const usable = chosen.filter((one) => look.exists(one.name))
    const asked = args.strategy === 'first' && usable[0] ? chosen.slice(0, chosen.indexOf(usable[0]) + 1) : chosen
    const warnings = asked.flatMap((one) => warningOf(one, look, args.manager))
    if (usable.length === 0)
      throw new ModuleFailure(
        `Could not detect a supported package manager from the following list: [${wanted.map((name) => `'${name}'`).join(', ')}], or the required Python library is not installed. Check warnings for details.`,
        warnings.length > 0 ? { warnings } : {},
      )
    const packages: Record<string, JsonObject[]> = record()
    for (const manager of usable.filter((one) => refusalOf(one, look) === undefined))
      for (const one of manager.read(look)) {
        const name = String(one.name)
        packages[name] = [...(packages[name] ?? []), { ...one, source: manager.name }]
      }
    return { changed: false, ...(warnings.length > 0 ? { warnings } : {}), ansible_facts: { packages } }
  },
})

/** What is told of a manager that was named and is not there, or that lists nothing. */
function warningOf(manager: Manager, look: Look, named: readonly string[]): string[] {
  if (!look.exists(manager.name)) {
    const missing = `Failed to find required executable "${manager.program}"`
    return named.includes(manager.name) ? [`Requested package manager ${manager.name} was not usable by this module: ${missing}`] : []
  }
  const refusal = refusalOf(manager, look)
  return refusal === undefined ? [] : [`Failed to retrieve packages with ${manager.name}: Unable to list packages ${refusal}`]
}

/** The exit status and the complaint of a listing that failed. */
function refusalOf(manager: Manager, look: Look): string | undefined {
  const told = look.section(`${manager.name}-failed`)
  if (told === undefined) return undefined
  const [code = '', ...lines] = told.split('\n')
  const complaint = lines.join('\n').trimEnd()
  return `rc=${code} : ${complaint === '' ? '' : `${complaint}\n`}`
}

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

/** Lists what is installed; should that fail, the status and what was complained of follow. */
const listing = (name: string, section: string, command: Script): Script => sh`
printf '\036%s\n' ${section}
{ complaint=$( { ${command}; } 2>&1 1>&3 ); } 3>&1 || printf '\036%s\n%s\n%s\n' ${`${name}-failed`} $? "$complaint"`

/** A table of text → records; columns are split at a bar. */
const rows = (text: string | undefined): string[][] => linesOf(text).map((line) => line.split('|'))

const managers: readonly Manager[] = [
  {
    name: 'apk',
    program: 'apk',
    script: listing('apk', 'apks', sh`apk info -v`),
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
    script: listing('pacman', 'pacman', sh`LC_ALL=C pacman -Qi`),
    read: (look) => (look.section('pacman') ?? '').split('\n\n').flatMap(pacmanPackage),
  },
  {
    name: 'rpm',
    program: 'rpm',
    script: listing('rpm', 'rpms', sh`rpm -qa --qf ${'%{NAME}|%{VERSION}|%{RELEASE}|%{EPOCH}|%{ARCH}\\n'}`),
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
