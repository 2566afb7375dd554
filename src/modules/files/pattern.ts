/** Compiles a user's regular expression, for texts or for bytes; mistakes become failures of the module. */
import { Problem } from '../../base/index.ts'
import { compileRegex, type PyRegex, type RegexOptions } from '../../template/index.ts'
import { ModuleFailure } from '../api.ts'
import { binaryText } from './edit.ts'

/** A pattern that searches in `binary` text. */
export function bytesPattern(pattern: string, options: RegexOptions = {}): PyRegex {
  return compiled(binaryText(pattern), { ...options, ascii: true })
}

/** A pattern that searches in text. */
export function textPattern(pattern: string, options: RegexOptions = {}): PyRegex {
  return compiled(pattern, options)
}

function compiled(pattern: string, options: RegexOptions): PyRegex {
  return failing(() => compileRegex(pattern, options), `invalid regular expression '${pattern}'`)
}

/** Runs work on patterns; a mistake in one is a failure with this beginning. */
export function failing<T>(work: () => T, message: string): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) throw new ModuleFailure(`${message}: ${error.message}`)
    throw error
  }
}
