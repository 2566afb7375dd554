/** community.general's tests: types of values, names of hosts. */
import type { Value } from '../../base/index.ts'
import { ansibleType } from '../filters/kinds.ts'
import { filterError, isInteger, repr, str, toList, typeName } from '../python/index.ts'
import { type TestTable, test } from './define.ts'

const LONGEST_NAME = 253

export const COMMUNITY_TESTS: TestTable = {
  ansible_type: test('ansible_type', ['dtype', ['alias', null]], (value, [type, alias]) => {
    if (typeof type !== 'string' && !Array.isArray(type))
      throw filterError(`The argument dtype must be a string or a list. dtype is ${repr(type)} of type ${classOf(type)}.`)
    return (typeof type === 'string' ? [type] : toList(type).map(str)).includes(ansibleType(value, alias))
  }),
  fqdn_valid: test(
    'fqdn_valid',
    [
      ['min_labels', 1],
      ['allow_underscores', false],
    ],
    (value, [labels, underscores]) => {
      if (typeof value !== 'string') throw wrong('name', 'a string', value)
      if (!isInteger(labels)) throw wrong('min_labels', 'an integer', labels)
      if (typeof underscores !== 'boolean') throw wrong('allow_underscores', 'a boolean', underscores)
      return isName(value, Number(labels), underscores)
    },
  ),
}

const classOf = (value: Value): string => `<class '${typeName(value)}'>`

const wrong = (name: string, wanted: string, value: Value): Error =>
  filterError(`The ${name} parameter must be ${wanted}, got ${repr(value)} of type ${classOf(value)}`)

function isName(text: string, least: number, underscores: boolean): boolean {
  const name = text.replace(/\.$/, '')
  const label = underscores ? /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/ : /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
  const labels = name.split('.')
  return name.length <= LONGEST_NAME && labels.length >= least && labels.every((one) => label.test(one))
}
