/** INI lines → sections of options, as Python's configparser reads them with its defaults. */

export type Ini = { readonly sections: Record<string, Record<string, string>> }

/** The sections; a text says what is wrong. */
export function parseIni(lines: readonly string[]): Ini | string {
  const sections: Record<string, Record<string, string>> = {}
  let defaults: Record<string, string> = {}
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
      current = header === 'DEFAULT' ? defaults : {}
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
