/** `--report FILE`: keeps what happens in a run, and writes the page at its end. */
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Problem } from '../base/index.ts'
import type { Bus } from '../events/index.ts'
import { HtmlReport, type ReadSource } from '../report/index.ts'

export interface ReportSurroundings {
  readonly cwd: string
  /** hides the secrets of a text */
  readonly mask: (text: string) => string
  readonly tell: (text: string) => void
}

/** @throws Problem before anything runs, where the page could not be written */
export function keepReport(bus: Bus, { report }: { readonly report: string | undefined }, { cwd, mask, tell }: ReportSurroundings): void {
  if (report === undefined) return
  const file = resolve(cwd, report)
  requireWritable(file, report)
  const page = new HtmlReport({
    read: sourceReader(cwd, mask),
    write: (text) => {
      try {
        writeFileSync(file, text)
        tell(`the report is in ${report}\n`)
      } catch (error) {
        tell(`[WARNING]: the report could not be written: ${(error as Error).message}\n`)
      }
    },
  })
  bus.keep((event) => page.on(event))
}

/** Writes the page of a run that is over. */
export function writeReport(file: string, page: string): void {
  requireWritable(file, file)
  writeFileSync(file, page)
}

function requireWritable(file: string, report: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw new Problem(`the report ${report} cannot be written: ${(error as Error).message}`, { kind: 'usage' })
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Problem(`the report ${report} is a folder`, { kind: 'usage', hint: `name a file: ${report.replace(/\/$/, '')}/run.html` })
}

/** Texts of files for code frames, without the run's secrets. */
const sourceReader =
  (cwd: string, mask: (text: string) => string): ReadSource =>
  (path) => {
    try {
      return mask(readFileSync(resolve(cwd, path), 'utf8'))
    } catch {
      return undefined
    }
  }
