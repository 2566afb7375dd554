/** Turns the marked output of a probe script into named texts: the one form in which parsers see a host. */

/** What begins a section in a probe's output; no text file of a host holds it. */
const MARK = '\u001e'

/** Named sections of a probe's output: `f:<path>` a file, `c:<name>` a command that succeeded, `e:<path>` an existing path. */
export class Look {
  private readonly sections: ReadonlyMap<string, string>

  constructor(output: string) {
    const sections = new Map<string, string>()
    for (const part of output.split(MARK).slice(1)) {
      const end = part.indexOf('\n')
      if (end >= 0) sections.set(part.slice(0, end), part.slice(end + 1))
    }
    this.sections = sections
  }

  /** A file's text without the white space around it; undefined when it is missing, unreadable or empty. */
  file(path: string): string | undefined {
    return this.section(`f:${path}`)?.trim() || undefined
  }

  /** The output of a command that ended with 0; undefined otherwise. */
  command(name: string): string | undefined {
    return this.section(`c:${name}`)
  }

  exists(path: string): boolean {
    return this.sections.has(`e:${path}`)
  }

  section(name: string): string | undefined {
    return this.sections.get(name)
  }

  /** The names of the sections that begin with a prefix, without it. */
  names(prefix: string): readonly string[] {
    return [...this.sections.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }
}

/** The lines of a text, without the empty line after the last line end. */
export function linesOf(text: string | undefined): readonly string[] {
  if (!text) return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The words of a text, split at white space. */
export const wordsOf = (text: string | undefined): readonly string[] => text?.trim().split(/\s+/).filter(Boolean) ?? []
