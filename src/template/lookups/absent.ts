/** Tells whether an error says that something is undefined. */
import { Problem } from '../../base/index.ts'
import { isPyError } from '../python/index.ts'

export const isAbsent = (error: unknown): boolean =>
  isPyError(error, 'UndefinedError') || (error instanceof Problem && error.kind === 'undefined')
