/** What output may look like: colour or not, how wide, what is left out. */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from '../base/index.ts'
import type { Settings } from '../config/index.ts'
import { type Colours, type Foot, Heartbeat, LiveLine, LogOutput, type Output, type ReportOptions } from '../report/index.ts'
import { resultYaml } from '../template/index.ts'
import type { PlaybookOptions } from './playbook-options.ts'
import type { Terminal } from './terminal.ts'
import { userName } from './user-name.ts'

export interface Screen {
  readonly output: Output
  readonly colour: boolean
  readonly columns: number
  /** the line at the foot of a terminal, or the heartbeat off it; all output goes through it */
  readonly live?: Foot | undefined
}

/** `heartbeat`: after how many seconds of silence a line is written where there is no terminal. */
export function screenOf(terminal: Terminal, heartbeat?: number): Screen {
  const { colour, columns } = terminal
  const output: Output = { out: terminal.out, err: terminal.err }
  if (!terminal.isTerminal) {
    if (heartbeat === undefined) return { output, colour, columns }
    const beat = new Heartbeat({ output, columns: () => columns, now: Date.now, every, silence: heartbeat * 1000 })
    return { output: beat, colour, columns, live: beat }
  }
  const live = new LiveLine({ output, columns: () => process.stdout.columns ?? columns, now: Date.now, every })
  return { output: live, colour, columns, live }
}

/** Which setting has the colour of each part. */
const COLOURS = {
  ok: 'COLOR_OK',
  changed: 'COLOR_CHANGED',
  skipped: 'COLOR_SKIP',
  included: 'COLOR_INCLUDED',
  unreachable: 'COLOR_UNREACHABLE',
  error: 'COLOR_ERROR',
  warning: 'COLOR_WARN',
  deprecation: 'COLOR_DEPRECATE',
  debug: 'COLOR_DEBUG',
  verbose: 'COLOR_VERBOSE',
  highlight: 'COLOR_HIGHLIGHT',
  added: 'COLOR_DIFF_ADD',
  removed: 'COLOR_DIFF_REMOVE',
  lines: 'COLOR_DIFF_LINES',
} as const

const coloursOf = ({ get }: Settings): Colours => Object.fromEntries(Object.entries(COLOURS).map(([role, name]) => [role, get(name)]))

/** The log file that the settings want; a place that cannot be written to is told. */
export function logOf(settings: Settings, { err }: Output): Output | undefined {
  const path = settings.get('DEFAULT_LOG_PATH')
  if (path === undefined || path === null) return undefined
  try {
    const file = openSync(path, 'a')
    // everything goes to one logger, whose name may be filtered out
    if (settings.get('DEFAULT_LOG_FILTER').includes('ansible')) return undefined
    return new LogOutput({ write: (text) => void writeSync(file, text), now: () => new Date(), process: process.pid, user: userName() })
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR'
    err(
      isFolder
        ? `[WARNING]: DEFAULT_LOG_PATH can not be a directory '${path}', aborting\n`
        : `[WARNING]: log file at '${path}' is not writeable and we cannot create it, aborting\n\n`,
    )
    return undefined
  }
}

/** Writes reports' files where the settings want them. */
function reportFiles(settings: Settings, treeFolder: string | undefined): NonNullable<ReportOptions['writeFile']> {
  const folders = { junit: settings.get('JUNIT_OUTPUT_DIR'), tree: treeFolder ?? settings.get('CALLBACK_TREE_DIR') }
  return (kind, name, text) => {
    mkdirSync(folders[kind], { recursive: true })
    writeFileSync(join(folders[kind], name), text)
  }
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  return () => clearInterval(timer)
}

export function reportOptions(settings: Settings, options: PlaybookOptions, screen: Screen, treeFolder?: string): ReportOptions {
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
    yaml: (result, how) => resultYaml(fromJson(result), how),
    deprecationWarnings: settings.get('DEPRECATION_WARNINGS'),
    colours: coloursOf(settings),
    diffContext: settings.get('DIFF_CONTEXT'),
    displayArgs: settings.get('DISPLAY_ARGS_TO_STDOUT'),
    verboseToStderr: settings.get('VERBOSE_TO_STDERR'),
    profileLimit: settings.get('PROFILE_TASKS_LIMIT'),
    profileSort: settings.get('PROFILE_TASKS_SORT'),
    jsonIndent: settings.get('JSON_INDENT') ?? undefined,
    junit: {
      taskClass: settings.get('JUNIT_TASK_CLASS'),
      failOnChange: settings.get('JUNIT_FAIL_ON_CHANGE'),
      failOnIgnore: settings.get('JUNIT_FAIL_ON_IGNORE'),
      includeSetup: settings.get('JUNIT_INCLUDE_SETUP_TASKS_IN_REPORT'),
      hideArguments: settings.get('JUNIT_HIDE_TASK_ARGUMENTS'),
      prefix: settings.get('JUNIT_TEST_CASE_PREFIX'),
      relativeTo: settings.get('JUNIT_TASK_RELATIVE_PATH') || undefined,
      outside: settings.get('JUNIT_REPLACE_OUT_OF_TREE_PATH') ?? undefined,
    },
    writeFile: reportFiles(settings, treeFolder),
  }
}
