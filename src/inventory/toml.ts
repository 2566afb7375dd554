/** Turns a TOML inventory into statements: tables of groups with `hosts`, `vars` and `children`. */
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { asWritten, Float, Problem, type Raw, type Source, type Span, span } from '../base/index.ts'
import { type DocumentOptions, nodeToRaw, parseYaml } from '../documents/index.ts'
import type { GroupNames } from './ini.ts'
import { expandHost } from './ranges.ts'
import type { Reading, Statement } from './statements.ts'

export function readToml(source: Source, groupName: GroupNames, options: DocumentOptions): Reading {
  const root = tableOf(source)
  if (Object.keys(root).length === 0) throw new Problem('Parsed empty TOML file', { kind: 'inventory' })
  if (root['plugin']) throw new Problem('Plugin configuration TOML file, not TOML inventory', { kind: 'inventory' })
  const reader = new TomlReader(groupName, options)
  for (const [name, value] of Object.entries(root)) reader.group(name, value)
  return { statements: reader.statements, warnings: reader.warnings }
}

function tableOf(source: Source): TomlTable {
  try {
    return parse(source.text, { integersAsBigInt: true })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')
    throw new Problem(`TOML file (${source.name}) is invalid: ${reason}`, { kind: 'inventory', span: placeOf(source, error) })
  }
}

function placeOf(source: Source, { line, column }: TomlError): Span {
  const lines = source.text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  return span(source, Math.min(start, source.text.length), Math.min(start + 1, source.text.length))
}

class TomlReader {
  readonly statements: Statement[] = []
  readonly warnings: string[] = []

  constructor(
    readonly groupName: GroupNames,
    readonly options: DocumentOptions,
  ) {}

  group(written: string, value: TomlValue): string {
    if (!isTable(value)) {
      this.warnings.push(`Skipping '${written}' as this is not a valid group definition`)
      return written
    }
    const name = this.groupName(written)
    this.statements.push({ do: 'group', name })
    for (const [key, data] of Object.entries(value)) this.#section(name, key, data)
    return name
  }

  #section(group: string, key: string, data: TomlValue): void {
    const section = SECTIONS[key]
    if (section) section(this, group, data)
    else this.warnings.push(`Skipping unexpected key "${key}" in group "${group}", only "vars", "children" and "hosts" are valid`)
  }

  vars(group: string, data: TomlValue): void {
    for (const [key, value] of Object.entries(tableFor('vars', group, data)))
      this.statements.push({ do: 'groupVar', group, key, value: this.#raw(value) })
  }

  children(group: string, data: TomlValue): void {
    if (!Array.isArray(data)) throw invalid('children', group, 'a list')
    for (const name of data) this.statements.push({ do: 'child', group, child: this.group(String(name), {}) })
  }

  hosts(group: string, data: TomlValue): void {
    for (const [written, vars] of Object.entries(tableFor('hosts', group, data))) {
      const { hosts, port } = expandHost(written)
      if (!isTable(vars)) throw new Problem(`the variables of host ${written} must be a table`, { kind: 'inventory' })
      for (const host of hosts) {
        this.statements.push({ do: 'host', name: host, group, port })
        for (const [key, value] of Object.entries(vars)) this.statements.push({ do: 'hostVar', host, key, value: this.#raw(value) })
      }
    }
  }

  #raw(value: TomlValue): Raw {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
    if (typeof value === 'number') return new Float(value)
    if (typeof value === 'string') return asWritten(value)
    if (Array.isArray(value)) return value.map((one) => this.#raw(one))
    if (value instanceof TomlDate) return this.#date(value)
    if (typeof value !== 'object') return value
    return new Map(Object.entries(value).map(([key, one]) => [key, this.#raw(one)]))
  }

  /** Dates are those that YAML has, too; a time of day by itself is text. */
  #date(date: TomlDate): Raw {
    const text = date.toISOString().replace(/\.000(?!\d)/, '')
    const node = date.isTime() ? undefined : parseYaml({ name: '', text }, this.options)
    return node ? nodeToRaw(node, this.options) : text
  }
}

const SECTIONS: { readonly [name: string]: (reader: TomlReader, group: string, data: TomlValue) => void } = {
  vars: (reader, group, data) => reader.vars(group, data),
  children: (reader, group, data) => reader.children(group, data),
  hosts: (reader, group, data) => reader.hosts(group, data),
}

const isTable = (value: TomlValue): value is TomlTable => typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate)

function tableFor(section: string, group: string, data: TomlValue): TomlTable {
  if (isTable(data)) return data
  throw invalid(section, group, 'a table')
}

const invalid = (section: string, group: string, wanted: string): Problem =>
  new Problem(`Invalid "${section}" entry for "${group}" group, requires ${wanted}.`, { kind: 'inventory' })
