/** What is evened out before results are compared, each with its reason. */
import type { Recorded } from './engine.ts'

/** A condition may come out as any true or false value; here it is a boolean. */
export function normalResult({ m, t }: Recorded, given: string): string {
  const result = t.includes('type_debug') ? oneKindOfText(given) : given
  if (m !== 'when' || result === 'True' || result === 'False') return result
  return ['[]', '{}', "''", '0', 'None'].includes(result) ? 'False' : 'True'
}

/** Errors of 2.14 repeat the message of the error within; 2.18 says it once where a variable is undefined. */
export function normalError(message: string): string {
  let once = oneKindOfText(message).replace(/\n {2}line 0$/, '')
  for (let shorter = withoutRepeat(once); shorter !== once; shorter = withoutRepeat(once)) once = shorter
  return `error: ${once}`
}

/** The classes in which the reference keeps text are all text. */
const oneKindOfText = (text: string): string => text.replace(/NativeJinjaText|AnsibleUnicode|AnsibleUnsafeText/g, 'str')

/** The message without a second saying of its last part. */
function withoutRepeat(message: string): string {
  for (let length = Math.floor((message.length - 2) / 2); length >= 3; length--) {
    const part = message.slice(-length)
    if (isUndefined(part) && message.endsWith(`${part}. ${part}`)) return message.slice(0, -length - 2)
  }
  return message
}

const isUndefined = (part: string): boolean =>
  /is undefined$|has no attribute|has no element|was not provided$|evaluated to false|No caller defined|no parent block|been overridden|sequence was empty\.$|^say$|AnsibleUndefined/.test(
    part,
  )
