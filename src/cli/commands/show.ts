/** `tsspray show RUN`: retells a run that is kept, in any form that a run can be told. */
import { join, resolve } from 'node:path'
import { didYouMean, own, Problem } from '../../base/index.ts'
import { eventsOf, readRun, runIds, stateOf } from '../../journal/index.ts'
import { eventsToReport, REPORTERS, renderReport } from '../../report/index.ts'
import { noOptions, type OptionTable, parseArgs } from '../options.ts'
import { runsFolder } from '../resume.ts'
import { writeReport } from '../run-report.ts'
import { reportOptions, screenOf } from '../screen.ts'
import { readSettings } from '../session.ts'
import { common, playbookOptions, runOptions } from '../tables.ts'
import type { Terminal } from '../terminal.ts'

const options = { output: runOptions.output, report: runOptions.report, diff: runOptions.diff, ...common } as const satisfies OptionTable

export const usage = { name: 'tsspray show', about: 'Retells a run; the latest one where none is named.', args: '[run]', options }

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args, options: given } = parseArgs(usage, argv, terminal)
  const settings = readSettings(terminal)
  const root = runsFolder(settings, terminal)
  const ids = runIds(root)
  const id = args[0] ?? ids[0]
  if (id === undefined) throw new Problem(`no runs are kept in ${root}`, { kind: 'usage' })
  const kept = ids.includes(id) ? readRun(join(root, id)) : undefined
  if (!kept)
    throw new Problem(`there is no run ${id}`, { kind: 'usage', hint: didYouMean(id, ids) ?? 'tsspray runs lists those that are kept' })
  if (given.report !== undefined) {
    // without lines of files: which texts were secret is not kept, and the files may be others by now
    writeReport(resolve(terminal.cwd, given.report), renderReport(eventsToReport(eventsOf(join(root, id)))))
    terminal.err(`the report is in ${given.report}\n`)
    if (given.output === undefined) return 0
  }
  const name = given.output === undefined ? 'default' : given.output === 'jsonl' ? 'events' : given.output
  const make = own(REPORTERS, name)
  if (!make)
    throw new Problem(`there is no output '${given.output}'`, {
      kind: 'usage',
      hint: didYouMean(name, Object.keys(REPORTERS)) ?? `known are ${Object.keys(REPORTERS).join(', ')}`,
    })
  const screen = screenOf(terminal)
  const reporter = make({
    ...reportOptions(settings, { ...noOptions(playbookOptions), ...given, playbooks: kept.playbooks }, { ...screen, live: undefined }),
    writeFile: undefined,
  })
  if (name === 'default')
    terminal.out(`run ${id} of ${new Date(kept.started).toISOString()}: ${stateOf(kept)}; tsspray ${kept.argv.join(' ')}\n`)
  for (const event of eventsOf(join(root, id))) reporter.on(event)
  return 0
}
