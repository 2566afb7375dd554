/** What output may look like: colour or not, how wide, what is left out. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config/index.ts'
import { LiveLine, type Output, type ReportOptions } from '../report/index.ts'
import type { PlaybookOptions } from './playbook-options.ts'
import type { Terminal } from './terminal.ts'

export interface Screen {
  readonly output: Output
  readonly colour: boolean
  readonly columns: number
  /** the line at the foot of a terminal; all output goes through it */
  readonly live?: LiveLine | undefined
}

export function screenOf(terminal: Terminal): Screen {
  const { colour, columns } = terminal
  const output: Output = { out: terminal.out, err: terminal.err }
  if (!terminal.isTerminal) return { output, colour, columns }
  const live = new LiveLine({ output, columns: () => process.stdout.columns ?? columns, now: Date.now, every })
  return { output: live, colour, columns, live }
}

/** Writes reports' files where the settings want them. */
function reportFiles(settings: Settings): NonNullable<ReportOptions['writeFile']> {
  const folders = { junit: settings.get('JUNIT_OUTPUT_DIR'), tree: settings.get('CALLBACK_TREE_DIR') }
  return (kind, name, text) => {
    mkdirSync(folders[kind], { recursive: true })
    writeFileSync(join(folders[kind], name), text)
  }
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  return () => clearInterval(timer)
}

export function reportOptions(settings: Settings, options: PlaybookOptions, screen: Screen): ReportOptions {
  return {
    output: screen.output,
    colour: !settings.get('ANSIBLE_NOCOLOR') && (screen.colour || settings.get('ANSIBLE_FORCE_COLOR')),
    verbosity: Math.max(options.verbose, settings.get('DEFAULT_VERBOSITY')),
    columns: screen.columns,
    displaySkipped: settings.get('DISPLAY_SKIPPED_HOSTS'),
    displayOk: settings.get('DISPLAY_OK_HOSTS'),
    checkMarkers: settings.get('CHECK_MODE_MARKERS'),
    showCustomStats: settings.get('SHOW_CUSTOM_STATS'),
    failedToStderr: settings.get('DISPLAY_FAILED_STDERR'),
    taskPathOnFailure: settings.get('SHOW_TASK_PATH_ON_FAILURE'),
    showPerHostStart: settings.get('SHOW_PER_HOST_START'),
    resultFormat: settings.get('CALLBACK_RESULT_FORMAT') === 'yaml' ? 'yaml' : 'json',
    prettyResults: settings.get('CALLBACK_FORMAT_PRETTY') ?? undefined,
    deprecationWarnings: settings.get('DEPRECATION_WARNINGS'),
    writeFile: reportFiles(settings),
  }
}
