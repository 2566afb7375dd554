import { GithubReport } from './ci/github.ts'
import { GitlabReport } from './ci/gitlab.ts'
import { EventLinesReport, JsonLinesReport, JsonReport } from './json.ts'
import { JUnitReport } from './junit.ts'
import { MinimalReport } from './minimal.ts'
import { ProfileReport, RolesReport } from './profile.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { TextReport } from './text.ts'
import { TimerReport } from './timer.ts'
import { TreeReport } from './tree.ts'

/** Every reporter by the name that `--output` and stdout_callback know. */
export const REPORTERS: Readonly<Record<string, (options: ReportOptions) => Reporter>> = {
  default: (options) => new TextReport(options),
  yaml: (options) => new TextReport({ ...options, resultFormat: 'yaml' }),
  json: (options) => new JsonReport(options),
  jsonl: (options) => new JsonLinesReport(options),
  events: (options) => new EventLinesReport(options),
  minimal: (options) => new MinimalReport(options),
  oneline: (options) => new MinimalReport(options, true),
  github: (options) => new GithubReport(options),
  gitlab: (options) => new GitlabReport(options),
}

/** Further reporters beside the main one, by the names that callbacks_enabled knows. */
export const COMPANIONS: Readonly<Record<string, (options: ReportOptions) => Reporter>> = {
  profile_tasks: (options) => new ProfileReport(options),
  profile_roles: (options) => new RolesReport(options),
  timer: (options) => new TimerReport(options),
  junit: (options) => new JUnitReport(options),
  tree: (options) => new TreeReport(options),
}

export { ChangeSummary } from './changes.ts'
export { annotation } from './ci/github.ts'
export { graphLines, graphSvg, type OrderedPlay, type OrderedStep } from './graph.ts'
export { Heartbeat } from './heartbeat.ts'
export { eventsToReport, HtmlReport, type ReadSource, type RunReport, renderReport } from './html/index.ts'
export { LiveLine, type LiveOptions } from './live.ts'
export { LogOutput } from './log.ts'
export { type Colours, colourCode } from './paint.ts'
export { QuietSkips } from './quiet-skips.ts'
export type { CiOptions, Foot, Output, Reporter, ReportOptions } from './reporter.ts'
