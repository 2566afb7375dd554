/** What a reporter is: it takes events and writes text. */
import type { Json } from '../base/index.ts'
import type { Event } from '../events/index.ts'
import type { Colours } from './paint.ts'

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
  /** writes a result as YAML; where there is none, results are JSON */
  readonly yaml?: ((result: Json, how: { readonly indent: number | undefined; readonly lossy: boolean }) => string) | undefined
  readonly deprecationWarnings: boolean
  /** colours by Ansible's names, where they are not its own */
  readonly colours?: Colours | undefined
  /** lines around a difference; 3 where nobody says */
  readonly diffContext?: number | undefined
  /** titles show the arguments */
  readonly displayArgs?: boolean | undefined
  /** what -v adds goes to standard error */
  readonly verboseToStderr?: boolean | undefined
  /** how much is told beside the results, where that is not `verbosity` */
  readonly messageVerbosity?: number | undefined
  /** how many tasks the profile lists: a number or `all` */
  readonly profileLimit?: string | undefined
  readonly profileSort?: string | undefined
  /** how far json and jsonl indent; 0: one line */
  readonly jsonIndent?: number | undefined
  readonly junit?: JUnitOptions | undefined
  readonly ci?: CiOptions | undefined
  /** writes a report's file into the folder that belongs to its kind; absent: reports of files are not wanted */
  readonly writeFile?: ((kind: 'junit' | 'tree', name: string, text: string) => void) | undefined
}

/** What a pipeline offers. */
export interface CiOptions {
  /** a runner reads along and hides what it is told to hide */
  readonly isRunner: boolean
  /** the folder of the checkout: files are named from here */
  readonly root: string
  /** the secrets that have become known after the first `count` */
  readonly secretsSince: (count: number) => readonly string[]
  /** adds to the file that a variable of the environment names; nothing where there is none */
  readonly append: (variable: 'GITHUB_STEP_SUMMARY' | 'GITHUB_OUTPUT', text: string) => void
  /** writes a file for the pipeline to pick up */
  readonly write: (name: string, text: string) => void
  /** since the epoch */
  readonly seconds: () => number
}

/** What the JUnit report is to hold. */
export interface JUnitOptions {
  readonly taskClass: boolean
  readonly failOnChange: boolean
  readonly failOnIgnore: boolean
  readonly includeSetup: boolean
  readonly hideArguments: boolean
  /** what the names of tasks must begin with */
  readonly prefix: string
  /** paths are told from here */
  readonly relativeTo: string | undefined
  /** what stands for the folders of paths outside `relativeTo` */
  readonly outside: string | undefined
}

export interface Reporter {
  on(event: Event): void
}

/** What stands at the foot of the output: everything goes through it, and it tells what goes on meanwhile. */
export interface Foot extends Reporter, Output {
  /** While a person is asked, it is silent. */
  pausing<T>(work: () => Promise<T>): Promise<T>
  end(): void
}
