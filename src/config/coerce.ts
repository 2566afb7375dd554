/** Turns a setting's text into its type. */

import { resolve } from 'node:path'
import { own } from '../base/index.ts'
import type { Definition } from './api.ts'

export interface PathBase {
  readonly cwd: string
  /** relative paths start here: the folder of the file that has the setting, else the working directory */
  readonly folder: string
  readonly home: string
  readonly ansibleHome: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** quotes around the text are part of ini files only */
  readonly unquote: boolean
}

export type Coerced = { readonly value: unknown } | { readonly wrong: string }

/** The value, or what is wrong with the text. */
export function coerce(definition: Definition<unknown>, text: string, base: PathBase): Coerced {
  const made = COERCIONS[definition.type](text, base)
  const { choices } = definition
  if ('value' in made && choices && !choices.includes(String(made.value))) return { wrong: `must be one of ${choices.join(', ')}` }
  return made
}

const TRUE = new Set(['y', 'yes', 'on', '1', 'true', 't', '1.0'])

const COERCIONS: { readonly [type in Definition<unknown>['type']]: (text: string, base: PathBase) => Coerced } = {
  bool: (text) => ({ value: TRUE.has(text.trim().toLowerCase()) }),
  int: (text) => (/^\s*[-+]?\d+(?:\.0*)?\s*$/.test(text) ? { value: Number(text) } : { wrong: 'must be a whole number' }),
  float: (text) => (text.trim() !== '' && !Number.isNaN(Number(text)) ? { value: Number(text) } : { wrong: 'must be a number' }),
  str: (text, base) => ({ value: base.unquote ? unquoted(text) : text }),
  list: (text) => ({ value: text.split(',').map((part) => unquoted(part.trim())) }),
  path: (text, base) => ({ value: expandPath(text, base) }),
  pathlist: (text, base) => ({ value: text.split(',').map((part) => expandPath(part.trim(), base)) }),
  pathspec: (text, base) => ({ value: text.split(':').map((part) => expandPath(part, base)) }),
  dict: () => ({ wrong: 'cannot be given as text' }),
  none: (text) => (text === 'None' ? { value: undefined } : { wrong: 'must be None' }),
}

/** An absolute path: `{{CWD}}`, `{{ANSIBLE_HOME}}`, `~` and `$VAR` filled in. */
export function expandPath(text: string, base: PathBase): string {
  const filled = text
    .replaceAll('{{CWD}}', base.cwd)
    .replace(/\{\{\s*ANSIBLE_HOME\s*\}\}/g, base.ansibleHome)
    .replace(/\{\{\s*ANSIBLE_HOME\s*~\s*"([^"]*)"\s*\}\}/g, (_, rest: string) => base.ansibleHome + rest)
    .replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, plain?: string) => own(base.env, braced ?? plain ?? '') ?? whole)
    .replace(/^~(?=\/|$)/, base.home)
  return resolve(base.folder, filled)
}

const unquoted = (text: string): string => (/^(["'])[\s\S]*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text)
