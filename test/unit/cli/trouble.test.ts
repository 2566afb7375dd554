import { expect, test } from 'vitest'
import { Problem } from '../../../src/base/index.ts'
import { tellError } from '../../../src/cli/trouble.ts'

const told = async (colour: boolean): Promise<string> => {
  let text = ''
  const source = { name: 'site.yml', text: 'a: 1\nb: {{\n' }
  const problem = new Problem('this is wrong', { kind: 'syntax', span: { source, start: 8, end: 10 }, hint: 'do it right' })
  const terminal = { err: (part: string) => { text += part }, colour, env: {} } // biome-ignore format: short
  await tellError(problem, terminal as never)
  return text
}

test('an error has its parts in colours', async () => {
  const [message, place, before, line, marker, , hint] = (await told(true)).split('\n')
  expect(message).toBe('\u001b[31mERROR! this is wrong\u001b[39m')
  expect(place).toBe('\u001b[2m  at site.yml:2:4\u001b[22m')
  expect(before).toContain('\u001b[2m')
  expect(line).toContain('\u001b[1m> 2 | b: {{')
  expect(marker).toContain('^^')
  expect(hint).toBe('\u001b[36m  hint: do it right\u001b[39m')
})

test('without colour it is plain text', async () => {
  const text = await told(false)
  expect(text).not.toContain('\u001b')
  expect(text).toMatch(/^ERROR! this is wrong\n {2}at site\.yml:2:4\n/)
})
