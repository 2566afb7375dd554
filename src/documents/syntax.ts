/** Turns the YAML parser's errors into problems that say what is wrong in the reader's words, where, and what to do. */
import { Problem, type Source, span } from '../base/index.ts'

/** What the parser reports. */
export interface SyntaxFault {
  readonly code: string
  readonly message: string
  readonly pos: readonly [number, number]
}

const MOST = 5

/** The faults worth showing: one a line, without those that only follow from the one before. */
export function syntaxProblems(source: Source, faults: readonly SyntaxFault[]): Problem[] {
  const problems: Problem[] = []
  let seenLine = -1
  let seenCode = ''
  for (const fault of faults) {
    const line = lineStart(source.text, fault.pos[0])
    const follows = seenCode !== '' && (line === seenLine || FOLLOWS.has(fault.code))
    if (follows) continue
    seenLine = line
    seenCode = fault.code
    problems.push(syntaxProblem(source, fault))
    if (problems.length === MOST) break
  }
  return problems
}

/** Codes that, after another fault, mostly echo it. */
const FOLLOWS = new Set(['UNEXPECTED_TOKEN', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY'])

/** One fault in words. */
export function syntaxProblem(source: Source, fault: SyntaxFault): Problem {
  const text = source.text
  const start = placeOfFault(text, fault)
  const line = text.slice(lineStart(text, start), lineEnd(text, start))
  const words = WORDS[fault.code]?.(text.slice(start, start + 1), fault.message) ?? lowerFirst(fault.message)
  const end = fault.code === 'BLOCK_AS_IMPLICIT_KEY' ? start + 1 : Math.max(start + 1, Math.min(fault.pos[1], lineEnd(text, start)))
  return new Problem(words, { kind: 'syntax', span: span(source, start, end), hint: hintFor(line, fault, text, start) })
}

const WORDS: { readonly [code: string]: (at: string, message: string) => string } = {
  BLOCK_AS_IMPLICIT_KEY: (at) => (at === '-' ? 'a list may not begin here' : 'mapping values are not allowed here'),
  TAB_AS_INDENT: () => 'a tab may not be used for indentation',
  BAD_SCALAR_START: (at) => `a value may not start with ${at === '`' ? 'a backtick' : `'${at}'`}`,
  BAD_DQ_ESCAPE: (_, message) => message.replace('Invalid escape sequence', 'unknown escape in a double-quoted text:'),
  MISSING_CHAR: (_, message) => (message.includes('quote') ? 'a quoted text is not closed' : lowerFirst(message)),
  BAD_INDENT: (_, message) =>
    message.startsWith('Flow') ? 'a list or dict in brackets is not closed' : 'this line does not line up with the ones before',
  UNEXPECTED_TOKEN: (at, message) =>
    at === '-'
      ? 'a list item may not stand here'
      : /at node end|in YAML stream/.test(message)
        ? 'this does not belong here'
        : lowerFirst(message),
  MULTILINE_IMPLICIT_KEY: () => 'mapping values are not allowed here',
  MULTIPLE_DOCS: () => 'only one document is expected in the file',
}

/** Where a person would point: at the colon, not at the start of the text before it. */
function placeOfFault(text: string, { code, pos }: SyntaxFault): number {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'MULTILINE_IMPLICIT_KEY') return Math.min(pos[0], Math.max(0, text.length - 1))
  if (/^-\s/.test(text.slice(pos[0], pos[0] + 2))) return pos[0]
  const colon = text.slice(pos[0]).search(/:(?=\s|$)/)
  return colon === -1 ? pos[0] : pos[0] + colon
}

const QUOTE_TEMPLATE = 'a value that starts with {{ must be quoted as a whole: "{{ … }}"'

function hintFor(line: string, fault: SyntaxFault, text: string, at: number): string | undefined {
  if (startsWithTemplate(line)) return QUOTE_TEMPLATE
  if (fault.code === 'TAB_AS_INDENT') return 'indent with blanks'
  if (/[:-]\s+(?:"[^"]*"|'[^']*')\s*\S/.test(line) && fault.code === 'UNEXPECTED_TOKEN') {
    return line.includes("'") && /'[^']*'[^\s,#]/.test(line)
      ? "write a single quote inside single quotes twice: ''"
      : 'a value that starts with a quote must end with it; quote the whole value'
  }
  if (fault.code === 'BLOCK_AS_IMPLICIT_KEY' || fault.code === 'MULTILINE_IMPLICIT_KEY') return hintForColon(text, at)
  if (fault.code === 'BAD_SCALAR_START') return 'quote the whole value'
  if (fault.code === 'BAD_DQ_ESCAPE') return 'use single quotes, or write the backslash twice'
  return undefined
}

/** A colon inside an unquoted value, or a nested line that the value of the line before does not allow. */
function hintForColon(text: string, colon: number): string | undefined {
  const before = text.slice(lineStart(text, colon), colon)
  if (/:\s+\S/.test(before)) return 'a value with a colon and a blank in it must be quoted'
  return 'the line before already has a value: check the indentation'
}

/** Does the line hold a value that begins with a template and is not quoted? */
export const startsWithTemplate = (line: string): boolean => /(?:^|[:-]\s+|[=,[]\s*)\{\{/.test(line)

export const quoteTemplateHint = QUOTE_TEMPLATE

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
