import { describe, expect, it, test } from 'vitest'
import type { Event, Status } from '../../../src/events/index.ts'
import { Heartbeat, QuietSkips, REPORTERS, type ReportOptions } from '../../../src/report/index.ts'

const ref = (id: string) => ({ id, name: `task ${id}`, action: 'command', isHandler: false })
const start = (id: string): Event => ({ kind: 'task-start', at: 1, task: ref(id) })
const result = (id: string, host: string, status: Status): Event => ({
  ...{ kind: 'result', at: 1, task: ref(id), host, status, result: {}, ignored: false, looped: false, seconds: 0 },
})
const play: Event = { kind: 'play-start', at: 1, id: 'p', name: 'p', hosts: ['h1', 'h2'], check: false, strategy: 'linear' }

function told(events: readonly Event[]): string[] {
  const chunks: string[] = []
  const options: ReportOptions = {
    output: { out: (text) => void chunks.push(text), err: () => {} },
    ...{ colour: false, verbosity: 0, columns: 20, displaySkipped: true, displayOk: true, checkMarkers: false, showCustomStats: false },
    ...{ failedToStderr: false, taskPathOnFailure: false, showPerHostStart: false, resultFormat: 'json', prettyResults: undefined },
    deprecationWarnings: true,
  }
  const reporter = new QuietSkips(REPORTERS['default']!(options), options)
  for (const event of events) reporter.on(event)
  const lines = chunks.join('').split('\n')
  return lines.map((line) => line.replace(/ \*+$/, '')).filter((line) => line !== '')
}

const skippedBy = (id: string): Event[] => [start(id), result(id, 'h1', 'skipped'), result(id, 'h2', 'skipped')]

describe('--quiet-skips', () => {
  it('makes one line of what follows each other', () => {
    const many = Array.from({ length: 300 }, (_, n) => skippedBy(`${n}`)).flat()
    expect(
      told([play, ...many, start('x'), result('x', 'h1', 'ok'), ...skippedBy('y'), { kind: 'stats', at: 1, hosts: {}, custom: {} }]),
    ).toEqual([...['PLAY [p]', 'skipping: 300 tasks', 'TASK [task x]', 'ok: [h1]', 'skipping: 1 task', 'PLAY RECAP']])
  })

  it('shows a task that only some hosts skip, without those', () => {
    expect(told([play, start('x'), result('x', 'h1', 'skipped'), result('x', 'h2', 'changed')])).toEqual([
      ...['PLAY [p]', 'TASK [task x]', 'changed: [h2]'],
    ])
  })
})

/** A heartbeat whose clock and ticks the test moves. */
function heart() {
  const state = { out: '', err: '', now: 0, tick: () => {} }
  const beat = new Heartbeat({
    output: {
      out: (text) => {
        state.out += text
      },
      err: (text) => {
        state.err += text
      },
    },
    ...{ columns: () => 80, now: () => state.now, silence: 10_000 },
    every: (_ms, work) => {
      state.tick = work
      return () => {
        state.tick = () => {}
      }
    },
  })
  beat.on({ kind: 'run-start', at: 0, playbooks: [], check: false, diff: false, version: '1' })
  beat.on(start('x'))
  beat.on({ kind: 'host-start', at: 0, task: 'x', host: 'h1' })
  return { state, beat }
}

const waited = (state: { now: number; tick: () => void }, now: number): void => {
  state.now = now
  state.tick()
}

describe('--heartbeat', () => {
  test('a line after each silence, on standard error', () => {
    const { state } = heart()
    waited(state, 9000)
    expect(state.err).toBe('')
    for (const now of [10_000, 15_000, 70_000]) waited(state, now)
    expect([state.out, state.err]).toEqual(['', '… task x: h1 10s\n… task x: h1 1m10s\n'])
  })

  test('output is no silence, and a question is none either', async () => {
    const { state, beat } = heart()
    state.now = 9000
    beat.out('text\n')
    waited(state, 18_000)
    await beat.pausing(async () => waited(state, 60_000))
    waited(state, 65_000)
    expect(state.err).toBe('')
    beat.on({ kind: 'run-end', at: 1, code: 0, interrupted: false })
    waited(state, 600_000)
    expect(state.err).toBe('')
  })
})
