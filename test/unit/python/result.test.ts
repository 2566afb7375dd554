import { describe, expect, test } from 'vitest'
import { packageOf } from '../../../src/python/bundle.ts'
import { readResult } from '../../../src/python/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const printed = (stdout: string, stderr = '', code = 0) => readResult({ stdout: bytes(stdout), stderr: bytes(stderr), code })

describe('what a module prints', () => {
  test('its result is found in what stands before it', () => {
    expect(printed('a line\n[ no list]\n{"changed": false, "msg": "good"}\n')).toEqual({ changed: false, msg: 'good' })
  })
  test('what stands behind it is told', () => {
    expect(printed('{"changed": false}\nmore\n')).toEqual({
      changed: false,
      warnings: ['Module invocation had junk after the JSON data: more'],
    })
  })
  test('no result is a failure that shows all', () => {
    expect(printed('oops', 'Traceback (most recent call last)\nE', 1)).toMatchObject({ failed: true, rc: 1, module_stdout: 'oops' })
  })
})

test.each([
  ['/x/library/mine.py', 'ansible.modules'],
  ['/x/ansible_collections/ns/col/plugins/modules/mine.py', 'ansible_collections.ns.col.plugins.modules'],
  ['/x/ansible_collections/ns/col/plugins/modules/deep/mine.py', 'ansible_collections.ns.col.plugins.modules.deep'],
])('the package of %s', (file, name) => {
  expect(packageOf(file)).toBe(name)
})
