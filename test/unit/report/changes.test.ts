import { expect, test } from 'vitest'
import type { Event, Result, Status } from '../../../src/events/index.ts'
import { ChangeSummary } from '../../../src/report/index.ts'

function told(events: readonly Event[], rows = 40): string[] {
  const chunks: string[] = []
  const summary = new ChangeSummary({
    output: { out: (text) => void chunks.push(text), err: () => {} },
    ...{ colour: false, verbosity: 0, columns: 40, displaySkipped: true, displayOk: true, checkMarkers: false, showCustomStats: false },
    ...{ failedToStderr: false, taskPathOnFailure: false, showPerHostStart: false, resultFormat: 'json', prettyResults: undefined },
    ...{ deprecationWarnings: true, rows },
  })
  for (const event of events) summary.on(event)
  return chunks.join('').trim().split('\n')
}

const start = (hosts: string[], check = true): Event[] => [
  { kind: 'run-start', at: 1, playbooks: ['p.yml'], check, diff: true, version: '1' },
  { kind: 'play-start', at: 1, id: 'p', name: 'p', hosts, check, strategy: 'linear' },
]
const end: Event = { kind: 'run-end', at: 2, code: 0, interrupted: false }
const result = (name: string, host: string, status: Status, more: Result = {}): Event => ({
  ...{ kind: 'result', at: 1, task: { id: `${name}.1`, name, action: 'copy', isHandler: false }, host, status, result: more },
  ...{ ignored: false, looped: false, seconds: 0 },
})

test('tasks with their hosts and lines, hosts by how much changes, and the whole', () => {
  const diff = { before: 'a\nb\n', after: 'a\nc\nd\n' }
  const lines = told([
    ...start(['h1', 'h2', 'h3']),
    ...['h1', 'h2', 'h3'].map((host) => result('everywhere', host, 'changed', { diff })),
    result('once', 'h2', 'changed'),
    result('nowhere', 'h1', 'ok'),
    result('a condition', 'h1', 'skipped', { skip_reason: 'Conditional result was False' }),
    result('not in check mode', 'h1', 'skipped', { msg: 'skipped' }),
    end,
  ])
  expect(lines).toEqual([
    'WOULD CHANGE **************************',
    'everywhere: all 3 hosts +6 -3',
    'once: h2',
    '',
    '2 changes: h2',
    '1 change: h1, h3',
    '2 tasks would change something on 3 of 3 hosts; not known: 1 task that cannot be checked',
  ])
})

test('a run that changes nothing says so, and who failed', () => {
  const lines = told([...start(['h1', 'h2'], false), result('x', 'h1', 'failed'), end])
  expect(lines).toEqual(['CHANGED *******************************', 'nothing changed on 2 hosts; not known to the end: 1 host failed'])
})

test('hundreds of changes fit on a screen', () => {
  const hosts = Array.from({ length: 200 }, (_, n) => `h${n}`)
  const many = Array.from({ length: 300 }, (_, n) => result(`task ${n}`, hosts[n % 200]!, 'changed'))
  expect(told([...start(hosts), ...many, end], 24).length).toBeLessThanOrEqual(22)
})
