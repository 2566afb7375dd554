/** Looks at the outline of a text only: doubles backslashes of strings in `{{ }}`, and tells whether there is a tag at all. */
import { tokenize } from './lexer.ts'
import type { SyntaxSettings } from './settings.ts'

/** Doubles the backslashes of string literals inside `{{ }}`, as Ansible does with what playbooks say. */
export function escapeBackslashes(text: string, settings: SyntaxSettings): string {
  if (!text.includes('\\') || !text.includes('{{')) return text
  let inVariable = false
  let out = ''
  let at = 0
  for (const { type, start, end } of tokenize(text, settings, false)) {
    if (type === 'variable_begin') inVariable = true
    else if (type === 'variable_end') inVariable = false
    else if (inVariable && type === 'string') {
      out += text.slice(at, start) + text.slice(start, end).replaceAll('\\', '\\\\')
      at = end
    }
  }
  return out + text.slice(at)
}

/** Does a tag that is opened first come to its end? Such a condition is rendered before it is evaluated. */
export function hasWholeTag(text: string, settings: SyntaxSettings): boolean {
  if (!text.includes(settings.variableStart) && !text.includes(settings.blockStart)) {
    const comment = text.indexOf(settings.commentStart)
    return comment !== -1 && text.includes(settings.commentEnd, comment + settings.commentStart.length)
  }
  let opened: string | undefined
  for (const { type } of tokenize(text, settings, false)) {
    if (type === 'variable_begin' || type === 'block_begin') opened ??= type
    else if (type === 'variable_end' || type === 'block_end') return opened?.slice(0, 5) === type.slice(0, 5)
  }
  return false
}
