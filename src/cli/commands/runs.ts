/** `tsspray runs`: lists the runs that are kept, the latest first. */
import { join } from 'node:path'
import { type RunFile, readRun, runIds, stateOf } from '../../journal/index.ts'
import { type OptionTable, parseArgs } from '../options.ts'
import { runsFolder } from '../resume.ts'
import { readSettings } from '../session.ts'
import { common } from '../tables.ts'
import type { Terminal } from '../terminal.ts'

const options = {
  json: { kind: 'flag', names: ['--json'], about: 'as JSON' },
  ...common,
} as const satisfies OptionTable

export const usage = {
  name: 'tsspray runs',
  about: 'Lists the runs that are kept, the latest first; those in whose lines the words occur.',
  args: '[words...]',
  options,
}

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { args: words, options: given } = parseArgs(usage, argv, terminal)
  const root = runsFolder(readSettings(terminal), terminal)
  const runs = runIds(root)
    .flatMap((id) => readRun(join(root, id)) ?? [])
    .filter((run) => words.every((word) => asRow(run).join(' ').includes(word)))
  if (given.json) terminal.out(`${JSON.stringify(runs.map(asJson), null, 2)}\n`)
  else if (runs.length === 0) terminal.out(`no runs are kept in ${root}\n`)
  else for (const line of aligned(runs.map(asRow))) terminal.out(`${line}\n`)
  return 0
}

/** The recap's numbers of all hosts together. */
function totals({ end }: RunFile): Readonly<Record<string, number>> {
  const hosts = Object.values(end?.hosts ?? {})
  const sum = (count: (host: (typeof hosts)[number]) => number): number => hosts.reduce((all, host) => all + count(host), 0)
  return {
    ok: sum((h) => h.ok),
    changed: sum((h) => h.changed),
    unreachable: sum((h) => h.unreachable),
    failed: sum((h) => h.failures),
    skipped: sum((h) => h.skipped),
  }
}

const asJson = (run: RunFile): object => ({
  id: run.id,
  started: new Date(run.started).toISOString(),
  resumed: run.resumed.map((at) => new Date(at).toISOString()),
  ended: run.end && new Date(run.end.at).toISOString(),
  state: stateOf(run),
  code: run.end?.code,
  playbooks: run.playbooks,
  folder: run.cwd,
  command: run.argv,
  totals: totals(run),
  hosts: run.end?.hosts ?? {},
})

function asRow(run: RunFile): string[] {
  const told = Object.entries(totals(run)).filter(([, count]) => count > 0)
  const again = run.resumed.length > 0 ? ` (resumed ${run.resumed.length}×)` : ''
  const names = run.playbooks.map((path) => (path.startsWith(`${run.cwd}/`) ? path.slice(run.cwd.length + 1) : path))
  return [run.id, stateOf(run) + again, names.join(' '), told.map(([name, count]) => `${name}=${count}`).join(' ')]
}

function aligned(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
