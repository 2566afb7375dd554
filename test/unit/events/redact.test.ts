import { describe, expect, it } from 'vitest'
import { Float } from '../../../src/base/index.ts'
import { type Event, MASK, Secrets } from '../../../src/events/index.ts'

const result = (result: Record<string, unknown>): Event =>
  ({
    kind: 'result',
    at: 0,
    task: { id: '1', name: 't', action: 'command', isHandler: false },
    host: 'h',
    status: 'ok',
    result,
    ignored: false,
    looped: false,
    seconds: 0,
  }) as unknown as Event

describe('secrets', () => {
  const cases: readonly [string, readonly string[], string, string][] = [
    ['a word', ['hunter2'], 'login hunter2 ok', `login ${MASK} ok`],
    ['inside a word', ['hunter2'], 'xhunter2x', `x${MASK}x`],
    ['signs of regular expressions', ['a.b*c['], 'say a.b*c[ now', `say ${MASK} now`],
    ['the longer of two first', ['pass', 'password1'], 'password1', MASK],
    ['lines of a longer secret', ['line-one\nline-two'], 'got line-two', `got ${MASK}`],
    ['short ones stay', ['abc'], 'abc', 'abc'],
    ['nothing to hide', [], 'plain', 'plain'],
  ]
  it.each(cases)('%s', (_name, secrets, text, masked) => {
    const all = new Secrets()
    for (const secret of secrets) all.add(secret)
    expect(all.mask(text)).toBe(masked)
  })

  it('masks keys, values and lists of events, and leaves numbers alone', () => {
    const all = new Secrets()
    all.add('hunter2')
    const event = all.maskEvent(result({ stdout: 'hunter2', list: ['x', 'hunter2'], hunter2: new Float(1), n: 3 }))
    expect(event).toMatchObject({ result: { stdout: MASK, list: ['x', MASK], [MASK]: new Float(1), n: 3 } })
  })

  it('leaves alone what makes an event what it is, whatever the secrets are', () => {
    const all = new Secrets()
    for (const secret of ['result', 'command', 'node1', 'failed']) all.add(secret)
    const event = { ...result({ msg: 'node1 failed' }), host: 'node1', status: 'failed' } as unknown as Event
    const { kind, host, status, task } = all.maskEvent(event) as Event & { kind: 'result' }
    expect([kind, host, status, task.action]).toEqual(['result', 'node1', 'failed', 'command'])
    expect(all.maskEvent(event)).toMatchObject({ result: { msg: `${MASK} ${MASK}` } })
  })

  it('lets a debug task show what was sealed, never a password, and neither in what is kept', () => {
    const all = new Secrets()
    all.addSealed('from-the-vault')
    all.add('hunter2')
    const event = result({ msg: 'from-the-vault hunter2', _ansible_verbose_always: true })
    expect(all.maskEvent(event)).toMatchObject({ result: { msg: `from-the-vault ${MASK}` } })
    expect(all.maskAll(event)).toMatchObject({ result: { msg: `${MASK} ${MASK}` } })
    expect(all.maskEvent(result({ stdout: 'from-the-vault' }))).toMatchObject({ result: { stdout: MASK } })
  })
})
