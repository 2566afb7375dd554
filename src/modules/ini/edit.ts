/** Edits the options of one section in the lines of an INI file. */
import { escapeRegex } from '../../template/index.ts'

export interface IniWish {
  /** undefined or empty: the lines before the first section */
  readonly section: string | undefined
  readonly sectionHasValues: readonly { readonly option: string; readonly values: readonly string[] }[]
  readonly option: string | undefined
  readonly values: readonly string[]
  readonly state: 'present' | 'absent'
  readonly exclusive: boolean
  readonly noExtraSpaces: boolean
  readonly ignoreSpaces: boolean
  readonly allowNoValue: boolean
  readonly modifyInactiveOption: boolean
}

export interface IniEdited {
  readonly text: string
  readonly changed: boolean
  readonly msg: string
}

/** The text with the wish fulfilled, and what was done to it. */
export function editIni(text: string, wish: IniWish): IniEdited {
  const lines = text === '' ? ['\n'] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
  const open = !lines.at(-1)!.endsWith('\n')
  if (open) lines[lines.length - 1] += '\n'
  const place = sectionOf(lines, wish)
  const edit = new SectionEdit(place ? lines.slice(place.start, place.end) : [], place?.headed ?? true, wish)
  edit.run()
  const changed = open || edit.changed
  if (place) return { text: [...lines.slice(0, place.start), ...edit.lines, ...lines.slice(place.end)].join(''), changed, msg: edit.msg }
  if (wish.state === 'absent') return { text: lines.join(''), changed, msg: edit.msg }
  return { ...withNewSection(lines, wish), changed: true }
}

interface Place {
  readonly start: number
  readonly end: number
  /** does its first line name the section? */
  readonly headed: boolean
}

function sectionOf(lines: readonly string[], wish: IniWish): Place | undefined {
  const nextFrom = (index: number): number => {
    const next = lines.findIndex((line, i) => i >= index && line.startsWith('['))
    return next === -1 ? lines.length : next
  }
  if (!wish.section) return { start: 0, end: nextFrom(0), headed: false }
  const header = new RegExp(`^\\[\\s*${escapeRegex(wish.section.trim())}\\s*\\]`)
  for (const [start, line] of lines.entries()) {
    if (!header.test(line)) continue
    const end = nextFrom(start + 1)
    if (hasValues(lines.slice(start, end), wish)) return { start, end, headed: true }
  }
  return undefined
}

function hasValues(lines: readonly string[], wish: IniWish): boolean {
  return wish.sectionHasValues.every(({ option, values }) =>
    lines.some((line) => {
      const found = matchOption(option, line, true)
      return found !== undefined && (values.length === 0 || values.includes(found.value))
    }),
  )
}

interface Option {
  readonly commented: boolean
  readonly value: string
}

/** Is the line this option, commented out or (where `active` is false) not? */
function matchOption(option: string, line: string, inactive: boolean): Option | undefined {
  const match = new RegExp(`^[ \\t]*([#;]?)[ \\t]*${escapeRegex(option)}[ \\t]*(?:=|$)[ \\t]*(.*)$`).exec(line.replace(/\n$/, ''))
  if (!match || (match[1] !== '' && !inactive)) return undefined
  return { commented: match[1] !== '', value: match[2]! }
}

