/** alternatives: makes one of several programs be what a common name stands for. */
import { isDict, type Json, type JsonObject } from '../../base/index.ts'
import { type Look, linesOf } from '../../facts/index.ts'
import { type Args, choice, int, listOf, path, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { type Change, type Done, defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'

const params = {
  name: required(str()),
  path: required(path()),
  link: path(),
  priority: int(),
  state: choice(['present', 'absent', 'selected', 'auto'], 'selected'),
  subcommands: listOf({ name: required(str()), path: required(path()), link: required(path()) }, { aliases: ['slaves'] }),
} as const

export default defineModule({
  name: 'community.general.alternatives',
  summary: 'Chooses among alternative programs.',
  params,
  async *run(args, host) {
    const now = readAlternatives(await lookAt(host, alternativesLook(args.name, args.path)))
    if (!now.tool) throw new ModuleFailure('Failed to find required executable "update-alternatives"')
    const messages: string[] = []
    const changes: JsonObject[] = []
    const act = (verb: Verb) => acting(args, now, verb, messages, changes)
    if (args.state === 'absent') {
      if (now.choices.has(args.path)) yield* act('remove')
    } else {
      if (mustInstall(args, now)) yield* act('install')
      if (args.state === 'selected' && now.current !== args.path) yield* act('set')
      if (args.state === 'auto' && now.mode === 'manual') yield* act('auto')
    }
    const diff = { before: described(now, args.path), after: Object.assign({}, ...changes) as JsonObject }
    return { changed: messages.length > 0, msg: messages.join(' '), ...(host.diff ? { diff } : {}) }
  },
})

interface Slave {
  readonly name: string
  readonly path: string
  readonly link: string
}

interface Alternatives {
  readonly tool: boolean
  readonly pathExists: boolean
  readonly mode: string | undefined
  readonly link: string | undefined
  /** what the name stands for now */
  readonly current: string | undefined
  readonly choices: ReadonlyMap<string, { readonly priority: number; readonly slaves: readonly Slave[] }>
}

const alternativesLook = (name: string, target: string): Script => sh`
if w update-alternatives; then printf '\036e:tool\n'; fi
e ${target}; k ${`/etc/alternatives/${name}`}; f ${`/var/lib/dpkg/alternatives/${name}`} ${`/var/lib/alternatives/${name}`}`

/** The database's own file: mode, link, slaves by name and link, a blank line, then each choice with priority and the slaves' paths. */
function readAlternatives(look: Look): Alternatives {
  const file = look.names('f:').find((one) => one.includes('alternatives/'))
  const lines = linesOf(file === undefined ? undefined : look.section(`f:${file}`))
  const end = lines.indexOf('', 2)
  const slaves: { name: string; link: string }[] = []
  for (let index = 2; index + 1 < (end < 0 ? lines.length : end); index += 2) slaves.push({ name: lines[index]!, link: lines[index + 1]! })
  const choices = new Map<string, { priority: number; slaves: Slave[] }>()
  for (let index = end + 1; end >= 0 && index + 1 < lines.length && lines[index] !== ''; index += 2 + slaves.length) {
    const paths = lines.slice(index + 2, index + 2 + slaves.length)
    const own = slaves.map((slave, i) => ({ ...slave, path: paths[i] ?? '' })).filter((slave) => slave.path !== '')
    choices.set(lines[index]!, { priority: Number(/-?\d+/.exec(lines[index + 1]!)?.[0] ?? 0), slaves: own })
  }
  const links = look.names('k:')
  return {
    tool: look.exists('tool'),
    pathExists: look.names('e:').some((one) => one !== 'tool'),
    mode: lines[0],
    link: lines[1],
    current: links.length > 0 ? look.section(`k:${links[0]}`)?.trim() : undefined,
    choices,
  }
}

type AlternativesArgs = Args<typeof params>

const wantedSlaves = (args: AlternativesArgs): Slave[] | undefined =>
  args.subcommands
    ?.filter(isDict)
    .map((one) => ({ name: String(one.get('name')), path: String(one.get('path')), link: String(one.get('link')) }))

function mustInstall(args: AlternativesArgs, now: Alternatives): boolean {
  const choiceNow = now.choices.get(args.path)
  if (!choiceNow) return true
  if (args.priority !== undefined && choiceNow.priority !== args.priority) return true
  const wanted = wantedSlaves(args)
  const key = (slave: Slave): string => `${slave.name}\n${slave.path}\n${slave.link}`
  return wanted !== undefined && wanted.map(key).sort().join('\n\n') !== choiceNow.slaves.map(key).sort().join('\n\n')
}

type Verb = 'install' | 'remove' | 'set' | 'auto'

/** What each step says it did. */
const told: Readonly<Record<Verb, (name: string, path: string) => string>> = {
  install: (name, path) => `Install alternative '${path}' for '${name}'.`,
  remove: (name, path) => `Remove alternative '${path}' from '${name}'.`,
  set: (name, path) => `Set alternative '${path}' for '${name}'.`,
  auto: (name) => `Set alternative to auto for '${name}'.`,
}

async function* acting(
  args: AlternativesArgs,
  now: Alternatives,
  verb: Verb,
  messages: string[],
  changes: JsonObject[],
): AsyncGenerator<Change, void, Done> {
  const { name, path: target } = args
  const link = args.link ?? now.link
  if (verb === 'install' && !now.pathExists) throw new ModuleFailure(`Specified path ${target} does not exist`)
  if (verb === 'install' && link === undefined) {
    throw new ModuleFailure('Needed to install the alternative, but unable to do so as we are missing the link')
  }
  const priority = args.priority ?? now.choices.get(target)?.priority ?? 50
  const slaves = (wantedSlaves(args) ?? []).flatMap((slave) => ['--slave', slave.link, slave.name, slave.path])
  const scripts: Record<Verb, Script> = {
    install: sh`update-alternatives --install ${link ?? ''} ${name} ${target} ${priority} ${slaves}`,
    remove: sh`update-alternatives --remove ${name} ${target}`,
    set: sh`update-alternatives --set ${name} ${target}`,
    auto: sh`update-alternatives --auto ${name}`,
  }
  messages.push(told[verb](name, target))
  changes.push(after(args, now, verb, priority, link))
  const done = yield {
    what: verb,
    onFailure: 'tell',
    script: scripts[verb],
  }
  mustEnd(
    done,
    ({ stderr }) => stderr,
    (said) => ({ ...said }),
  )
}

/** What was there, as far as the name was known. */
function described(now: Alternatives, target: string): JsonObject {
  if (now.mode === undefined) return {}
  const there = now.choices.get(target)
  if (!there) return { state: 'absent' }
  const state = now.mode === 'manual' && now.current !== target ? 'selected' : 'present'
  return { state, path: target, priority: there.priority, link: now.link ?? null, ...subcommandsOf(there.slaves) }
}

function after(args: AlternativesArgs, now: Alternatives, verb: Verb, priority: number, link: string | undefined): JsonObject {
  const states: Record<Verb, Json> = { install: 'present', remove: 'absent', set: 'selected', auto: 'present' }
  if (verb !== 'install') return { state: states[verb] }
  const slaves = wantedSlaves(args) ?? now.choices.get(args.path)?.slaves ?? []
  return { state: 'present', path: args.path, priority, link: link ?? null, ...subcommandsOf(slaves) }
}

const subcommandsOf = (slaves: readonly Slave[]): JsonObject =>
  slaves.length === 0 ? {} : { subcommands: slaves.map((one) => ({ ...one })) }
