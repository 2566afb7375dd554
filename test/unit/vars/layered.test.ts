import { describe, expect, it } from 'vitest'
import { asWritten, Problem, type Raw } from '../../../src/base/index.ts'
import { createTemplar } from '../../../src/template/index.ts'
import { type Layer, LayeredScope, mapLayer } from '../../../src/vars/index.ts'
import { Memo } from '../../../src/vars/memo.ts'

const templar = createTemplar({ native: false, extensions: [] })

const layer = (vars: Record<string, Raw>, fromHost = false): Layer =>
  mapLayer(new Map(Object.entries(vars).map(([k, v]) => [k, fromHost ? v : asWritten(v)])), fromHost)

const scope = (layers: readonly Layer[], more: { merge?: boolean; shared?: Memo; own?: readonly string[] } = {}): LayeredScope =>
  new LayeredScope({ layers, own: new Set(more.own ?? []), shared: more.shared ?? new Memo(), templar, merge: more.merge ?? false })

describe('layers of variables', () => {
  const cases: readonly [string, readonly Layer[], unknown][] = [
    ['the strongest layer wins', [layer({ x: 1 }), layer({ x: 2 })], 1],
    ['a weaker one counts where the stronger is silent', [layer({ y: 1 }), layer({ x: 2 })], 2],
    ['null is a value', [layer({ x: null }), layer({ x: 2 })], null],
    ['templates are rendered late, with the strongest names', [layer({ y: 'new' }), layer({ x: '{{ y }}!', y: 'old' })], 'new!'],
    ['a single expression keeps its type', [layer({ x: '{{ y }}', y: [1] })], [1]],
    ['down a chain, where Ansible makes it text', [layer({ x: '{{ a }}', a: '{{ b }}', b: '{{ c }}', c: 3 })], '3'],
    ['what a host told is never a template', [layer({ x: '{{ y }}', y: 1 }, true)], '{{ y }}'],
  ]
  it.each(cases)('%s', (_name, layers, value) => {
    expect(scope(layers).get('x')).toEqual(value)
  })

  it('says undefined of a name that nobody has', () => {
    expect(scope([layer({})]).get('x')).toBeUndefined()
    expect(scope([layer({})]).has('x')).toBe(false)
  })

  it('names the way of a variable that leads back to itself', () => {
    expect(() => scope([layer({ x: '{{ y }}', y: '{{ x }}' })]).get('x')).toThrow(/x → y → x/)
  })

  it('throws a problem of kind undefined for a variable that leads nowhere', () => {
    const broken = () => scope([layer({ x: '{{ nowhere }}' })]).get('x')
    expect(broken).toThrow(Problem)
    try {
      broken()
    } catch (error) {
      expect((error as Problem).kind).toBe('undefined')
    }
  })

  it('replaces dicts, or merges them when asked to', () => {
    const layers = [
      layer({ x: new Map([['a', 1]]) }),
      layer({
        x: new Map([
          ['a', 0],
          ['b', 2],
        ]),
      }),
    ]
    expect(scope(layers).get('x')).toEqual(new Map([['a', 1]]))
    expect(scope(layers, { merge: true }).get('x')).toEqual(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    )
  })

  it('remembers that host data went in, also a way off', () => {
    const s = scope([layer({ told: 'x' }, true), layer({ made: '{{ told }}', other: 'y' })])
    expect([s.get('made'), s.fromHost('made'), s.get('other'), s.fromHost('other')]).toEqual(['x', true, 'y', false])
  })

  it('shares what it remembers but for what the task’s own names went into', () => {
    const shared = new Memo()
    const base = layer({ greeting: 'hello {{ item | default("all") }}', name: '{{ plain }}', plain: 'p' })
    expect(scope([base], { shared }).get('greeting')).toBe('hello all')
    const one = scope([layer({ item: 'one' }), base], { shared, own: ['item'] })
    expect(one.get('greeting')).toBe('hello one')
    expect(one.get('name')).toBe('p')
    expect(scope([base], { shared }).get('greeting')).toBe('hello all')
    expect([...shared.get('name')!.names].sort()).toEqual(['name', 'plain'])
  })

  it('forgets just what depends on a name that changed', () => {
    const shared = new Memo()
    const set = new Map<string, Raw>([['v', 1]])
    const layers = [mapLayer(set), layer({ a: '{{ v }}', b: '{{ a }}', c: 'still' })]
    const s = scope(layers, { shared })
    expect([s.get('b'), s.get('c')]).toEqual(['1', 'still'])
    set.set('v', 2)
    shared.forget(['v'])
    expect(shared.get('c')).toBeDefined()
    expect(scope(layers, { shared }).get('b')).toBe('2')
  })

  it('does not remember what changes by itself', () => {
    const shared = new Memo()
    const s = scope([layer({ r: '{{ 1000000000 | random }}', later: '{{ r }}' })], { shared })
    s.get('later')
    expect([shared.get('r'), shared.get('later')]).toEqual([undefined, undefined])
  })
})