const BLANK_OR_COMMENT = /^[ \t]*([#;].*)?$/

/** The lines of one section while they are edited. */
class SectionEdit {
  changed = false
  msg = 'OK'
  lines: string[]
  /** lines that hold a wanted value already */
  private settled: boolean[]
  private readonly pending: string[]
  private bare = false

  constructor(
    lines: readonly string[],
    /** the first line is the section's name and no option */
    private readonly headed: boolean,
    private readonly wish: IniWish,
  ) {
    this.lines = [...lines]
    this.settled = this.lines.map(() => false)
    this.pending = [...new Set(wish.values)]
  }

  run(): void {
    if (this.wish.state === 'absent') this.remove()
    else {
      if (this.wish.option) this.settleMatching()
      if (this.wish.option && this.wish.exclusive && !this.wish.allowNoValue) this.takeOverRest()
      this.addMissing()
    }
  }

  private tell(msg: string): void {
    this.changed = true
    this.msg = msg
  }

  private line(value: string | undefined): string {
    const { option, noExtraSpaces } = this.wish
    return value === undefined ? `${option}\n` : `${option}${noExtraSpaces ? '=' : ' = '}${value}\n`
  }

  private put(index: number, next: string): void {
    const option = this.wish.option!
    const old = matchOption(option, this.lines[index]!, true)
    const same =
      this.wish.ignoreSpaces && old && !old.commented ? old.value === matchOption(option, next, true)?.value : this.lines[index] === next
    if (!same) {
      this.lines[index] = next
      this.tell('option changed')
    }
    this.settled[index] = true
  }

  /** Lines that have a wanted value, in whatever form, get the right form. */
  private settleMatching(): void {
    const { option, allowNoValue, modifyInactiveOption } = this.wish
    for (const [index, line] of this.lines.entries()) {
      const found = matchOption(option!, line, modifyInactiveOption)
      if (!found) continue
      const at = this.pending.indexOf(found.value)
      if (at !== -1) {
        if (found.value === '' && allowNoValue) this.bare = true
        this.put(index, found.value === '' && allowNoValue ? this.line(undefined) : this.line(found.value))
        this.pending.splice(at, 1)
      } else if (this.wish.values.length === 0 && allowNoValue) {
        this.put(index, this.line(undefined))
        this.bare = true
        break
      }
    }
  }

  /** Other lines of the option take the values that are left; what is over goes. */
  private takeOverRest(): void {
    const { option, modifyInactiveOption } = this.wish
    const others = (index: number): boolean =>
      !this.settled[index] && matchOption(option!, this.lines[index]!, modifyInactiveOption) !== undefined
    for (let index = 0; index < this.lines.length && this.pending.length > 0; index++)
      if (others(index)) this.put(index, this.line(this.pending.shift()!))
    for (let index = this.lines.length - 1; index >= (this.headed ? 1 : 0); index--) {
      if (!others(index)) continue
      this.lines.splice(index, 1)
      this.settled.splice(index, 1)
      this.tell('option changed')
    }
  }

  /** New lines go behind the last line that is no comment and not blank. */
  private addMissing(): void {
    const { option, allowNoValue } = this.wish
    if (!option || (this.lines.length === 0 && this.headed)) return
    const last = this.lines.findLastIndex((line) => !BLANK_OR_COMMENT.test(line.replace(/\n$/, '')))
    const fresh = this.pending.map((value) => this.line(value))
    if (this.wish.values.length === 0 && allowNoValue && !this.bare) fresh.push(this.line(undefined))
    if (fresh.length === 0) return
    this.lines.splice(last + 1, 0, ...fresh)
    this.tell('option added')
  }

  private remove(): void {
    const { option, exclusive, values } = this.wish
    if (!option) {
      if (this.lines.length === 0) return
      this.lines = []
      this.tell('section removed')
      return
    }
    const goes = (line: string): boolean => {
      const found = matchOption(option, line, false)
      return found !== undefined && (exclusive || values.includes(found.value))
    }
    const kept = this.lines.filter((line) => !goes(line))
    if (kept.length === this.lines.length) return
    this.lines = kept
    this.tell('option changed')
  }
}

function withNewSection(lines: readonly string[], wish: IniWish): { text: string; msg: string } {
  const assign = wish.noExtraSpaces ? '=' : ' = '
  const out = [...lines, `[${wish.section}]\n`]
  for (const condition of wish.sectionHasValues) for (const value of condition.values) out.push(`${condition.option}${assign}${value}\n`)
  const values = [...new Set(wish.values)]
  if (wish.option && values.length > 0) for (const value of values) out.push(`${wish.option}${assign}${value}\n`)
  else if (wish.option && wish.allowNoValue) out.push(`${wish.option}\n`)
  else return { text: out.join(''), msg: 'only section added' }
  return { text: out.join(''), msg: 'section and option added' }
}
