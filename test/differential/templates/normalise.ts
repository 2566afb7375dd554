/** What is evened out before results are compared, each with its reason. */
import type { Recorded } from './engine.ts'

/** A condition may come out as any true or false value; here it is a boolean. Markup that leaves a template is text. */
export function normalResult({ m, t }: Recorded, given: string): string {
  const result = (t.includes('type_debug') ? oneKindOfText(given) : given).replace(/^Markup\((.*)\)$/s, '$1')
  if (m !== 'when' || result === 'True' || result === 'False') return result
  return ['[]', '{}', "''", '0', 'None'].includes(result) ? 'False' : 'True'
}

/** Python's own complaints tell a line of the generated code. */
const GENERATED_LINE = / \(<template>, line \d+\)/g

/** Errors raised while a template runs tell a line that is not the template's. */
export const normalError = (message: string): string =>
  `error: ${oneKindOfText(message)
    .replace(/\n {2}line 0$/, '')
    .replaceAll(GENERATED_LINE, '')}`

/** The classes in which the reference keeps text are all text. */
const oneKindOfText = (text: string): string =>
  text.replace(/ansible\.utils\.native_jinja\./g, '').replace(/NativeJinjaText|AnsibleUnicode|AnsibleUnsafeText/g, 'str')
