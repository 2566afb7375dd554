import { describe, expect, test } from 'vitest'
import { codePage } from '../../../src/base/index.ts'

const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex')

describe('code pages', () => {
  // as Python's str.encode() has them
  test.each([
    ['windows-1252', '€', '80'],
    ['cp1252', 'Ö', 'd6'],
    ['cp1251', 'Ж', 'c6'],
    ['koi8-r', 'Ж', 'f6'],
    ['KOI8_R', 'Ж', 'f6'],
    ['latin2', 'ł', 'b3'],
    ['latin5', 'ş', 'fe'],
    ['iso-8859-15', '€', 'a4'],
    ['latin9', '€', 'a4'],
    ['gbk', '你', 'c4e3'],
    ['shift_jis', 'あ', '82a0'],
    ['euc-kr', '가', 'b0a1'],
    ['cp866', 'Ж', '86'],
  ])('%s: %s', (name, char, bytes) => {
    const page = codePage(name)!
    expect(hex(page.bytesOf(char))).toBe(bytes)
    expect(page.textOf(Buffer.from(bytes, 'hex'))).toBe(char)
  })

  test('what an encoding does not have', () => {
    expect(codePage('windows-1252')!.bytesOf('Ж')).toBeUndefined()
    expect(() => codePage('windows-1252')!.textOf(Uint8Array.of(0x81))).toThrow()
    expect(() => codePage('gbk')!.textOf(Uint8Array.of(0x81))).toThrow()
  })

  test.each(['utf-8', 'ascii', 'latin1', 'idontexist'])('%s is none', (name) => expect(codePage(name)).toBeUndefined())
})
