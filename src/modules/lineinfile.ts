/** lineinfile: makes one line of a file be there, be another, or be gone. */
import { bool, choice, fallback, path, required, str } from '../params/index.ts'
import { expandTemplate, type Found, type PyRegex, parseTemplate } from '../template/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { attributeParams } from './files/attributes.ts'
import { binary, binaryText, bytesOf, type EditArgs, type Edited, linesOf, openFile, refuseDirectory, saveFile } from './files/edit.ts'
import { bytesPattern, failing } from './files/pattern.ts'

export default defineModule({
  name: 'ansible.builtin.lineinfile',
  summary: 'Makes one line of a file be there, be another, or be gone.',
  params: {
    ...attributeParams,
    path: required(path({ aliases: ['dest', 'destfile', 'name'] })),
    state: choice(['absent', 'present'], 'present'),
    regexp: str({ aliases: ['regex'] }),
    search_string: str(),
    line: str({ aliases: ['value'] }),
    insertafter: str(),
    insertbefore: str(),
    backrefs: fallback(bool(), false),
    create: fallback(bool(), false),
    backup: fallback(bool(), false),
    firstmatch: fallback(bool(), false),
    validate: str(),
  },
  rules: {
    mutuallyExclusive: [
      ['insertbefore', 'insertafter'],
      ['regexp', 'search_string'],
      ['backrefs', 'search_string'],
    ],
  },
  async *run(args, host) {
    const file = await openFile(args, host)
    refuseDirectory(file, args.path)
    const result = args.state === 'present' ? yield* present(args, file, host) : yield* absent(args, file, host)
    const warnings = emptyPatternWarnings(args)
    return warnings.length > 0 ? { ...result, warnings } : result
  },
})

interface LineArgs extends EditArgs {
  readonly regexp?: string | undefined
  readonly search_string?: string | undefined
  readonly line?: string | undefined
  readonly insertafter?: string | undefined
  readonly insertbefore?: string | undefined
  readonly backrefs: boolean
  readonly create: boolean
  readonly firstmatch: boolean
}

type Run = AsyncGenerator<Change, Result, Done>

function emptyPatternWarnings(args: LineArgs): string[] {
  const warning = (name: string, more = ''): string =>
    `The ${name} is an empty string, which will match every line in the file. This may have unintended consequences, such as replacing the last line in the file rather than appending.${more}`
  if (args.regexp === '')
    return [warning('regular expression', " If this is desired, use '^' to match every line in the file and avoid this warning.")]
  return args.search_string === '' ? [warning('search string')] : []
}

async function* present(args: LineArgs, file: Edited, host: Host): Run {
  if (args.backrefs && args.regexp === undefined) throw new ModuleFailure('regexp is required with backrefs=true')
  if (args.line === undefined) throw new ModuleFailure('line is required with state=present')
  if (!file.real.exists && !args.create) throw new ModuleFailure(`Destination ${args.path} does not exist !`, { rc: 257 })
  const lines = linesOf(binary(file.content))
  const line = binaryText(args.line)
  const anchors = anchorsOf(args)
  const place = findPlace(lines, line, args, anchors)
  const msg = placeLine(lines, line, place, args, anchors)
  const saved = yield* saveFile(args, file, { bytes: bytesOf(lines.join('')), changed: msg !== '', msg, makeFolders: true }, host)
  return { changed: saved.changed, msg: saved.msg, backup: saved.backup, diff: saved.diff }
}

/** Where new lines go: after or before a pattern, or at an end of the file. */
interface Anchors {
  readonly after: string | undefined
  readonly before: string | undefined
  readonly pattern: PyRegex | undefined
}

function anchorsOf(args: LineArgs): Anchors {
  const before = args.insertbefore
  const after = args.insertafter ?? (before === undefined ? 'EOF' : undefined)
  const pattern =
    after !== undefined && after !== 'BOF' && after !== 'EOF'
      ? bytesPattern(after)
      : before !== undefined && before !== 'BOF'
        ? bytesPattern(before)
        : undefined
  return { after, before, pattern }
}

