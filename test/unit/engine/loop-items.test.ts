/** Items of with_ loops are a host's words only where a host said them. */
import { expect, test } from 'vitest'
import { type Raw, Template } from '../../../src/base/index.ts'
import { loopItems } from '../../../src/engine/loop.ts'
import type { Task } from '../../../src/playbook/index.ts'
import type { LayeredScope } from '../../../src/vars/index.ts'
import { stage } from '../template/harness.ts'

const t = (text: string): Template => new Template(text)

const CASES: readonly [loop: string, value: Raw, items: readonly unknown[], fromHost: boolean][] = [
  ['items', ['a', 'b'], ['a', 'b'], false],
  ['items', [t('{{ ours }}')], ['2'], false],
  ['items', [t('{{ said }}')], ['x'], true],
  ['ansible.builtin.list', [['a']], [['a']], false],
  ['sequence', ['count=2'], ['1', '2'], false],
  ['vars', ['ours'], ['2'], true],
]

test.each(CASES)('with_%s of %j', (name, value, items, fromHost) => {
  const { templar, scope } = stage({ vars: { said: 'x', ours: '2' }, told: ['said'] })
  const span = { source: { name: 'p.yml', text: '' }, start: 0, end: 0 }
  const found = loopItems({ loop: { with: name, value, span } } as unknown as Task, scope as LayeredScope, templar)
  expect(found).toMatchObject({ values: items, fromHost })
})
