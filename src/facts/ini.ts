/** INI lines → sections of options, as Python's configparser reads them with its defaults. */
import { record } from '../base/index.ts'

export type Ini = { readonly sections: Record<string, Record<string, string>> }

/** The sections; a text says what is wrong. */
export function parseIni(lines: readonly string[]): Ini | string {
  const sections: Record<string, Record<string, string>> = record()
  let defaults: Record<string, string> = record()
  let current: Record<string, string> | undefined
  let option: string | undefined
  for (const line of lines) {
    const text = line.trim()
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue
    if (/^\s/.test(line) && current && option !== undefined) {
      current[option] += `\n${text}`
      continue
    }
    const header = /^\[([^\]]+)\]/.exec(text)?.[1]
    if (header !== undefined) {
      if (header !== 'DEFAULT' && header in sections) return `section ${header} already exists`
      current = header === 'DEFAULT' ? defaults : record()
      if (header !== 'DEFAULT') sections[header] = current
      else defaults = current
      option = undefined
      continue
    }
    if (!current) return 'no section header'
    const pair = /^(.*?)\s*[=:]\s*(.*)$/.exec(text)
    if (!pair || pair[1] === '') return `cannot parse: ${text}`
    option = pair[1]!.toLowerCase()
    if (option in current) return `option ${option} already exists`
    current[option] = pair[2]!
  }
  for (const [name, own] of Object.entries(sections))
    sections[name] = { ...own, ...Object.fromEntries(Object.entries(defaults).filter(([key]) => !(key in own))) }
  return { sections }
}

/** With `%(name)s` replaced by the section's other options and `%%` by a percent sign; a text says what is wrong. */
export function interpolated({ sections }: Ini): Ini['sections'] | string {
  const out: Record<string, Record<string, string>> = record()
  try {
    for (const [name, options] of Object.entries(sections))
      out[name] = Object.fromEntries(Object.keys(options).map((option) => [option, resolved(option, options, 0)]))
    return out
  } catch (error) {
    if (error instanceof BadReference) return error.message
    throw error
  }
}

class BadReference extends Error {}
const MOST_DEEP = 10

function resolved(option: string, options: Readonly<Record<string, string>>, depth: number): string {
  const text = options[option]
  if (text === undefined) throw new BadReference(`Bad value substitution: the option '${option}' does not exist`)
  if (depth > MOST_DEEP) throw new BadReference(`Recursion limit exceeded in value substitution: option '${option}'`)
  return text.replace(/%(?:(%)|\(([^)]+)\)s)?/g, (_, percent: string | undefined, other: string | undefined, at: number) => {
    if (percent !== undefined) return '%'
    if (other !== undefined) return resolved(other.toLowerCase(), options, depth + 1)
    throw new BadReference(`'%' must be followed by '%' or '(', found: '${text.slice(at)}'`)
  })
}
