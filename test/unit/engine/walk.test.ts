import { describe, expect, it } from 'vitest'
import { flatten, HostWalk } from '../../../src/engine/walk.ts'
import type { Block, Keywords, Step, Task } from '../../../src/playbook/index.ts'

/** What each task answers when it is its turn. */
type Answers = Readonly<Record<string, 'fail' | 'flush' | 'end-role' | readonly Block[]>>

const keywords = { tags: [], when: [], notify: [], environment: [], moduleDefaults: [], collections: [] } as unknown as Keywords
const span = { source: { name: 'test.yml', text: '' }, start: 0, end: 0 }
let ids = 0

const task = (name: string, verb?: string): Task =>
  ({
    kind: 'task',
    id: ++ids,
    name,
    span,
    keywords,
    action: { name: 'x', resolved: verb ? 'ansible.builtin.meta' : 'x', span, args: new Map(verb ? [['_raw_params', verb]] : []) },
    implicit: verb !== undefined,
  }) as unknown as Task

const steps = (list: readonly (string | Step)[]): Step[] => list.map((s) => (typeof s === 'string' ? task(s) : s))

const block = (
  main: readonly (string | Step)[],
  rescue: readonly (string | Step)[] = [],
  always: readonly (string | Step)[] = [],
): Block => ({
  kind: 'block',
  name: undefined,
  span,
  keywords,
  block: steps(main),
  rescue: steps(rescue),
  always: steps(always),
  role: undefined,
})

interface Run {
  readonly done: readonly string[]
  readonly failed: boolean
}

/** Walks to the end and names what was done. */
function walk(blocks: readonly Block[], answers: Answers = {}, handlers: readonly Task[] = []): Run {
  const notified = new Set(handlers)
  const host = new HostWalk('h', {
    setup: () => undefined,
    steps: blocks,
    handlers: () => handlers,
    isNotified: (h) => notified.delete(h),
    anyNotified: () => notified.size > 0,
  })
  const done: string[] = []
  for (let next = host.peek(); next; next = host.peek()) {
    const name = String(next.name)
    done.push(name)
    const answer = answers[name]
    if (answer === 'fail') host.finish({ failed: true })
    else if (answer === 'flush') host.finish({ failed: false, flush: true })
    else if (answer === 'end-role') host.finish({ failed: false, endRole: true })
    else host.finish({ failed: false, inserted: answer })
  }
  return { done, failed: host.failed }
}

const cases: readonly [string, readonly Block[], Answers, readonly string[], boolean][] = [
  ['tasks in order', [block(['a', 'b']), block(['c'])], {}, ['a', 'b', 'c'], false],
  ['a failure ends the host', [block(['a', 'b'])], { a: 'fail' }, ['a'], true],
  ['rescue catches', [block(['a', 'b'], ['r']), block(['c'])], { a: 'fail' }, ['a', 'r', 'c'], false],
  ['rescue that fails', [block(['a'], ['r', 's']), block(['c'])], { a: 'fail', r: 'fail' }, ['a', 'r'], true],
  ['always after all went well', [block(['a'], [], ['z']), block(['c'])], {}, ['a', 'z', 'c'], false],
  ['always after a failure', [block(['a', 'b'], [], ['z']), block(['c'])], { a: 'fail' }, ['a', 'z'], true],
  ['always after rescue', [block(['a'], ['r'], ['z']), block(['c'])], { a: 'fail' }, ['a', 'r', 'z', 'c'], false],
  ['always after a failed rescue', [block(['a'], ['r'], ['z']), block(['c'])], { a: 'fail', r: 'fail' }, ['a', 'r', 'z'], true],
  ['a failure in always', [block(['a'], ['r'], ['z', 'y']), block(['c'])], { z: 'fail' }, ['a', 'z'], true],
  ['an inner failure reaches the outer rescue', [block([block(['a', 'b']), 'c'], ['r'])], { a: 'fail' }, ['a', 'r'], false],
  ['an inner rescue keeps it from the outer', [block([block(['a'], ['i']), 'c'], ['r'])], { a: 'fail' }, ['a', 'i', 'c'], false],
  ['an inner always runs before the outer rescue', [block([block(['a'], [], ['z']), 'c'], ['r'])], { a: 'fail' }, ['a', 'z', 'r'], false],
  ['included blocks come next', [block(['a', 'b'])], { a: [block(['i', 'j'])] }, ['a', 'i', 'j', 'b'], false],
  [
    'an included failure reaches the rescue around it',
    [block(['a', 'b'], ['r'])],
    { a: [block(['i', 'j'])], i: 'fail' },
    ['a', 'i', 'r'],
    false,
  ],
  ['includes in includes', [block(['a', 'b'])], { a: [block(['i'])], i: [block(['k'])] }, ['a', 'i', 'k', 'b'], false],
  ['a role is ended early', [block(['a', 'b', task('done', 'role_complete'), 'c'])], { a: 'end-role' }, ['a', 'done', 'c'], false],
]

describe('a walk', () => {
  it.each(cases)('%s', (_name, blocks, answers, done, failed) => {
    expect(walk(blocks, answers)).toEqual({ done, failed })
  })

  it('runs notified handlers at a flush and passes over the flush when nothing waits', () => {
    const flush = () => block([task('flush', 'flush_handlers'), 'b'])
    expect(walk([flush()], { flush: 'flush' }, [task('h1'), task('h2')]).done).toEqual(['flush', 'h1', 'h2', 'b'])
    expect(walk([flush()], { flush: 'flush' }).done).toEqual(['b'])
  })

  it('takes a failed handler as a failure where the flush stands', () => {
    const blocks = [block([task('flush', 'flush_handlers'), 'b'], ['r'])]
    expect(walk(blocks, { flush: 'flush', h1: 'fail' }, [task('h1')])).toEqual({ done: ['flush', 'h1', 'r'], failed: false })
  })

  it('fails from outside in the block it was in, and once more from where that led', () => {
    const make = () =>
      new HostWalk('h', {
        setup: () => undefined,
        steps: [block(['a', 'b'], ['r'], ['z'])],
        handlers: () => [],
        isNotified: () => false,
        anyNotified: () => false,
      })
    const once = make()
    once.peek()
    once.finish({ failed: false })
    once.fail()
    expect(once.peek()?.name).toBe('r')
    const twice = make()
    twice.peek()
    twice.finish({ failed: true })
    twice.fail()
    expect(twice.peek()?.name).toBe('z')
  })

  it('knows whether a rescue would catch', () => {
    const host = new HostWalk('h', {
      setup: () => undefined,
      steps: [block(['a'], ['r']), block(['c'])],
      handlers: () => [],
      isNotified: () => false,
      anyNotified: () => false,
    })
    host.peek()
    expect(host.rescuable).toBe(true)
    host.finish({ failed: true })
    host.peek()
    expect(host.rescuable).toBe(false)
    host.finish({ failed: false })
    host.peek()
    expect(host.rescuable).toBe(false)
  })

  it('flattens in the order things are written', () => {
    expect(flatten([block(['a', block(['b'], ['c'])], ['d'], ['e'])]).map((t) => t.name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})
