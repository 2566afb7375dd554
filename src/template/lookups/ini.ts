/** INI text → sections of options, as Python's configparser reads it. */

import { lookupError } from '../python/index.ts'
import { pluginError } from './define.ts'

export interface IniOptions {
  readonly caseSensitive: boolean
  readonly allowNoValue: boolean
  /** `%(name)s` in values is replaced */
  readonly interpolate: boolean
  readonly file: string
  /** what stands between a name and its value; default `=` and `:` */
  readonly delimiters?: readonly string[] | undefined
}

export type Section = Map<string, string | null>

export function readIni(text: string, options: IniOptions): Map<string, Section> {
  const sections = readSections(text, options)
  const defaults = sections.get('DEFAULT') ?? new Map()
  sections.delete('DEFAULT')
  const out = new Map<string, Section>()
  for (const [name, own] of sections) {
    const all: Section = new Map([...defaults, ...own])
    out.set(
      name,
      options.interpolate ? new Map([...all].map(([key, value]) => [key, value === null ? null : interpolated(value, all, 0)])) : all,
    )
  }
  return out
}

/** The sections as they stand, that of the defaults among them. */
export function readSections(text: string, options: IniOptions): Map<string, Section> {
  const sections = new Map<string, Section>()
  let section: Section | undefined
  let title = ''
  let key: string | undefined
  let indent = 0
  const lines = text.split(/\r?\n/)
  lines.forEach((line, i) => {
    const bare = line.trim()
    if (bare.startsWith('#') || bare.startsWith(';')) return
    const depth = line.length - line.trimStart().length
    if (section && key !== undefined && (bare === '' || depth > indent)) {
      const before = section.get(key)
      if (before !== null && before !== undefined) section.set(key, `${before}\n${bare}`)
      return
    }
    if (bare === '') return
    indent = depth
    const header = /^\[(.+)\]/.exec(bare)
    if (header) {
      if (sections.has(header[1]!) && header[1] !== 'DEFAULT')
        throw lookupError(`While reading from '${options.file}' [line ${String(i + 1).padStart(2)}]: section '${header[1]}' already exists`)
      title = header[1]!
      section = sections.get(title) ?? new Map()
      sections.set(header[1]!, section)
      key = undefined
      return
    }
    if (!section)
      throw pluginError(
        `File contains no section headers.\nfile: '${options.file}', line: ${i + 1}\n'${line}${i < lines.length - 1 ? '\\n' : ''}'`,
      )
    key = readOption(bare, { title, section }, options, i + 1)
  })
  for (const one of sections.values()) for (const [name, value] of one) if (value !== null) one.set(name, value.trimEnd())
  return sections
}

function readOption(bare: string, { title, section }: { title: string; section: Section }, options: IniOptions, line: number): string {
  const found = optionPattern(options.delimiters).exec(bare)!
  const name = options.caseSensitive ? found[1]! : found[1]!.toLowerCase()
  if ((found[2] === undefined && !options.allowNoValue) || name === '')
    throw pluginError(`Source contains parsing errors: '${options.file}'\n\t[line ${String(line).padStart(2)}]: '${bare}\\n'`)
  if (section.has(name))
    throw lookupError(
      `Duplicate option in '${options.file}': While reading from '${options.file}' [line ${String(line).padStart(2)}]: option '${name}' in section '${title}' already exists`,
    )
  section.set(name, found[2] === undefined ? null : found[3]!)
  return name
}

function optionPattern(delimiters: readonly string[] = ['=', ':']): RegExp {
  const either = delimiters.map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return new RegExp(`^(.*?)\\s*(?:(${either})\\s*(.*))?$`, 's')
}

function interpolated(value: string, all: Section, depth: number): string {
  if (depth > 10) throw pluginError(`Recursion limit exceeded in value substitution: ${value}`)
  return value.replace(/%(?:(%)|\(([^)]+)\)s|)/g, (_, percent?: string, name?: string) => {
    if (percent) return '%'
    const found = name === undefined ? undefined : all.get(name.toLowerCase())
    if (found === undefined || found === null) throw pluginError(`Bad value substitution: ${value}`)
    return interpolated(found, all, depth + 1)
  })
}
