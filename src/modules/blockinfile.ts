/** blockinfile: keeps a block of lines between two marks in a file. */
import { bool, choice, fallback, path, required, str } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { attributeParams } from './files/attributes.ts'
import { binary, binaryText, bytesOf, openFile, refuseDirectory, saveFile } from './files/edit.ts'
import { bytesPattern } from './files/pattern.ts'

export default defineModule({
  name: 'ansible.builtin.blockinfile',
  summary: 'Keeps a block of lines between two marks in a file.',
  params: {
    ...attributeParams,
    path: required(path({ aliases: ['dest', 'destfile', 'name'] })),
    state: choice(['absent', 'present'], 'present'),
    marker: fallback(str(), '# {mark} ANSIBLE MANAGED BLOCK'),
    block: fallback(str({ aliases: ['content'] }), ''),
    insertafter: str(),
    insertbefore: str(),
    create: fallback(bool(), false),
    backup: fallback(bool(), false),
    validate: str(),
    marker_begin: fallback(str(), 'BEGIN'),
    marker_end: fallback(str(), 'END'),
    append_newline: fallback(bool(), false),
    prepend_newline: fallback(bool(), false),
  },
  rules: { mutuallyExclusive: [['insertbefore', 'insertafter']] },
  async *run(args, host) {
    const file = await openFile(args, host)
    refuseDirectory(file, args.path)
    const present = args.state === 'present'
    if (!file.real.exists && !present && args.create) return { changed: false, msg: `File ${args.path} not present` }
    if (!file.real.exists && !args.create) throw new ModuleFailure(`Path ${args.path} does not exist !`, { rc: 257 })
    const before = binary(file.content)
    const block = blockLines(args, present)
    const after = withBlock(before, block, args, present).join('')
    const changed = before !== after || !file.real.exists
    const msg = !changed ? '' : !file.real.exists ? 'File created' : block.length === 0 ? 'Block removed' : 'Block inserted'
    const saved = yield* saveFile(args, file, { bytes: bytesOf(after), changed, msg, makeFolders: true }, host)
    const backup = saved.backup === '' ? {} : { backup_file: saved.backup }
    return { changed: saved.changed, msg: saved.msg, diff: saved.diff, ...backup }
  },
})

interface BlockArgs {
  readonly block: string
  readonly marker: string
  readonly marker_begin: string
  readonly marker_end: string
  readonly insertafter?: string | undefined
  readonly insertbefore?: string | undefined
  readonly append_newline: boolean
  readonly prepend_newline: boolean
}

const mark = (args: BlockArgs, word: string): string => `${binaryText(args.marker.replaceAll('{mark}', word))}\n`

function blockLines(args: BlockArgs, present: boolean): string[] {
  const block = binaryText(args.block)
  if (!present || block === '') return []
  return [mark(args, args.marker_begin), ...splitKeeping(block.endsWith('\n') ? block : `${block}\n`), mark(args, args.marker_end)]
}

/** Lines with their ends, whatever ends them. */
const splitKeeping = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []

/** The lines of the file with the block in its place. */
function withBlock(text: string, block: readonly string[], args: BlockArgs, present: boolean): string[] {
  const lines = splitKeeping(text)
  let at = removeOld(lines, args) ?? insertionPoint(lines, text, args)
  if (at > 0 && !lines[at - 1]!.endsWith('\n')) lines[at - 1] += '\n'
  if (args.prepend_newline && present && at !== 0 && lines[at - 1] !== '\n') lines.splice(at++, 0, '\n')
  lines.splice(at, 0, ...block)
  const behind = at + block.length
  if (args.append_newline && present && behind < lines.length && lines[behind] !== '\n') lines.splice(behind, 0, '\n')
  return lines
}

/** Takes the old block out and tells where it stood. */
function removeOld(lines: string[], args: BlockArgs): number | undefined {
  const begin = lines.lastIndexOf(mark(args, args.marker_begin))
  const end = lines.lastIndexOf(mark(args, args.marker_end))
  if (begin === -1 || end === -1) return undefined
  const first = Math.min(begin, end)
  lines.splice(first, Math.abs(end - begin) + 1)
  return first
}

function insertionPoint(lines: readonly string[], text: string, args: BlockArgs): number {
  const after = args.insertafter ?? (args.insertbefore === undefined ? 'EOF' : undefined)
  const written =
    after !== undefined && after !== 'EOF'
      ? after
      : args.insertbefore !== undefined && args.insertbefore !== 'BOF'
        ? args.insertbefore
        : undefined
  if (written === undefined) return args.insertbefore !== undefined ? 0 : lines.length
  const line = anchorLine(lines, text, written, after !== undefined)
  return line === undefined ? lines.length : after !== undefined ? line + 1 : line
}

/** The last line that matches; a pattern with the flag (?m) looks at the whole text instead. */
function anchorLine(lines: readonly string[], text: string, written: string, after: boolean): number | undefined {
  const pattern = bytesPattern(written)
  if (/^\(\?[a-zA-Z]*m[a-zA-Z]*\)/.test(written)) {
    const match = pattern.search(text)
    return match && text.slice(0, after ? match.end : match.start).split('\n').length - 1
  }
  const at = lines.findLastIndex((line) => pattern.search(line) !== undefined)
  return at === -1 ? undefined : at
}
