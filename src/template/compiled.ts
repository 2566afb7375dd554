/** From a template's text to its compiled form, kept for the next time. */
import { compileProgram } from './compile/statements.ts'
import type { FilterFunction, TestFunction } from './registry.ts'
import type { Program } from './run/model.ts'
import { parseTemplate } from './syntax/parser.ts'
import type { SyntaxSettings } from './syntax/settings.ts'

const MOST_KEPT = 4000

/** Compiles texts under one set of settings. */
export class Compiler {
  private readonly kept = new Map<string, Program>()
  private readonly settingsKeys = new WeakMap<SyntaxSettings, string>()

  constructor(
    private readonly filters: ReadonlyMap<string, FilterFunction>,
    private readonly tests: ReadonlyMap<string, TestFunction>,
  ) {}

  compile(text: string, settings: SyntaxSettings, name?: string): Program {
    const key = `${this.keyOf(settings)}\0${name ?? ''}\0${text}`
    const known = this.kept.get(key)
    if (known) return known
    const program = this.compileNow(text, settings, name)
    if (this.kept.size >= MOST_KEPT) this.forgetOldest()
    this.kept.set(key, program)
    return program
  }

  private compileNow(text: string, settings: SyntaxSettings, name: string | undefined): Program {
    const source = normalized(text, settings)
    const plugins = {
      filter: (filter: string) => this.filters.get(filter),
      test: (test: string) => this.tests.get(test),
      lineOf: lineFinder(source),
    }
    return compileProgram(parseTemplate(source, settings), plugins, name)
  }

  private keyOf(settings: SyntaxSettings): string {
    const known = this.settingsKeys.get(settings)
    if (known !== undefined) return known
    const key = JSON.stringify(settings)
    this.settingsKeys.set(settings, key)
    return key
  }

  private forgetOldest(): void {
    for (const key of [...this.kept.keys()].slice(0, MOST_KEPT / 4)) this.kept.delete(key)
  }
}

/** Tells the line of an offset; where the lines end is worked out at the first question. */
function lineFinder(text: string): (offset: number) => number {
  let ends: number[] | undefined
  return (offset) => {
    ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index)
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** All line ends as `\n`, and without the last one unless it is to be kept. */
function normalized(text: string, settings: SyntaxSettings): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return !settings.keepTrailingNewline && lines.endsWith('\n') ? lines.slice(0, -1) : lines
}
