/** Turns an ini file of settings into its values with their lines, as Python's configparser reads it. */
import { Problem, type Source, span } from '../base/index.ts'

export interface IniValue {
  readonly text: string
  readonly line: number
}

/** section → key (lower case) → value. What `[DEFAULT]` says holds in every section. */
export type Ini = ReadonlyMap<string, ReadonlyMap<string, IniValue>>

export function parseIni(source: Source): Ini {
  const sections = new Map<string, Map<string, IniValue>>()
  let current: Map<string, IniValue> | undefined
  let key: string | undefined
  let offset = 0
  source.text.split('\n').forEach((raw, index) => {
    const at = offset
    offset += raw.length + 1
    const text = withoutComment(raw.replace(/\r$/, ''))
    if (text.trim() === '') return
    if (/^\s/.test(text) && key !== undefined && current) {
      const before = current.get(key)!
      current.set(key, { ...before, text: before.text === '' ? text.trim() : `${before.text}\n${text.trim()}` })
      return
    }
    key = undefined
    const heading = /^\[(.+)\]/.exec(text.trim())
    if (heading) {
      current = sections.get(heading[1]!) ?? new Map()
      sections.set(heading[1]!, current)
      return
    }
    const pair = /^\s*([^=:]*?)\s*[=:]\s*(.*)$/.exec(text)
    if (!pair || !current || pair[1] === '') {
      throw new Problem(current ? 'this is neither a section nor key = value' : 'the first line must be a section such as [defaults]', {
        kind: 'config',
        span: span(source, at, at + raw.length),
      })
    }
    key = pair[1]!.toLowerCase()
    current.set(key, { text: pair[2]!.trim(), line: index + 1 })
  })
  const everywhere = sections.get('DEFAULT')
  if (everywhere)
    for (const section of sections.values()) for (const [name, value] of everywhere) if (!section.has(name)) section.set(name, value)
  return sections
}

/** `#` and `;` begin a comment at a line's start, `;` after a blank, too. */
function withoutComment(line: string): string {
  if (/^\s*[#;]/.test(line)) return ''
  const inline = line.search(/\s;/)
  return inline === -1 ? line : line.slice(0, inline)
}
