/** Turns an INI inventory into statements: `[group]`, `[group:vars]`, `[group:children]`, host lines with variables. */
import { looksLikeTemplate, Problem, type Raw, type Source, span, Template } from '../base/index.ts'
import { parseLiteral } from '../template/index.ts'
import { expandHost } from './ranges.ts'
import type { Reading, Statement } from './statements.ts'
import { splitWords } from './words.ts'

const SECTION = /^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$/
const GROUP_NAME = /^([^:\]\s]+)\s*(?:#.*)?$/

export type GroupNames = (name: string) => string

interface Pending {
  readonly kind: 'vars' | 'children'
  readonly at: Line
  readonly parents: string[]
}

interface Line {
  readonly text: string
  /** where its text starts in the source */
  readonly start: number
}

/** `groupName` makes group names safe as the settings want it; `isKnown` tells groups of earlier sources. What stands before a mistake is kept. */
export function readIni(source: Source, groupName: GroupNames, isKnown: (group: string) => boolean = () => false): Reading {
  return new IniReader(source, groupName, isKnown).read()
}

class IniReader {
  readonly #statements: Statement[] = []
  readonly #groups = new Set(['all', 'ungrouped'])
  readonly #pending = new Map<string, Pending>()
  #group = 'ungrouped'
  #state = 'hosts'

  constructor(
    readonly source: Source,
    readonly groupName: GroupNames,
    readonly isKnown: (group: string) => boolean,
  ) {}

  read(): Reading {
    try {
      this.#lines()
      return { statements: this.#statements }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { statements: this.#statements, problem: error }
    }
  }

  #has(group: string): boolean {
    return this.#groups.has(group) || this.isKnown(group)
  }

  #lines(): void {
    for (const line of linesOf(this.source.text)) {
      if (line.text === '' || line.text.startsWith('#') || line.text.startsWith(';')) continue
      const section = SECTION.exec(line.text)
      if (section) this.#section(line, section[1]!, section[2] ?? 'hosts')
      else if (line.text.startsWith('[') && line.text.endsWith(']')) {
        throw this.#wrong(
          line,
          `Invalid section entry: '${line.text}'. Please make sure that there are no spaces in the section entry, and that there are no other invalid characters`,
        )
      } else LINES[this.#state]!(this, line)
    }
    for (const [name, { kind, at, parents }] of this.#pending) {
      throw kind === 'vars'
        ? this.#wrong(at, `Section [${name}:vars] not valid for undefined group: ${name}`)
        : this.#wrong(at, `Section [${parents.at(-1)}:children] includes undefined group: ${name}`)
    }
  }

  #section(line: Line, written: string, state: string): void {
    const name = this.groupName(written)
    if (!(state in LINES)) throw this.#wrong(line, `Section [${written}:${state}] has unknown type: ${state}`)
    if (!this.#has(name)) {
      if (state === 'vars' && !this.#pending.has(name)) this.#pending.set(name, { kind: 'vars', at: line, parents: [] })
      this.#addGroup(name)
    }
    const pending = this.#pending.get(name)
    if (pending && state !== 'vars') {
      if (pending.kind === 'children') this.#adopt(name, pending)
      else this.#pending.delete(name)
    }
    this.#group = name
    this.#state = state
  }

  #addGroup(name: string): void {
    this.#groups.add(name)
    this.#statements.push({ do: 'group', name })
  }

  /** A group that others had already named as their child turns up. */
  #adopt(name: string, { parents }: Pending): void {
    for (const parent of parents) {
      this.#statements.push({ do: 'child', group: parent, child: name })
      const above = this.#pending.get(parent)
      if (above?.kind === 'children') this.#adopt(parent, above)
    }
    this.#pending.delete(name)
  }

  host(line: Line): void {
    const words = splitWords(line.text)
    if (!words) throw this.#wrong(line, `Error parsing host definition '${line.text}': No closing quotation`)
    const [first, ...rest] = words
    if (!first) return
    const { hosts, port } = this.#place(line, () => expandHost(first.text))
    const variables = rest.map(({ text, start }) => {
      const equals = text.indexOf('=')
      if (equals === -1) throw this.#wrong(line, `Expected key=value host variable assignment, got: ${text}`)
      return [text.slice(0, equals), this.#value(text.slice(equals + 1), line.start + start)] as const
    })
    for (const host of hosts) {
      this.#statements.push({ do: 'host', name: host, group: this.#group, port })
      for (const [key, value] of variables) this.#statements.push({ do: 'hostVar', host, key, value })
    }
  }

  variable(line: Line): void {
    const equals = line.text.indexOf('=')
    if (equals === -1) throw this.#wrong(line, `Expected key=value, got: ${line.text}`)
    const value = this.#value(line.text.slice(equals + 1).trim(), line.start + equals)
    this.#statements.push({ do: 'groupVar', group: this.#group, key: line.text.slice(0, equals).trim(), value })
  }

  child(line: Line): void {
    const name = GROUP_NAME.exec(line.text)?.[1]
    if (name === undefined) throw this.#wrong(line, `Expected group name, got: ${line.text}`)
    if (this.#has(name)) {
      this.#statements.push({ do: 'child', group: this.#group, child: name })
      return
    }
    const pending = this.#pending.get(name)
    if (pending) pending.parents.push(this.#group)
    else this.#pending.set(name, { kind: 'children', at: line, parents: [this.#group] })
  }

  /** A Python literal is its value, everything else is text. */
  #value(text: string, from: number): Raw {
    const literal = parseLiteral(text, { json: false })
    const value = literal === undefined ? text : literal instanceof Uint8Array ? new TextDecoder().decode(literal) : literal
    if (typeof value !== 'string' || !looksLikeTemplate(value)) return value
    const at = this.source.text.indexOf(value, from)
    return new Template(value, at === -1 ? span(this.source, from) : span(this.source, at, at + value.length))
  }

  #place<T>(line: Line, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof Problem ? this.#wrong(line, error.message) : error
    }
  }

  #wrong(line: Line, message: string): Problem {
    return new Problem(message, { kind: 'inventory', span: span(this.source, line.start, line.start + line.text.length) })
  }
}

const LINES: { readonly [state: string]: (reader: IniReader, line: Line) => void } = {
  hosts: (reader, line) => reader.host(line),
  vars: (reader, line) => reader.variable(line),
  children: (reader, line) => reader.child(line),
}

function* linesOf(text: string): Generator<Line> {
  let at = 0
  for (const raw of text.split('\n')) {
    const trimmed = raw.trimStart()
    yield { text: trimmed.trimEnd(), start: at + raw.length - trimmed.length }
    at += raw.length + 1
  }
}
