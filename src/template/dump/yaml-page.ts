/** The page a YAML text is written on: it knows the column and what stands before it. */

const DEFAULT_WIDTH = 80

export class YamlPage {
  readonly bestIndent: number
  readonly bestWidth: number
  column = 0
  /** is the last character a blank (or nothing)? */
  whitespace = true
  /** are there only blanks and indicators since the line's start? */
  indention = true
  private readonly parts: string[] = []

  constructor(indent: number | undefined, width: number | undefined) {
    this.bestIndent = indent === undefined || indent < 2 || indent > 9 ? 2 : indent
    const wanted = width ?? DEFAULT_WIDTH
    this.bestWidth = wanted < 0 ? Number.POSITIVE_INFINITY : wanted <= this.bestIndent * 2 ? DEFAULT_WIDTH : wanted
  }

  text(): string {
    return this.parts.join('')
  }

  isPastWidth(): boolean {
    return this.column > this.bestWidth
  }

  put(text: string, columns = text.length): void {
    this.parts.push(text)
    this.column += columns
  }

  putBreak(text = '\n'): void {
    this.parts.push(text)
    this.column = 0
  }

  indicator(text: string, needsBlank: boolean, leavesBlank = false, isIndention = false): void {
    if (needsBlank && !this.whitespace) this.put(' ')
    this.put(text)
    this.whitespace = leavesBlank
    this.indention = this.indention && isIndention
  }

  /** A new line where the place is not already the right one, and blanks up to the indent. */
  newLine(indent: number): void {
    const to = Math.max(0, indent)
    if (!this.indention || this.column > to || (this.column === to && !this.whitespace)) this.putBreak()
    if (this.column < to) this.put(' '.repeat(to - this.column))
    this.whitespace = true
    this.indention = true
  }
}
