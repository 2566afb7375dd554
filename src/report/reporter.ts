/** What a reporter is: it takes events and writes text. */
import type { Event } from '../events/index.ts'

export interface Output {
  /** text for standard output, newlines included */
  out(text: string): void
  err(text: string): void
}

export interface ReportOptions {
  readonly output: Output
  readonly colour: boolean
  readonly verbosity: number
  /** of the terminal; 80 where there is none */
  readonly columns: number
  readonly displaySkipped: boolean
  readonly displayOk: boolean
  readonly checkMarkers: boolean
  readonly showCustomStats: boolean
  readonly failedToStderr: boolean
  readonly taskPathOnFailure: boolean
  readonly showPerHostStart: boolean
  readonly resultFormat: 'json' | 'yaml'
  readonly prettyResults: boolean | undefined
  readonly deprecationWarnings: boolean
  /** writes a report's file into the folder that belongs to its kind; absent: reports of files are not wanted */
  readonly writeFile?: ((kind: 'junit' | 'tree', name: string, text: string) => void) | undefined
}

export interface Reporter {
  on(event: Event): void
}
