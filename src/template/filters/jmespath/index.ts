/** json_query: asks a value by a JMESPath expression. */
import type { Value } from '../../../base/index.ts'
import { filterError, isPyError, isUndefined, str } from '../../python/index.ts'
import { filter } from '../define.ts'
import { evaluate } from './evaluate.ts'
import { parseJmesPath } from './parse.ts'

export const jsonQuery = filter('json_query', ['expr'], (value: Value, [expression]) => {
  if (isUndefined(value)) value.raise()
  if (isUndefined(expression)) expression.raise()
  if (expression === '') throw filterError('JMESPathError in json_query filter plugin:\nInvalid JMESPath expression: cannot be empty.')
  try {
    return evaluate(parseJmesPath(str(expression)), value)
  } catch (error) {
    if (isPyError(error, 'ValueError', 'TypeError'))
      throw filterError(`JMESPathError in json_query filter plugin:\n${error.message}`, error)
    throw error
  }
})
