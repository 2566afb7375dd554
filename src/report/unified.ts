/** Unified diffs as Python's difflib writes them, and a result's `diff` as text. */
import type { Json } from '../base/index.ts'
import type { Paint } from './paint.ts'
import { pythonJson } from './python-json.ts'

type Operation = readonly ['keep' | 'remove' | 'add', string]

/** The diff entries of a result, painted; empty where there is nothing to show. */
export function drawDiffs(diff: Json | undefined, paint: Paint, context = 3, structure = asJson): string {
  const list = Array.isArray(diff) ? diff : diff === undefined || diff === null ? [] : [diff]
  return list.map((d) => drawDiff(d as { readonly [key: string]: Json | undefined }, paint, context, structure)).join('')
}

/** Structures are compared as the text that they are shown as. */
const asJson = (json: Json): string => pythonJson(json, 4)

function drawDiff(
  diff: { readonly [key: string]: Json | undefined },
  paint: Paint,
  context: number,
  structure: (json: Json) => string,
): string {
  let out = ''
  if (diff['dst_binary'] !== undefined) out += 'diff skipped: destination file appears to be binary\n'
  if (diff['src_binary'] !== undefined) out += 'diff skipped: source file appears to be binary\n'
  if (diff['dst_larger'] !== undefined) out += `diff skipped: destination file size is greater than ${diff['dst_larger']}\n`
  if (diff['src_larger'] !== undefined) out += `diff skipped: source file size is greater than ${diff['src_larger']}\n`
  if (diff['before'] !== undefined && diff['after'] !== undefined) {
    const header = (side: 'before' | 'after') => (diff[`${side}_header`] === undefined ? side : `${side}: ${diff[`${side}_header`]}`)
    const lines = unified(side(diff['before'], structure), side(diff['after'], structure), header('before'), header('after'), context)
    if (lines.length > 0) out += `${lines.map((l) => paintLine(l, paint)).join('')}\n`
  }
  if (diff['prepared'] !== undefined) out += String(diff['prepared'])
  return out
}

const side = (json: Json, structure: (json: Json) => string): string =>
  json === null ? '' : typeof json === 'string' ? json : `${structure(json)}\n`

function paintLine(line: string, paint: Paint): string {
  const body = line.replace(/\n$/, '')
  const end = line.endsWith('\n') ? '\n' : ''
  if (body.startsWith('+')) return paint('added', body) + end
  if (body.startsWith('-')) return paint('removed', body) + end
  return (body.startsWith('@@') ? paint('lines', body) : body) + end
}

/** Lines of a unified diff, each with its newline; a missing last newline is told as diff tells it. */
export function unified(before: string, after: string, from: string, to: string, context: number): string[] {
  const operations = compare(splitKeep(before), splitKeep(after))
  const out: string[] = []
  for (const hunk of hunks(operations, context)) {
    if (out.length === 0) out.push(`--- ${from}\n`, `+++ ${to}\n`)
    out.push(`@@ -${range(hunk.a, hunk.aCount)} +${range(hunk.b, hunk.bCount)} @@\n`)
    for (const [what, line] of hunk.lines) {
      const mark = what === 'keep' ? ' ' : what === 'remove' ? '-' : '+'
      out.push(mark + line)
    }
  }
  return out
}

/** Lines at all that Python takes for a line's end; a last one that does not end is told. */
function splitKeep(text: string): string[] {
  const lines = text.match(LINES) ?? []
  const last = lines.at(-1)
  return last === undefined || last.endsWith('\n') ? lines : [...lines.slice(0, -1), `${last}\n\\ No newline at end of file\n`]
}

const LINES = /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+$/g

const range = (start: number, count: number): string => (count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`)

interface Hunk {
  readonly a: number
  readonly b: number
  aCount: number
  bCount: number
  readonly lines: Operation[]
}

function hunks(operations: readonly Operation[], context: number): Hunk[] {
  const changed = operations.flatMap(([what], i) => (what === 'keep' ? [] : [i]))
  const out: Hunk[] = []
  let at = 0
  while (at < changed.length) {
    let last = at
    while (last + 1 < changed.length && changed[last + 1]! - changed[last]! <= context * 2 + 1) last++
    const first = Math.max(0, changed[at]! - context)
    const end = Math.min(operations.length, changed[last]! + context + 1)
    const before = operations.slice(0, first)
    const lines = operations.slice(first, end)
    out.push({
      a: before.filter(([w]) => w !== 'add').length,
      b: before.filter(([w]) => w !== 'remove').length,
      aCount: lines.filter(([w]) => w !== 'add').length,
      bCount: lines.filter(([w]) => w !== 'remove').length,
      lines,
    })
    at = last + 1
  }
  return out
}

/** Myers' shortest edit script, common ends cut off first; very different long texts are told as a whole replacement. */
function compare(a: readonly string[], b: readonly string[]): Operation[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let tail = 0
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const keep = (line: string): Operation => ['keep', line]
  const middle = shortest(a.slice(start, a.length - tail), b.slice(start, b.length - tail))
  return [...a.slice(0, start).map(keep), ...middle, ...a.slice(a.length - tail).map(keep)]
}

const TOO_FAR = 4000

function shortest(a: readonly string[], b: readonly string[]): Operation[] {
  const max = a.length + b.length
  const replaced = (): Operation[] => [...a.map((l): Operation => ['remove', l]), ...b.map((l): Operation => ['add', l])]
  if (a.length === 0 || b.length === 0) return replaced()
  const trace: Map<number, number>[] = []
  let v = new Map<number, number>([[1, 0]])
  for (let d = 0; d <= max; d++) {
    if (d > TOO_FAR) return replaced()
    trace.push(new Map(v))
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1)) ? (v.get(k + 1) ?? 0) : (v.get(k - 1) ?? 0) + 1
      let y = x - k
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      v.set(k, x)
      if (x >= a.length && y >= b.length) return backtrack(trace, a, b)
    }
    v = new Map(v)
  }
  return replaced()
}

function backtrack(trace: readonly Map<number, number>[], a: readonly string[], b: readonly string[]): Operation[] {
  const out: Operation[] = []
  let x = a.length
  let y = b.length
  for (let d = trace.length - 1; d >= 0; d--) {
    const v = trace[d]!
    const k = x - y
    const down = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1))
    const previousK = down ? k + 1 : k - 1
    const previousX = v.get(previousK) ?? 0
    const previousY = previousX - previousK
    while (x > previousX && y > previousY && x > 0 && y > 0) {
      out.push(['keep', a[--x]!])
      y--
    }
    if (d === 0) break
    out.push(down ? ['add', b[--y]!] : ['remove', a[--x]!])
  }
  return removalsFirst(out.reverse())
}

/** Within a run of changes, what goes comes before what comes, as diff shows it. */
function removalsFirst(operations: readonly Operation[]): Operation[] {
  const out: Operation[] = []
  let added: Operation[] = []
  for (const operation of operations) {
    if (operation[0] === 'add') added.push(operation)
    else {
      if (operation[0] === 'keep') {
        out.push(...added)
        added = []
      }
      out.push(operation)
    }
  }
  return [...out, ...added]
}
