/** A text that a module wants evaluated is refused where a host had a say in it. */
import { expect, test } from 'vitest'
import { type Raw, Template } from '../../../src/base/index.ts'
import { isFromHost } from '../../../src/engine/written.ts'
import type { Task } from '../../../src/playbook/index.ts'
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

test.each(CASES)('%s', (_story, args, text, refused) => {
  const { templar, scope } = stage({ vars: { said, ours: '2 == 2' }, told: ['said'] })
  expect(isFromHost(text, { action: { args } } as unknown as Task, scope, templar)).toBe(refused)
})
