/** ansible.netcommon's filters for switches: lists of VLANs ↔ their ranges, and the passwords of type 5. */
import type { Value } from '../../base/index.ts'
import { equals, filterError, PyError, repr, sortValues, str, typeName } from '../python/index.ts'
import { type FilterTable, filter, plain } from './define.ts'
import { below, SYSTEM_RANDOM } from './mersenne.ts'

const SALT_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./'
const SALT_LENGTH = 4
const LAST_VLAN = 4094

export const NETCOMMON: FilterTable = {
  comp_type5: filter('comp_type5', ['encrypted_password', ['return_original', false]], (value, [encrypted, original], context) => {
    const made = context.callFilter('password_hash', value, ['md5', saltOf(encrypted)])
    return made === encrypted && (original === true ? encrypted : true)
  }),
  hash_salt: plain('hash_salt', saltOf),
  type5_pw: filter('type5_pw', [['salt', null]], (value, [salt], context) => {
    if (typeof value !== 'string')
      throw filterError(`type5_pw password input should be a string, but was given a input of ${typeName(value)}`)
    if (salt !== null && typeof salt !== 'string')
      throw filterError(`type5_pw salt input should be a string, but was given a input of ${typeName(salt)}`)
    if (salt && ![...salt].every((char) => SALT_CHARACTERS.includes(char)))
      throw filterError(`type5_pw salt used inproper characters, must be one of ${SALT_CHARACTERS}`)
    const made = Array.from({ length: SALT_LENGTH }, () => SALT_CHARACTERS[below(SYSTEM_RANDOM, SALT_CHARACTERS.length)]!).join('')
    return context.callFilter('password_hash', value, ['md5', salt || made])
  }),
  vlan_expander: plain('vlan_expander', (value) => {
    const numbers = str(value)
      .split(',')
      .flatMap((part) => {
        const [first, last] = part.split('-').map(integer)
        return last === undefined ? [first!] : Array.from({ length: Math.max(0, last - first! + 1) }, (_, i) => first! + i)
      })
    return sortValues(numbers)
  }),
  vlan_parser: filter(
    'vlan_parser',
    [
      ['first_line_len', 48],
      ['other_line_len', 44],
    ],
    (value, [first, others]) => {
      if (!Array.isArray(value)) throw filterError('Input is not valid for vlan_parser')
      return inLines(ranges(value), Number(first), Number(others))
    },
  ),
}

function saltOf(value: Value): string {
  const parts = str(value).split('$')
  if (parts.length !== 4) throw filterError(`Could not parse salt out password correctly from ${str(value)}`)
  return parts[2]!
}

function integer(text: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new PyError('ValueError', `invalid literal for int() with base 10: ${repr(text)}`)
  return Number(text)
}

/** Three and more in a row as a range. */
function ranges(value: readonly Value[]): string[] {
  const sorted = sortValues(value.filter((item, i) => value.findIndex((other) => equals(other, item)) === i)).map(Number)
  if (sorted.length === 0) return []
  if (sorted[0]! < 1 || sorted.at(-1)! > LAST_VLAN) throw filterError(`Valid VLAN range is 1-${LAST_VLAN}`)
  const out: string[] = []
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (sorted[end + 1] === sorted[end]! + 1) end++
    if (end - start > 1) out.push(`${sorted[start]}-${sorted[end]}`)
    else out.push(...sorted.slice(start, end + 1).map(String))
    start = end + 1
  }
  return out
}

function inLines(parts: readonly string[], first: number, others: number): string[] {
  const lines: string[] = ['']
  for (const part of parts) {
    const room = lines.length === 1 ? first : others
    if (lines.at(-1)!.length + part.length > room) lines.push('')
    lines[lines.length - 1] += `${part},`
  }
  const whole = lines.map((line) => line.replace(/,+$/, ''))
  const empty = whole.indexOf('')
  return empty === -1 ? whole : whole.filter((_, i) => i !== empty)
}
