/** replace: replaces every match of a regular expression in a file. */
import { bool, fallback, path, required, str } from '../params/index.ts'
import { substitute } from '../template/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { attributeParams } from './files/attributes.ts'
import { openFile, refuseDirectory, saveFile } from './files/edit.ts'
import { decodeText, encodeText } from './files/encoding.ts'
import { failing, textPattern } from './files/pattern.ts'

export default defineModule({
  name: 'ansible.builtin.replace',
  summary: 'Replaces every match of a regular expression in a file.',
  params: {
    ...attributeParams,
    path: required(path({ aliases: ['dest', 'destfile', 'name'] })),
    regexp: required(str()),
    replace: fallback(str(), ''),
    after: str(),
    before: str(),
    backup: fallback(bool(), false),
    validate: str(),
    encoding: fallback(str(), 'utf-8'),
  },
  async *run(args, host) {
    const file = await openFile(args, host)
    refuseDirectory(file, args.path)
    if (!file.real.exists) throw new ModuleFailure(`Path ${args.path} does not exist !`, { rc: 257 })
    const text = decodeText(file.content ?? new Uint8Array(), args.encoding)
    const section = sectionOf(text, args.after, args.before)
    if (typeof section === 'string')
      return { rc: 0, changed: false, msg: `Pattern for before/after params did not match the given file: ${section}` }
    const part = text.slice(section.start, section.end)
    const regexp = textPattern(args.regexp, { multiline: true })
    const replaced = failing(() => substitute(regexp, args.replace, part), 'Unable to process replace due to error')
    const changed = replaced.count > 0 && replaced.text !== part
    const next = changed ? text.slice(0, section.start) + replaced.text + text.slice(section.end) : text
    const msg = changed ? `${replaced.count} replacements made` : ''
    const bytes = changed ? encodeText(next, args.encoding) : (file.content ?? new Uint8Array())
    const saved = yield* saveFile(args, file, { bytes, changed, msg }, host)
    const diff = changed && host.diff ? { diff: { before_header: args.path, before: text, after_header: args.path, after: next } } : {}
    return { rc: 0, changed: saved.changed, msg: saved.msg, ...(saved.backup === '' ? {} : { backup_file: saved.backup }), ...diff }
  },
})

/** The part between after and before; the pattern that was looked for where it is not there. */
function sectionOf(text: string, after: string | undefined, before: string | undefined): { start: number; end: number } | string {
  if (!after && !before) return { start: 0, end: text.length }
  const pattern =
    after && before ? `${after}(?P<subsection>.*?)${before}` : after ? `${after}(?P<subsection>.*)` : `(?P<subsection>.*)${before}`
  const regexp = textPattern(pattern, { dotAll: true })
  const found = regexp.search(text)
  if (!found) return pattern
  const part = found.groups[regexp.names.get('subsection')! - 1] ?? ''
  // the part's own place: it is the last thing before the text that `before` matched
  const start = partStart(found, part, text, before)
  return { start, end: start + part.length }
}

/** Where the named part begins: with `after` alone it reaches the match's end, otherwise what follows it is found by matching `before` again. */
function partStart(found: { start: number; end: number }, part: string, text: string, before: string | undefined): number {
  if (!before) return found.end - part.length
  const tail = textPattern(`(?:${before})`, { dotAll: true })
  for (let at = found.start; at + part.length <= found.end; at++) {
    if (text.slice(at, at + part.length) !== part) continue
    const rest = tail.match(text.slice(at + part.length, found.end))
    if (rest && at + part.length + rest.end === found.end) return at
  }
  return found.start
}
