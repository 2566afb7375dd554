import { describe, expect, test } from 'vitest'
import { Float } from '../../../src/base/index.ts'
import { resolvePlain } from '../../../src/documents/index.ts'

/** What PyYAML's safe loader makes of unquoted texts. */
const CASES: readonly (readonly [string, unknown])[] = [
  ['no', false],
  ['Off', false],
  ['YES', true],
  ['yEs', 'yEs'],
  ['y', 'y'],
  ['N', 'N'],
  ['~', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['', null],
  ['0', 0],
  ['-0', 0],
  ['+5', 5],
  ['010', 8],
  ['-010', -8],
  ['0o10', '0o10'],
  ['08', '08'],
  ['0644', 420],
  ['0_7', 7],
  ['0x1F', 31],
  ['-0x1f', -31],
  ['0xg', '0xg'],
  ['0b101', 5],
  ['0b_', '0b_'],
  ['1_000', 1000],
  ['_1', '_1'],
  ['1:30', 90],
  ['-1:30', -90],
  ['12:30:45', 45045],
  ['1:60', '1:60'],
  ['0:30', '0:30'],
  ['1:30.5', new Float(90.5)],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['1e3', '1e3'],
  ['1.0e3', '1.0e3'],
  ['1.0e+3', new Float(1000)],
  ['1.', new Float(1)],
  ['.5', new Float(0.5)],
  ['-.5', '-.5'],
  ['1_0.5', new Float(10.5)],
  ['1.20', new Float(1.2)],
  ['.inf', new Float(Infinity)],
  ['-.INF', new Float(-Infinity)],
  ['.nan', new Float(Number.NaN)],
  ['inf', 'inf'],
  ['1.2.3', '1.2.3'],
  ['.', '.'],
  ['-', '-'],
  ['+', '+'],
  ['2024-01-02', '2024-01-02'],
  ['=', '='],
]

describe('an unquoted text', () => {
  test.each(CASES)('%s', (text, value) => {
    expect(resolvePlain(text)).toEqual(value)
  })
})
