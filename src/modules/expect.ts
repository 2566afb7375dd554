/** expect: runs a command on a terminal and answers what it asks. */
import { isUtf8 } from 'node:buffer'
import { isDict, type JsonObject, type Value } from '../base/index.ts'
import { asText, bool, CoercionError, className, coerce, dict, fallback, path, raw, required, str } from '../params/index.ts'
import type { PyRegex } from '../template/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from './api.ts'
import { checkStart, endScript, readScript, startScript, typeScript } from './expect/terminal.ts'
import { ask } from './files/ask.ts'
import { binary } from './files/edit.ts'
import { splitLines } from './files/lines.ts'
import { bytesPattern } from './files/pattern.ts'
import { deltaText, globProbe, timeText } from './files/run-command.ts'
import { splitWords } from './files/words.ts'

const params = {
  chdir: path(),
  command: required(str({ description: 'the command and its words; no shell reads it' })),
  creates: path(),
  echo: fallback(bool({ description: 'the terminal shows what is typed' }), false),
  removes: path(),
  responses: required(dict({ description: 'pattern of a question → its answer, or a list of answers, one for each time' })),
  timeout: fallback(raw({ description: 'seconds that the command may be silent; null: for ever' }), 30),
} as const

interface Response {
  readonly written: string
  readonly pattern: PyRegex
  /** a list is used up, a single answer is not */
  readonly answers: string[] | string
}

export default defineModule({
  name: 'ansible.builtin.expect',
  summary: 'Runs a command on a terminal and answers its questions.',
  checkMode: false,
  params,
  async *run(args, host) {
    const timeout = secondsOf(host.task.rawArgs.has('timeout') ? host.task.rawArgs.get('timeout')! : args.timeout)
    const responses = [...args.responses].map(([key, value]) => responseOf(asText(key), value))
    const { command } = args
    const words = splitWords(command)
    if (words.length === 0) throw new ModuleFailure('no command given', { rc: 256 })
    const skipped = (text: string): JsonObject => ({ cmd: command, stdout: text, stdout_lines: [text], changed: false, rc: 0 })
    if (args.creates !== undefined && (await exists(host, args.creates, args.chdir)))
      return skipped(`skipped, since ${args.creates} exists`)
    if (args.removes !== undefined && !(await exists(host, args.removes, args.chdir)))
      return skipped(`skipped, since ${args.removes} does not exist`)
    const begin = host.now()
    const done = yield { what: 'command', script: startScript(words, args.chdir, args.echo), onFailure: 'tell' }
    if (!done) return { changed: true }
    const { folder } = checkStart(done, words[0]!, args.chdir)
    let ended: Ended
    try {
      ended = yield* converse(host, folder, responses, timeout)
    } finally {
      yield { what: 'end', script: endScript(folder), counts: false, onFailure: 'tell' }
    }
    const end = host.now()
    const bytes = Buffer.from(ended.said, 'latin1')
    if (!isUtf8(bytes)) throw new ModuleFailure('The command returned non UTF-8 data, which a result cannot hold.')
    const stdout = bytes.toString('utf8').replace(/[\r\n]+$/, '')
    const told = { cmd: command, stdout, stdout_lines: splitLines(stdout), rc: ended.rc ?? null }
    const result = { ...told, start: timeText(begin), end: timeText(end), delta: deltaText(end.getTime() - begin.getTime()), changed: true }
    if (ended.rc === undefined) throw new ModuleFailure('command exceeded timeout', result)
    if (ended.rc !== 0) throw new ModuleFailure('non-zero return code', result)
    return result
  },
})

function secondsOf(given: Value): number | undefined {
  if (given === null) return undefined
  try {
    return coerce(given, 'int') as number
  } catch (error) {
    if (!(error instanceof CoercionError)) throw error
    throw new ModuleFailure(`argument 'timeout' is of type ${className(given)} and we were unable to convert to int: ${error.message}`)
  }
}

function responseOf(written: string, value: Value): Response {
  const pattern = bytesPattern(written, { dotAll: true })
  if (isDict(value)) throw new ModuleFailure(`the response to '${written}' must be a text or a list of texts`)
  const line = (one: Value): string => `${asText(one).replace(/\n+$/, '')}\n`
  return { written, pattern, answers: Array.isArray(value) ? value.map(line) : line(value) }
}

async function exists(host: Host, name: string, chdir: string | undefined): Promise<boolean> {
  return ask(host, globProbe(chdir === undefined || name.startsWith('/') ? name : `${chdir}/${name}`))
}

interface Ended {
  /** undefined: it did not end in time */
  readonly rc: number | undefined
  readonly said: string
}

/** Reads until the command ends, and answers each question as it comes. */
async function* converse(
  host: Host,
  folder: string,
  responses: readonly Response[],
  timeout: number | undefined,
): AsyncGenerator<Change, Ended, Done> {
  let said = ''
  let answered = 0
  let since = host.now().getTime()
  for (;;) {
    const left = timeout === undefined ? 30 : timeout - (host.now().getTime() - since) / 1000
    const { rc, news } = await read(host, folder, said.length, Math.max(Math.min(left, 30), 0.1))
    said += news
    for (let question = nextQuestion(responses, said.slice(answered)); question; question = nextQuestion(responses, said.slice(answered))) {
      answered += question.end
      since = host.now().getTime()
      const answer = answerTo(question.response, said.slice(answered - question.end, answered))
      if (rc === undefined)
        yield { what: 'answer', script: typeScript(folder), stdin: new TextEncoder().encode(answer), counts: false, onFailure: 'tell' }
    }
    if (rc !== undefined) return { rc, said }
    if (timeout !== undefined && host.now().getTime() - since >= timeout * 1000) return { rc: undefined, said }
  }
}

async function read(host: Host, folder: string, offset: number, seconds: number): Promise<{ rc: number | undefined; news: string }> {
  const { stdout } = await host.look(readScript(folder, offset, seconds))
  const at = stdout.indexOf(0)
  const status = binary(stdout.subarray(0, at)).trim()
  return { rc: /^\d+$/.test(status) ? Number(status) : status === '' ? undefined : 1, news: binary(stdout.subarray(at + 1)) }
}

/** The question that comes first in the text; of several at one place, the one that is written first. */
function nextQuestion(responses: readonly Response[], text: string): { response: Response; end: number } | undefined {
  let first: { response: Response; start: number; end: number } | undefined
  for (const response of responses) {
    const match = response.pattern.search(text)
    if (match && match.end > match.start && (!first || match.start < first.start)) first = { response, start: match.start, end: match.end }
  }
  return first
}

function answerTo({ answers, written }: Response, said: string): string {
  if (typeof answers === 'string') return answers
  const next = answers.shift()
  if (next !== undefined) return next
  const output = Buffer.from(said, 'latin1').toString('utf8')
  throw new ModuleFailure(`No remaining responses for '${written}', output was 'b'${output}''`)
}
