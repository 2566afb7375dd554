/** Failures and the recap → a page in Markdown, short enough for a pipeline's summary. */
import type { HostStats } from '../../events/index.ts'
import { type Failure, hostsText, placeWithin } from './failures.ts'

export interface Ended {
  readonly title: string
  readonly code: number
  readonly isCheck: boolean
  readonly hosts: Readonly<Record<string, HostStats>>
  readonly failures: readonly Failure[]
  /** files are named from here */
  readonly root: string
}

/** More rows or longer texts help nobody, and a summary may hold a megabyte. */
const [ROWS, FAILURES, LONGEST] = [100, 50, 4000]

const NUMBERS = ['ok', 'changed', 'unreachable', 'failures', 'skipped', 'rescued', 'ignored'] as const

export function summaryText({ title, code, isCheck, hosts, failures, root }: Ended): string {
  const rows = Object.entries(hosts).sort(([, a], [, b]) => weight(b) - weight(a))
  const row = (name: string, numbers: readonly number[]): string => `| ${cell(name)} | ${numbers.join(' | ')} |`
  const total = NUMBERS.map((key) => rows.reduce((sum, [, stats]) => sum + stats[key], 0))
  const lines = [
    `### ${cell(title)}: ${code === 0 ? 'succeeded' : `failed (exit code ${code})`}${isCheck ? ', check mode' : ''}`,
    '',
    '| host | ok | changed | unreachable | failed | skipped | rescued | ignored |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    row(`all ${rows.length}`, total),
    ...rows.slice(0, ROWS).map(([host, stats]) =>
      row(
        host,
        NUMBERS.map((key) => stats[key]),
      ),
    ),
    '',
  ]
  if (rows.length > ROWS) lines.push(`… and ${rows.length - ROWS} more hosts`, '')
  for (const failure of failures.slice(0, FAILURES)) lines.push(...failureLines(failure, root))
  if (failures.length > FAILURES) lines.push(`… and ${failures.length - FAILURES} more failures`, '')
  return `${lines.join('\n')}\n`
}

const weight = (stats: HostStats): number => (stats.failures + stats.unreachable) * 1_000_000 + stats.changed

function failureLines({ task, message, hosts, isUnreachable }: Failure, root: string): string[] {
  const place = placeWithin(task.place, root)
  const at = place ? `, ${cell(`${place.path}:${place.line}`)}` : ''
  const fence = '`'.repeat(Math.max(3, ...[...message.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const text = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message
  const what = isUnreachable ? 'unreachable' : 'failed'
  return [`**${cell(task.name)}** ${what} on ${cell(hostsText(hosts))}${at}`, '', fence, text, fence, '']
}

/** Text that is no Markdown and no HTML. */
const cell = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~]/g, (c) => (c === '<' ? '&lt;' : c === '>' ? '&gt;' : `\\${c}`)).replace(/\s+/g, ' ')
