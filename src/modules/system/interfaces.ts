/** The text of an interfaces file → its lines with what they say, and edits of options in them. */
import { type JsonObject, record } from '../../base/index.ts'
import { ModuleFailure } from '../api.ts'

export interface InterfaceLine {
  line: string
  readonly iface?: string
  readonly option?: string
  readonly value?: string
  readonly family?: string | null
  /** of a line that begins an interface */
  readonly stanza?: Stanza
}

type Stanza = Record<string, string | string[] | null>

/** options that may be there several times */
const SCRIPTS = ['pre-up', 'up', 'down', 'post-up']
const OTHERS = /^(source|source-dir|source-directory|auto|allow-.*|no-auto-down|no-scripts)$/

export function readInterfaces(text: string): { lines: InterfaceLine[]; ifaces: JsonObject } {
  const lines: InterfaceLine[] = []
  const ifaces: Record<string, Stanza> = record()
  let inside: 'iface' | 'mapping' | 'none' | undefined
  let current: { name: string; stanza: Stanza } | undefined
  for (const [at, line] of (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
    const [word, ...rest] = line.split(/\s+/).filter(Boolean)
    if (word === undefined || word.startsWith('#')) lines.push({ line })
    else if (word === 'mapping') inside = plain(lines, line, 'mapping')
    else if (OTHERS.test(word)) inside = plain(lines, line, 'none')
    else if (word === 'iface') {
      const stanza: Stanza = { 'pre-up': [], up: [], down: [], 'post-up': [], address_family: rest[1] ?? null, method: rest[2] ?? null }
      current = { name: rest[0] ?? '', stanza }
      ifaces[current.name] = stanza
      lines.push({ line, iface: current.name, family: rest[1] ?? null, stanza })
      inside = 'iface'
    } else if (inside === 'iface' && current) {
      const value = line.slice(line.indexOf(word) + word.length).trim()
      lines.push({ line, iface: current.name, option: word, value, family: current.stanza['address_family'] as string | null })
      if (SCRIPTS.includes(word)) (current.stanza[word] as string[]).push(value)
      else current.stanza[word] = value
    } else if (inside === undefined) throw new ModuleFailure(`misplaced option ${line} in line ${at + 1}`)
    else lines.push({ line })
  }
  return { lines, ifaces }
}

function plain<T extends string>(lines: InterfaceLine[], line: string, inside: T): T {
  lines.push({ line })
  return inside
}

export interface OptionWish {
  readonly iface: string
  readonly option: string
  readonly value: string | undefined
  readonly family: string | undefined
  readonly state: 'present' | 'absent'
}

/** The lines with the option as it is wished; undefined where it is so already. */
export function withOption(lines: readonly InterfaceLine[], wish: OptionWish): InterfaceLine[] | undefined {
  const own = lines.filter((one) => one.iface === wish.iface && (wish.family === undefined || one.family === wish.family))
  if (own.length === 0) throw new ModuleFailure(`Error: interface ${wish.iface} not found`)
  const options = own.filter((one) => one.option !== undefined)
  const there = options.filter((one) => one.option === wish.option)
  if (wish.state === 'absent') return without(lines, there, wish)
  const value = wish.value ?? ''
  const last = there.at(-1)
  if (!last)
    return wish.option === 'method' ? withMethod(lines, wish.iface, value) : addedAfter(lines, own.at(-1)!, wish, options.length === 0)
  if (SCRIPTS.includes(wish.option)) return there.some((one) => one.value === value) ? undefined : addedAfter(lines, last, wish, false)
  return last.value === value ? undefined : lines.map((one) => (one === last ? { ...one, line: replaced(one, value), value } : one))
}

function without(lines: readonly InterfaceLine[], there: readonly InterfaceLine[], wish: OptionWish): InterfaceLine[] | undefined {
  const one = SCRIPTS.includes(wish.option) && wish.value !== undefined && wish.value !== 'None'
  const gone = new Set(one ? there.filter((line) => line.value === wish.value) : there)
  return gone.size === 0 ? undefined : lines.filter((line) => !gone.has(line))
}

function withMethod(lines: readonly InterfaceLine[], iface: string, value: string): InterfaceLine[] | undefined {
  const other = (one: InterfaceLine): boolean => one.stanza !== undefined && one.iface === iface && one.stanza['method'] !== value
  if (!lines.some(other)) return undefined
  return lines.map((one) => {
    const method = one.stanza?.['method']
    return other(one) && typeof method === 'string' && one.line.trimEnd().endsWith(method)
      ? { ...one, line: one.line.trimEnd().slice(0, -method.length) + value + one.line.slice(one.line.trimEnd().length) }
      : one
  })
}

/** A new line is indented as the one before it. */
function addedAfter(lines: readonly InterfaceLine[], last: InterfaceLine, wish: OptionWish, first: boolean): InterfaceLine[] {
  const [, indent = '', end = ''] = /^(\s*).*?(\s*)$/s.exec(last.line) ?? []
  const line = `${indent}${first ? '    ' : ''}${wish.option} ${wish.value}${end}`
  return lines.flatMap((one) => (one === last ? [one, { line, iface: wish.iface, option: wish.option, value: wish.value ?? '' }] : [one]))
}

/** The line with another value in the old one's place. */
function replaced({ line, option = '', value: old = '' }: InterfaceLine, value: string): string {
  const from = line.indexOf(option) + option.length
  const start = old === '' ? from : line.indexOf(old.split(/\s+/)[0]!, from)
  const end = line.trimEnd().length
  return line.slice(0, start) + value + line.slice(Math.max(end, start))
}