interface Place {
  /** the line that matches or is the wanted one */
  readonly line: number
  /** where the anchor says */
  readonly anchor: number
  readonly match: Found | true | undefined
  readonly regexp: PyRegex | undefined
}

function findPlace(lines: readonly string[], line: string, args: LineArgs, anchors: Anchors): Place {
  const regexp = args.regexp === undefined ? undefined : bytesPattern(args.regexp)
  const needle = args.search_string === undefined ? undefined : binaryText(args.search_string)
  let found = -1
  let match: Found | true | undefined
  for (const [i, current] of lines.entries()) {
    const hit = regexp ? regexp.search(current) : needle !== undefined && current.includes(needle) ? true : undefined
    if (!hit) continue
    found = i
    match = hit
    if (args.firstmatch) break
  }
  if (match) return { line: found, anchor: -1, match, regexp }
  let anchor = -1
  for (const [i, current] of lines.entries()) {
    if (current.replace(/[\r\n]+$/, '') === line) found = i
    else if (anchors.pattern?.search(current)) {
      anchor = anchors.after ? i + 1 : i
      if (args.firstmatch) break
    }
  }
  return { line: found, anchor, match: undefined, regexp }
}

/** Changes the lines in place; tells what was done, nothing where all was right. */
function placeLine(lines: string[], line: string, place: Place, args: LineArgs, { after, before }: Anchors): string {
  if (place.line !== -1) return replaceLine(lines, line, place, args)
  if (args.backrefs) return ''
  if (before === 'BOF' || after === 'BOF') lines.unshift(`${line}\n`)
  else if (after === 'EOF' || place.anchor === -1) {
    if (lines.length > 0 && !/[\n\r]$/.test(lines.at(-1)!)) lines.push('\n')
    lines.push(`${line}\n`)
  } else if (after !== undefined) {
    const at = place.anchor
    if (lines[at]?.replace(/[\r\n]+$/, '') === line) return ''
    if (at === lines.length && !lines[at - 1]!.endsWith('\n')) lines[at - 1] += '\n'
    lines.splice(at, 0, `${line}\n`)
  } else lines.splice(place.anchor, 0, `${line}\n`)
  return 'line added'
}

function replaceLine(lines: string[], line: string, { line: at, match, regexp }: Place, args: LineArgs): string {
  const text =
    args.backrefs && match && match !== true && regexp
      ? failing(() => expandTemplate(parseTemplate(line, regexp), match), 'the line has a wrong reference')
      : line
  const next = text.endsWith('\n') ? text : `${text}\n`
  if (lines[at] === next) return ''
  lines[at] = next
  return 'line replaced'
}

async function* absent(args: LineArgs, file: Edited, host: Host): Run {
  if (args.regexp === undefined && args.search_string === undefined && args.line === undefined)
    throw new ModuleFailure('one of line, search_string, or regexp is required with state=absent')
  if (!file.real.exists) return { changed: false, msg: 'file not present' }
  const regexp = args.regexp === undefined ? undefined : bytesPattern(args.regexp)
  const needle = args.search_string === undefined ? undefined : binaryText(args.search_string)
  const line = binaryText(args.line ?? '')
  const goes = (current: string): boolean =>
    regexp
      ? regexp.search(current) !== undefined
      : needle !== undefined
        ? current.includes(needle)
        : current.replace(/[\r\n]+$/, '') === line
  const lines = linesOf(binary(file.content))
  const kept = lines.filter((l) => !goes(l))
  const found = lines.length - kept.length
  const msg = found > 0 ? `${found} line(s) removed` : ''
  const saved = yield* saveFile(args, file, { bytes: bytesOf(kept.join('')), changed: found > 0, msg }, host)
  return { changed: saved.changed, found, msg: saved.msg, backup: saved.backup, diff: saved.diff }
}
