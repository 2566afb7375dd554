import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Float, type Value } from '../../../src/base/index.ts'
import { FactStore } from '../../../src/vars/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'facts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const store = (options: { timeout?: number; warn?: (message: string) => void } = {}): FactStore =>
  new FactStore({ plugin: 'jsonfile', folder, prefix: '', timeout: 0, now: Date.now, warn: () => {}, ...options })

test('facts are written as Ansible writes them: sorted, in ASCII, readable by all', () => {
  const inner = new Map<Value, Value>([['b', [1, new Float(2)]]])
  store().add('h1', new Map<string, Value>([['z', 'é'], ['a', inner], ['n', 12345678901234567890n]])) // biome-ignore format: one line
  expect(readFileSync(join(folder, 'h1'), 'utf8')).toBe(
    '{\n    "a": {\n        "b": [\n            1,\n            2.0\n        ]\n    },\n    "n": 12345678901234567890,\n    "z": "\\u00e9"\n}',
  )
  expect(statSync(join(folder, 'h1')).mode & 0o777).toBe(0o644)
  expect(store().of('h1')).toEqual(new Map<string, Value>([['a', inner], ['n', 12345678901234567890n], ['z', 'é']])) // biome-ignore format: one line
})

test("Ansible's mark of texts that are never rendered is read", () => {
  writeFileSync(join(folder, 'h2'), '{"x": {"__ansible_unsafe": "{{ 1 }}"}, "y": [{"__ansible_unsafe": "b"}]}')
  expect(store().of('h2')).toEqual(new Map<string, Value>([['x', '{{ 1 }}'], ['y', ['b']]])) // biome-ignore format: one line
})

test('old facts and files that are no JSON count for nothing', () => {
  writeFileSync(join(folder, 'h3'), '{"x": 1}')
  utimesSync(join(folder, 'h3'), new Date(), new Date(Date.now() - 60_000))
  expect(store({ timeout: 30 }).of('h3').size).toBe(0)
  expect(store({ timeout: 90 }).of('h3').size).toBe(1)
  const warnings: string[] = []
  writeFileSync(join(folder, 'h4'), 'broken')
  expect(store({ warn: (message) => warnings.push(message) }).of('h4').size).toBe(0)
  expect(warnings.join()).toContain('h4 cannot be read')
})
