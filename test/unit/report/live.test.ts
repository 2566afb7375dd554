import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/events/index.ts'
import { LiveLine } from '../../../src/report/index.ts'

const CLEAR = '\r\u001b[2K'

/** A live line whose clock and ticks the test moves. */
function line(columns = 80) {
  const state = { written: '', now: 0, tick: () => {} }
  const live = new LiveLine({
    output: { out: (text) => (state.written += text), err: (text) => (state.written += text) },
    columns: () => columns,
    now: () => state.now,
    every: (_ms, work) => {
      state.tick = work
      return () => {
        state.tick = () => {}
      }
    },
  })
  const task = { id: '1', name: 'etcd : Start', action: 'command', isHandler: false }
  const at = (event: Record<string, unknown>) => live.on({ at: state.now, ...event } as unknown as Event)
  at({ kind: 'run-start' })
  at({ kind: 'task-start', task })
  return { live, state, at, task }
}

describe('the live line', () => {
  it('names the hosts that are busy for longer than a moment, and for how long', () => {
    const { state, at, task } = line()
    at({ kind: 'host-start', task: '1', host: 'node1' })
    at({ kind: 'host-start', task: '1', host: 'node2' })
    state.tick()
    expect(state.written).toBe('')
    state.now = 65_000
    state.tick()
    expect(state.written).toBe('… etcd : Start: node1 1m05s, node2 1m05s')
    at({ kind: 'result', task, host: 'node1' })
    state.tick()
    expect(state.written.endsWith(`${CLEAR}… etcd : Start: node2 1m05s`)).toBe(true)
  })

  it('goes before other output, and from a terminal of 20 columns nothing hangs over', () => {
    const { live, state, at } = line(20)
    at({ kind: 'host-start', task: '1', host: 'node1' })
    state.now = 2000
    state.tick()
    expect(state.written).toBe('… etcd : Start: no…')
    live.out('ok: [node2]\n')
    expect(state.written.endsWith(`${CLEAR}ok: [node2]\n`)).toBe(true)
  })

  it('stays away while a person is asked and after the end', async () => {
    const { live, state, at } = line()
    at({ kind: 'host-start', task: '1', host: 'node1' })
    state.now = 2000
    await live.pausing(async () => {
      state.tick()
      expect(state.written).toBe('')
    })
    state.tick()
    at({ kind: 'run-end', code: 0, interrupted: false })
    const before = state.written
    expect(before.endsWith(CLEAR)).toBe(true)
    state.tick()
    expect(state.written).toBe(before)
  })
})
