/** A playbook → what --list-hosts, --list-tasks and --list-tags show of it, as data and as lines. */
import { type Raw, Template, type Value } from '../base/index.ts'
import type { Templar } from '../template/index.ts'
import type { LoadContext } from './api.ts'
import type { TaskContext } from './built.ts'
import type { playLevel } from './level.ts'
import type { Block, Play, Playbook, Step, TagFilter, Task } from './model.ts'
import { staticScope } from './static-names.ts'
import { plainTags, tagsAllow } from './tag-filter.ts'

export interface ListingOptions {
  readonly context: LoadContext
  readonly filter: TagFilter
  readonly tasks: boolean
  readonly tags: boolean
  /** --list-hosts: the hosts that a play's patterns match */
  readonly hosts?: ((patterns: readonly string[]) => readonly string[]) | undefined
}

export interface Listing {
  readonly playbook: string
  readonly plays: readonly PlayListing[]
}

export interface PlayListing {
  readonly number: number
  readonly name: string
  readonly patterns: readonly string[]
  readonly tags: readonly string[]
  readonly hosts: readonly string[] | undefined
  /** as written, rendered: how many hosts at a time */
  readonly serial: readonly string[]
  readonly tasks: readonly TaskListing[] | undefined
  /** tags of the play and its tasks */
  readonly taskTags: readonly string[] | undefined
}

export interface TaskListing {
  readonly title: string
  readonly role: string | undefined
  readonly tags: readonly string[]
}

export function listPlaybook(playbook: Playbook, options: ListingOptions): Listing {
  return { playbook: playbook.path, plays: playbook.plays.map((play, index) => listPlay(play, index + 1, options)) }
}

function listPlay(play: Play, number: number, options: ListingOptions): PlayListing {
  const render = renderer(play, options)
  const { templar } = options.context
  const hosts = render(play.hosts)
  const patterns = hosts === null ? [] : Array.isArray(hosts) ? hosts.map(String) : [String(hosts)]
  const tags = plainTags(play.tags, render)
  const shown = options.tasks || options.tags ? play.steps.flatMap((block) => tasksOf(block, options.filter, render)) : []
  return {
    ...{ number, patterns, tags },
    name: isNothing(play.name) ? patterns.join(',') : templar.text(render(play.name)),
    hosts: options.hosts?.(patterns),
    serial: play.serial.map((one) => templar.text(render(one))),
    tasks: options.tasks
      ? shown.map(({ task, own }) => ({ title: titleOf(task, templar), role: task.role?.name, tags: sorted([...tags, ...own]) }))
      : undefined,
    taskTags: options.tags ? sorted([...tags, ...shown.flatMap(({ own }) => own)]) : undefined,
  }
}

/** Renders what a play's head says with what is known before a run; prompted variables have their defaults. */
function renderer(play: Play, { context }: ListingOptions): (raw: Raw) => Value {
  const level = firstLevel(play)
  const scope = level && staticScope(level)
  return (raw) => (scope ? context.templar.render(raw, scope) : raw instanceof Template ? raw.text : (raw as Value))
}

/** Every play has its flushes, and these know the play's level. */
function firstLevel(play: Play): ReturnType<typeof playLevel> | undefined {
  const flush = play.steps.at(-1)?.block[0]
  if (flush?.kind !== 'task') return undefined
  const { level } = flush.context as TaskContext
  const prompted = play.varsPrompt.flatMap((v) =>
    level.play.session.context.extraVars.has(v.name) ? [] : [[v.name, v.default ?? null] as const],
  )
  return prompted.length === 0 ? level : { ...level, play: { ...level.play, vars: new Map([...level.play.vars, ...prompted]) } }
}

interface Shown {
  readonly task: Task
  readonly own: readonly string[]
}

/** The tasks of a block that the filter lets through; what is rescued or done always is not shown. */
function tasksOf(block: Block, filter: TagFilter, render: (raw: Raw) => Value): Shown[] {
  return block.block.flatMap((step: Step) => {
    if (step.kind === 'block') return tasksOf(step, filter, render)
    if (step.implicit) return []
    const own = plainTags(step.keywords.tags, render)
    return tagsAllow(own, filter) ? [{ task: step, own }] : []
  })
}

/** A named task in a role has the role's name before its own; one without a name shows its action. */
function titleOf(task: Task, templar: Templar): string {
  if (isNothing(task.name)) return task.action.name
  const name = task.name instanceof Template ? task.name.text : templar.text(task.name as Value)
  const isRole = task.action.resolved === 'ansible.builtin.include_role'
  return task.role && !isRole ? `${task.role.name} : ${name}` : name
}

/** What Python takes for nothing is no name. */
const isNothing = (raw: Raw | undefined): raw is undefined | null | false | 0 | '' =>
  raw === undefined || raw === null || raw === false || raw === 0 || raw === ''

const sorted = (tags: readonly string[]): string[] => (tags.length < 2 ? [...tags] : [...new Set(tags)].sort())

/** The lines that ansible-playbook prints. */
export function listingLines({ playbook, plays }: Listing): string[] {
  return ['', `playbook: ${playbook}`, ...plays.flatMap(playLines)]
}

function playLines({ number, name, patterns, tags, hosts, tasks, taskTags }: PlayListing): string[] {
  const lines = ['', `  play #${number} (${patterns.join(',')}): ${name}\tTAGS: [${tags.join(',')}]`]
  if (hosts)
    lines.push(`    pattern: [${patterns.map(quoted).join(', ')}]`, `    hosts (${hosts.length}):`, ...hosts.map((host) => `      ${host}`))
  if (tasks) lines.push('    tasks:', ...tasks.map((task) => `      ${task.title}\tTAGS: [${task.tags.join(', ')}]`))
  if (taskTags) lines.push(`      TASK TAGS: [${taskTags.join(', ')}]`)
  return lines
}

/** A text as Python writes it. */
const quoted = (text: string): string =>
  text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
