/** A file of test/golden/modules ↔ a case: what there is at first, the tasks, and what they must do. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Document, isCollection, isPair, isScalar, parse, visit } from 'yaml'
import { APPLETS } from '../../harness/busybox.ts'

export type Data = null | boolean | number | string | readonly Data[] | { readonly [key: string]: Data }
export type Dict = { readonly [key: string]: Data }
/** A file tree: `name` → text or a mapping that says more, `name/` → mode. */
export type Tree = Readonly<Record<string, Data>>

/** What one run must show. */
export interface Expected {
  /** of every task that the case has, in the first run */
  readonly results: readonly Dict[]
  /** what the tree has otherwise after it; nothing in the place of what is gone */
  readonly tree?: Tree
  /** what a run with --check says otherwise */
  readonly check?: readonly Dict[]
  /** what the second run says, where that is not just `changed: false` */
  readonly second?: readonly Dict[]
  readonly secondTree?: Tree
}

export interface Case {
  readonly name: string
  readonly file: string
  readonly setup: Tree
  readonly shell?: string
  readonly tasks: readonly Dict[]
  readonly vars: Dict
  /** programs that must be there; `root` to be root, `private` to have system folders of one's own */
  readonly needs: readonly string[]
  /** why the case says nothing of a host with BusyBox and no other programs */
  readonly busybox?: string
  /** programs that stand in for real ones: name → body for sh */
  readonly programs: Readonly<Record<string, string>>
  /** keys of results that are not compared */
  readonly ignore: readonly string[]
  /** files of the system that belong to the tree: path → an expression for the lines that count */
  readonly also: Readonly<Record<string, string>>
  /** files whose content is random */
  readonly random: readonly string[]
  /** whether times of files are looked at */
  readonly times: boolean
  /** recorded with this program and not with Ansible; says why */
  readonly ours?: string
  readonly expected?: Expected
}

const FOLDER = join(import.meta.dirname, '../modules')
const KEYS = [
  'setup',
  'shell',
  'task',
  'tasks',
  'vars',
  'needs',
  'busybox',
  'programs',
  'ignore',
  'also',
  'times',
  'random',
  'ours',
  'expected',
]

export function readCases(): Case[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => readCase(join(FOLDER, name), name.slice(0, -4)))
}

function readCase(file: string, name: string): Case {
  const data = parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const strange = Object.keys(data).filter((key) => !KEYS.includes(key))
  if (strange.length > 0) throw new Error(`${file}: there is no key ${strange.join(', ')}`)
  const { task, tasks, expected } = data as { task?: Dict; tasks?: Dict[]; expected?: Record<string, unknown> }
  if ((task === undefined) === (tasks === undefined)) throw new Error(`${file}: either task or tasks`)
  return {
    setup: {},
    vars: {},
    needs: [],
    programs: {},
    ignore: [],
    also: {},
    random: [],
    times: false,
    ...data,
    name,
    file,
    tasks: tasks ?? [task!],
    ...(expected === undefined ? {} : { expected: fromFile(expected) }),
  } as Case
}

/** Of one task only, results are written without the list. */
const LISTS = [
  ['result', 'results'],
  ['check', 'check'],
  ['second', 'second'],
] as const

function fromFile(data: Record<string, unknown>): Expected {
  const read: Record<string, unknown> = { ...data }
  for (const [one, many] of LISTS) {
    const value = data[one] ?? data[many]
    if (value !== undefined) read[many] = Array.isArray(value) ? value : [value]
  }
  delete read['result']
  return read as unknown as Expected
}

/** Puts what was recorded at the end of the case's file, in the place of what was there. */
export function writeExpected(one: Case, expected: Expected): void {
  const single = one.tasks.length === 1
  const written = Object.fromEntries(
    Object.entries(expected).map(([key, value]) => {
      const list = LISTS.find(([, many]) => many === key)
      return list && single ? [list[0], (value as Dict[])[0]] : [key, value]
    }),
  )
  const head = readFileSync(one.file, 'utf8').replace(/^expected:[\s\S]*/m, '')
  writeFileSync(one.file, `${head.trimEnd()}\n${inYaml({ expected: written })}`)
}

/** Short collections of plain values go on one line. */
function inYaml(data: unknown): string {
  const document = new Document(data, { aliasDuplicateObjects: false })
  visit(document, {
    Collection: (_, node) => {
      const values = node.items.map((item) => (isPair(item) ? item.value : item))
      const isShort = values.every((value) => isScalar(value) || (isCollection(value) && value.items.length === 0))
      if (isShort && JSON.stringify(node).length < 110 && !/\\n/.test(JSON.stringify(node))) node.flow = true
    },
  })
  return document.toString({ lineWidth: 140, flowCollectionPadding: false })
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; command -v ${program}`]).status === 0

/** Whether system folders of one's own can be had: by root, in a mount namespace. */
export const PRIVATE = process.getuid?.() === 0 && spawnSync('unshare', ['-mu', 'true']).status === 0

/** What a case needs and this machine has not. */
export function missing(one: Case): string[] {
  const known = new Map<string, boolean>([
    ['root', process.getuid?.() === 0],
    ['private', PRIVATE],
  ])
  return one.needs.filter((need) => !(known.get(need) ?? has(need)))
}

/** Why a case cannot be tried with BusyBox alone: what it says itself, or the programs it needs. */
export function beyondBusybox(one: Case): string | undefined {
  const more = one.needs.filter((need) => !['root', 'private', ...APPLETS].includes(need))
  return one.busybox ?? (more.length > 0 ? `needs ${more.join(', ')}` : undefined)
}
