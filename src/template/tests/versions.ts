/** The version test: compares versions by the rules of some scheme. */
import type { Value } from '../../base/index.ts'
import { filterError, isUndefined, repr, str, truth } from '../python/index.ts'
import type { TestFunction } from '../registry.ts'
import { test } from './define.ts'
import { compareLoose, comparePep440, compareSemantic, compareStrict, type VersionOrder } from './version-orders.ts'

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (o) => o === 0,
  '=': (o) => o === 0,
  eq: (o) => o === 0,
  '<': (o) => o < 0,
  lt: (o) => o < 0,
  '<=': (o) => o <= 0,
  le: (o) => o <= 0,
  '>': (o) => o > 0,
  gt: (o) => o > 0,
  '>=': (o) => o >= 0,
  ge: (o) => o >= 0,
  '!=': (o) => o !== 0,
  '<>': (o) => o !== 0,
  ne: (o) => o !== 0,
}

const SCHEMES: Readonly<Record<string, VersionOrder>> = {
  loose: compareLoose,
  strict: compareStrict,
  semver: compareSemantic,
  semantic: compareSemantic,
  pep440: comparePep440,
}

export const version: TestFunction = test(
  'version_compare',
  ['version', ['operator', 'eq'], ['strict', null], ['version_type', null]],
  (value, [other, operator, strict, type]) => {
    if (isUndefined(other)) other.raise()
    if (strict !== null && type !== null) throw filterError("Cannot specify both 'strict' and 'version_type'")
    if (!truth(value)) throw filterError('Input version value cannot be empty')
    if (!truth(other)) throw filterError('Version parameter to compare against cannot be empty')
    const compare = schemeOf(strict, type)
    const verdict = typeof operator === 'string' && Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    if (!verdict)
      throw filterError(`Invalid operator type (${str(operator)}). Must be one of ${Object.keys(OPERATORS).map(repr).join(', ')}`)
    try {
      return verdict(compare(str(value), str(other)))
    } catch (error) {
      throw filterError(`Version comparison failed: ${(error as Error).message}`, error)
    }
  },
)

function schemeOf(strict: Value, type: Value): VersionOrder {
  if (strict !== null && truth(strict)) return compareStrict
  if (type === null || !truth(type)) return compareLoose
  const scheme = typeof type === 'string' && Object.hasOwn(SCHEMES, type) ? SCHEMES[type] : undefined
  if (!scheme) throw filterError(`Invalid version type (${str(type)}). Must be one of ${Object.keys(SCHEMES).map(repr).join(', ')}`)
  return scheme
}
