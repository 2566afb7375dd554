/** Tables under names from outside: names that every object knows are names like any other. */
import { expect, it } from 'vitest'
import { fromJson, own, record, toJson } from '../../../src/base/index.ts'

const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__']

it.each(NAMES)('%s is kept and is there only when it was put there', (name) => {
  const table = record<number>()
  expect(own(table, name)).toBeUndefined()
  expect(name in table).toBe(false)
  table[name] = 1
  expect(own({ ...table }, name)).toBe(1)
  expect(Object.keys(JSON.parse(JSON.stringify(table)))).toEqual([name])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

it.each(NAMES)('%s survives the way to JSON and back', (name) => {
  const value = fromJson(JSON.parse(`{"${name}": {"polluted": 1}}`))
  expect(value).toEqual(new Map([[name, new Map([['polluted', 1]])]]))
  expect(JSON.stringify(toJson(value))).toBe(`{"${name}":{"polluted":1}}`)
})
