/** The `#jinja2:` line at the head of a template: settings that beat all others. */
import type { FileOptions } from './api.ts'
import { filterError } from './python/index.ts'
import { parseLiteral } from './run/literal.ts'
import type { SyntaxSettings } from './syntax/settings.ts'

const MARK = '#jinja2:'

type Warn = ((message: string) => void) | undefined

interface Headed {
  readonly text: string
  readonly settings: SyntaxSettings
  /** how much of the text the header was */
  readonly removed: number
}

/** A template's text without its header, and the settings with the header's. */
export function readHeader(text: string, settings: SyntaxSettings, warn?: Warn): Headed {
  if (!text.startsWith(MARK)) return { text, settings, removed: 0 }
  const end = text.indexOf('\n')
  const line = text.slice(MARK.length, end === -1 ? -1 : end)
  const overrides: Partial<Record<keyof SyntaxSettings, unknown>> = {}
  for (const pair of line.split(',')) {
    const colon = pair.indexOf(':')
    if (colon === -1) {
      throw filterError(
        `failed to parse jinja2 override '${pair.trim()}'. Did you use something different from colon as key-value separator?`,
      )
    }
    const name = pair.slice(0, colon).trim()
    const field = NAMES.get(name)
    if (!field && !WITHOUT_EFFECT.has(name)) {
      warn?.(`Could not find Jinja2 environment setting to override: '${name}'`)
      continue
    }
    const value = parseLiteral(pair.slice(colon + 1).trim(), { json: false })
    if (value === undefined) throw filterError(`malformed node or string in jinja2 override '${pair.trim()}'`)
    if (field?.match(/Start$|End$|Sequence$/) && typeof value !== 'string')
      throw filterError(`jinja2 override '${pair.trim()}' must be a text in quotes`)
    if (field) overrides[field] = value
  }
  return { text: end === -1 ? text : text.slice(end + 1), settings: { ...settings, ...overrides } as SyntaxSettings, removed: end + 1 }
}

const NAMES: ReadonlyMap<string, keyof SyntaxSettings> = new Map([
  ['block_start_string', 'blockStart'],
  ['block_end_string', 'blockEnd'],
  ['variable_start_string', 'variableStart'],
  ['variable_end_string', 'variableEnd'],
  ['comment_start_string', 'commentStart'],
  ['comment_end_string', 'commentEnd'],
  ['trim_blocks', 'trimBlocks'],
  ['lstrip_blocks', 'lstripBlocks'],
  ['newline_sequence', 'newlineSequence'],
  ['keep_trailing_newline', 'keepTrailingNewline'],
])

/** Settings of Jinja2's environment that change nothing in what Ansible renders. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  (
    'autoescape optimized auto_reload bytecode_cache cache extensions filters finalize globals is_async line_comment_prefix ' +
    'line_statement_prefix linked_to loader overlayed policies sandboxed shared tests undefined'
  ).split(' '),
)

/** A file's options laid over the settings of playbook text. */
export function fileSettings(base: SyntaxSettings, options: FileOptions): SyntaxSettings {
  return {
    ...base,
    blockStart: options.blockStart ?? base.blockStart,
    blockEnd: options.blockEnd ?? base.blockEnd,
    variableStart: options.variableStart ?? base.variableStart,
    variableEnd: options.variableEnd ?? base.variableEnd,
    commentStart: options.commentStart ?? base.commentStart,
    commentEnd: options.commentEnd ?? base.commentEnd,
    trimBlocks: options.trimBlocks ?? true,
    lstripBlocks: options.lstripBlocks ?? false,
    newlineSequence: options.newlineSequence ?? '\n',
  }
}
