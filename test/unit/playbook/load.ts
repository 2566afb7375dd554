/** Files as texts → the playbook they make, loaded from a folder of their own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { Problem, Problems, placeOf, type Raw, Template } from '../../../src/base/index.ts'
import { moduleNames, moduleOutline } from '../../../src/modules/index.ts'
import { type Block, type LoadContext, loadPlaybooks, type Play, type Playbook, type Step, type Task } from '../../../src/playbook/index.ts'
import { createTemplar } from '../../../src/template/index.ts'

export type Files = Readonly<Record<string, string>>

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export interface Loaded {
  readonly folder: string
  readonly context: LoadContext
  readonly playbook: Playbook
  readonly play: Play
  /** everything the play runs, blocks opened, in order */
  readonly tasks: readonly Task[]
  readonly warnings: readonly string[]
}

export function write(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'playbook-')))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export function contextOf(extra: Partial<LoadContext> = {}, warnings: string[] = []): LoadContext {
  return {
    documents: {},
    templar: createTemplar({ native: false, extensions: [] }),
    extraVars: new Map(),
    staticVars: new Map(),
    module(name) {
      const module = moduleOutline(name)
      return module && { ...module, resolved: module.name }
    },
    moduleNames,
    rolesPath: [],
    collectionsPaths: [],
    warn: (message) => warnings.push(message),
    deprecated: (message) => warnings.push(message),
    ...extra,
  }
}

/** Loads site.yml of these files. */
export function load(files: Files, extra: Partial<LoadContext> = {}): Loaded {
  const folder = write(files)
  const warnings: string[] = []
  const context = contextOf(extra, warnings)
  const playbook = loadPlaybooks([join(folder, 'site.yml')], context)[0]!
  const play = playbook.plays[0]!
  return { folder, context, playbook, play, tasks: tasksOf(play.steps), warnings }
}

/** What is wrong with these files: place, message and hint of each problem. */
export function mistakes(files: Files, extra: Partial<LoadContext> = {}): { at: string; message: string; hint: string | undefined }[] {
  const folder = write(files)
  try {
    loadPlaybooks([join(folder, 'site.yml')], contextOf(extra))
  } catch (error) {
    const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : undefined
    if (!problems) throw error
    return problems.map((p) => ({
      at: p.span ? placeOf(p.span).replace(`${folder}/`, '') : '',
      message: p.message.replaceAll(`${folder}/`, ''),
      hint: p.hint,
    }))
  }
  return []
}

export const tasksOf = (blocks: readonly Step[]): Task[] =>
  blocks.flatMap((step) => (step.kind === 'task' ? [step] : tasksOf([...step.block, ...step.rescue, ...step.always])))

/** A play on all hosts with these tasks. */
export const playOf = (tasks: string): string => `- hosts: all\n  tasks:\n${indented(tasks, 4)}`

export function indented(text: string, by: number): string {
  return text
    .replace(/^\n/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(by) + line))
    .join('\n')
}

/** The written tasks, without what nobody wrote. */
export const written = (tasks: readonly Task[]): Task[] => tasks.filter((task) => !task.implicit)

/** Raw values as plain data: templates as their text. */
export function plain(raw: Raw | undefined): unknown {
  if (raw instanceof Template) return raw.text
  if (raw instanceof Map) return Object.fromEntries([...raw].map(([key, value]) => [String(plain(key)), plain(value)]))
  if (Array.isArray(raw)) return raw.map(plain)
  return raw
}

/** Titles in the order in which they run; flushes and completed roles as `flush` and `end NAME`. */
export const order = (blocks: readonly Block[]): string[] =>
  tasksOf(blocks).map((task) => {
    if (!task.implicit) return String(plain(task.name ?? task.action.name))
    const verb = task.action.args instanceof Template ? '' : task.action.args.get('_raw_params')
    return verb === 'role_complete' ? `end ${task.role?.name}` : 'flush'
  })
