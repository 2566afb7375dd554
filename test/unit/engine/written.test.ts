/** A text that a module wants evaluated is refused where a host had a say in it. */
import { expect, test } from 'vitest'
import { type Raw, Template } from '../../../src/base/index.ts'
import { isFromHost } from '../../../src/engine/written.ts'
import type { Task } from '../../../src/playbook/index.ts'
import { type Layer, LayeredScope, mapLayer } from '../../../src/vars/index.ts'
import { Memo } from '../../../src/vars/memo.ts'
import { stage } from '../template/harness.ts'

const said = 'lookup("pipe", "id")'
const t = (text: string): Template => new Template(text)

const CASES: readonly [story: string, args: Template | Map<string, Raw>, text: string, refused: boolean][] = [
  ['what a host said', new Map([['that', t('{{ said }}')]]), said, true],
  ['one of several', new Map<string, Raw>([['that', ['1 == 1', t('{{ said }}')]]]), said, true],
  ['and its neighbour', new Map<string, Raw>([['that', ['1 == 1', t('{{ said }}')]]]), '1 == 1', false],
  ['what we wrote', new Map<string, Raw>([['that', 'said']]), 'said', false],
  ['a variable of ours', new Map([['that', t('{{ ours }}')]]), '2 == 2', false],
  ['arguments in one template', t("{{ {'that': said} }}"), said, true],
]

const told = new Map([['said', said]])
const ours = new Map([['ours', '2 == 2']])
const { templar } = stage({})
const scopeOf = (...layers: Layer[]): LayeredScope =>
  new LayeredScope({ layers, own: new Set(), shared: new Memo(), merge: false, templar })

test.each(CASES)('%s', (_story, args, text, refused) => {
  const scope = scopeOf(mapLayer(told, true), mapLayer(ours))
  expect(isFromHost(text, { action: { args } } as unknown as Task, scope, templar)).toBe(refused)
})

const LOOPS: readonly [how: string, value: Raw, refused: boolean][] = [
  ['items', ['2'], false],
  ['ansible.builtin.list', [['2']], false],
  ['items', [t('{{ said }}')], true],
  ['lines', ['echo 2'], true],
  ['loop', ['2'], true],
]

test.each(LOOPS)('an item of with_%s: %j', (how, value, refused) => {
  const scope = scopeOf(mapLayer(new Map([['item', '2']]), true), mapLayer(told, true))
  const loop = { with: how, value, control: {} }
  const task = { action: { args: new Map([['that', t('{{ item }} == 2')]]) }, loop } as unknown as Task
  expect(isFromHost('2 == 2', task, scope, templar)).toBe(refused)
})
