/** Doubles the backslashes of string literals inside `{{ }}`, as Ansible does with what playbooks say. */
import { tokenize } from './lexer.ts'
import type { SyntaxSettings } from './settings.ts'

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
