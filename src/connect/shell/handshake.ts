/** A channel on which a become command has been started → the same channel as the other user, with the process that runs so, or a BecomeFailed that says why. */
import { type Become, recognise, successOf } from '../../become/index.ts'
import { textOf } from '../../remote/index.ts'
import type { Channel, Ending } from '../channel.ts'
import { BecomeFailed } from '../lost.ts'
import type { Intake, StreamName } from './intake.ts'

/** How long an unfinished line must stand still to be taken for a prompt in an unknown language. */
const STILL = 400

export interface HandshakeOptions {
  readonly host: string
  readonly seconds: number
}

export function handshake(channel: Channel, intake: Intake, become: Become, mark: string, options: HandshakeOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const said: Record<StreamName, string> = { stdout: '', stderr: '' }
    let answered = false
    let still: NodeJS.Timeout | undefined
    const deadline = setTimeout(() => fail(`no answer within ${options.seconds} s`), options.seconds * 1000)

    const settle = (act: () => void): void => {
      clearTimeout(still)
      clearTimeout(deadline)
      intake.direct(undefined)
      act()
    }
    const fail = (why: string, hint?: string, failure?: string, what: { mayWantTerminal?: boolean; wasAsked?: boolean } = {}): void =>
      settle(() => {
        channel.destroy()
        reject(failed(become, options.host, why, hint, failure ?? said.stderr + (channel.tty ? said.stdout : ''), what))
      })
    const answer = (stream: StreamName): void => {
      if (become.password === undefined) fail('a password is asked for, and there is none', passwordHint, undefined, { wasAsked: true })
      else if (answered) fail('the password is wrong', undefined, '', { wasAsked: true })
      else {
        answered = true
        said[stream] = ''
        channel.stdin.write(`${become.password}\n`)
      }
    }

    intake.direct((chunk, stream) => {
      clearTimeout(still)
      said[stream] += chunk.toString('latin1')
      const what = recognise(mark, said[stream])
      if (what === 'success') {
        settle(() => {
          const { pid, rest } = successLine(said[stream], successOf(mark))
          intake.unread(Buffer.from(rest, 'latin1'), stream)
          resolve(pid)
        })
      } else if (what === 'prompt') answer(stream)
      else if (what === 'perhaps') still = setTimeout(() => answer(stream), STILL)
    })
    channel.closed.then((ending) => {
      if (ending.how === 'lost') return settle(() => reject(ending.error))
      if (recognise(mark, said.stdout) === 'success') return
      fail(endedWords(ending), become.password === undefined ? passwordHint : undefined, undefined, {
        mayWantTerminal: !answered && !channel.tty,
        wasAsked: answered,
      })
    })
  })
}

const passwordHint = 'if a password is needed there, give one: --ask-become-pass or ansible_become_password'

const endedWords = (ending: Ending): string =>
  ending.how === 'exit' ? `it ended with ${ending.code} before the user had changed` : 'it ended before the user had changed'

function failed(
  become: Become,
  host: string,
  why: string,
  hint: string | undefined,
  said: string,
  what: { mayWantTerminal?: boolean; wasAsked?: boolean },
): BecomeFailed {
  const notes = textOf(Buffer.from(said, 'latin1'))
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `${become.exe ?? become.method} said: ${hide(line, become.password)}`)
  return new BecomeFailed(`${host}: cannot become ${become.user} with ${become.method}: ${why}`, { hint, notes, ...what })
}

const hide = (line: string, password: string | undefined): string => (password ? line.replaceAll(password, '********') : line)

/** The process id on the line that tells success, and what follows that line. */
function successLine(text: string, words: string): { pid: number; rest: string } {
  const from = text.indexOf(words) + words.length
  const newline = text.indexOf('\n', from)
  return { pid: Number(text.slice(from, newline)), rest: text.slice(newline + 1) }
}
