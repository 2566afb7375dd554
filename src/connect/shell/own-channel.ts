/** A script → its Output, over a channel of its own: what needs the user's login shell, a terminal, or a long stream into stdin. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asksOnTerminal, type Become, becomeCommand } from '../../become/index.ts'
import { joinScripts, type Output, type Script, sh } from '../../remote/index.ts'
import { type Channel, codeOf, type Link } from '../channel.ts'
import { Hoard } from '../hoard.ts'
import { BecomeFailed } from '../lost.ts'
import type { Meter } from '../meter.ts'
import type { Spill } from '../spill.ts'
import { cutting } from './cutting.ts'
import { died } from './ends.ts'
import { handshake } from './handshake.ts'
import { Intake } from './intake.ts'
import { newMark } from './mark.ts'
import { stopTree } from './stop.ts'

export interface OwnChannelOptions {
  readonly become?: Become | undefined
  readonly stdin?: Uint8Array | Readable | undefined
  readonly timeoutSeconds?: number | undefined
  readonly tty?: boolean | undefined
  readonly onOutput?: ((chunk: Uint8Array, stream: 'stdout' | 'stderr') => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Place {
  readonly link: Link
  readonly meter: Meter
  readonly host: string
  readonly becomeSeconds: number
  /** the become users who were seen to need a terminal */
  readonly terminals: Set<string>
  /** lets an idle shell go, for the host has only so many sessions */
  readonly makeRoom: () => void
  /** where large output waits */
  readonly spill: Spill
  /** told how shells are started: at -vvv people see it */
  readonly tell?: ((text: string) => void) | undefined
}

/** After the process has ended, how long its streams may stand still while something in the background keeps them open. */
const QUIET = 1000

export async function runOnChannel(place: Place, script: Script, options: OwnChannelOptions): Promise<Output> {
  const { channel, intake, pid } = await openAs(place, withoutInput(script, options), {
    become: options.become,
    tty: options.tty ? 'cooked' : undefined,
    terminal: 'cooked',
  })
  const hoards = { stdout: new Hoard(place.spill), stderr: new Hoard(place.spill) }
  let last = 0
  intake.direct((chunk, stream) => {
    last = performance.now()
    hoards[stream].push(chunk)
    options.onOutput?.(chunk, stream)
  })
  const cut = cutting(channel, place.host, options, () => stop(place, options.become, pid))
  const fed = feed(channel, options, place.meter)
  const ending = await Promise.race([channel.closed, quietAfterEnd(channel, () => last), cut.happened])
  cut.stop()
  channel.destroy()
  const failure = cut.failure()
  if (failure !== undefined) throw failure
  if (ending.how === 'lost' || ending.how === 'unknown') throw died(place.host, ending)
  const unread = await Promise.race([fed, Promise.resolve(undefined)])
  if (unread !== undefined) throw unread
  return { stdout: hoards.stdout.take(), stderr: hoards.stderr.take(), code: codeOf(ending) }
}

interface Opened {
  readonly channel: Channel
  readonly intake: Intake
  /** of the process that runs as the become user, if there is one */
  readonly pid: number | undefined
}
type Tty = 'cooked' | 'raw'

export interface OpenAs {
  readonly become: Become | undefined
  readonly tty?: Tty | undefined
  /** the kind of terminal to take when one turns out to be demanded */
  readonly terminal: Tty
  readonly impatient?: boolean | undefined
  /** the command holds nothing of a task's, and may be shown */
  readonly shown?: boolean | undefined
}

/**
 * A channel that runs the script as the user asked for, past any password. Some sudoers demand a terminal; that cannot be told from what sudo says in
 * whatever language, so a failed try is tried once more with one, and what was learnt is kept.
 */
export async function openAs(place: Place, script: Script, how: OpenAs): Promise<Opened> {
  const { become, tty, terminal } = how
  if (become === undefined || tty !== undefined) return attempt(place, script, how)
  if (needsTerminal(place, become)) return attempt(place, script, { ...how, tty: terminal })
  try {
    return await attempt(place, script, how)
  } catch (error) {
    if (!(error instanceof BecomeFailed) || !error.mayWantTerminal) throw error
    const opened = await attempt(place, script, { ...how, tty: terminal }).catch((second: unknown) => {
      throw second instanceof BecomeFailed && second.wasAsked ? second : error
    })
    if (opened.channel.tty) place.terminals.add(JSON.stringify(become))
    return opened
  }
}

/** Whether this user is known to be reached over a terminal only. */
export const needsTerminal = (place: Place, become: Become): boolean =>
  asksOnTerminal(become) || place.terminals.has(JSON.stringify(become))

async function attempt(place: Place, script: Script, { become, tty, impatient, shown }: OpenAs): Promise<Opened> {
  const mark = newMark().slice(1, -1)
  const command = become === undefined ? script : becomeCommand(become, script, mark)
  place.meter.sent += command.text.length
  place.meter.roundTrips++
  if (shown) place.tell?.(`EXEC ${command.text}`)
  const channel = await place.link.open(command.text, { tty, impatient, makeRoom: place.makeRoom })
  channel.stdin.on('error', () => {})
  const intake = new Intake(channel, place.meter)
  if (become === undefined) return { channel, intake, pid: undefined }
  return { channel, intake, pid: await handshake(channel, intake, become, mark, { host: place.host, seconds: place.becomeSeconds }) }
}

/**
 * As another user, a script that is given nothing to read reads from nowhere: sudo with a terminal of its own never ends when keys are pressed that its
 * command has not read.
 */
const withoutInput = (script: Script, { become, stdin }: OwnChannelOptions): Script =>
  become === undefined || stdin !== undefined ? script : joinScripts([sh`exec </dev/null`, script])

/** A terminal has no end of input but this key; pressed once for each program that may want to read. */
const NO_MORE_INPUT = '\x04'.repeat(16)

/** Resolves to an error when the content could not be read; a far process that does not read its stdin is no error. */
async function feed(channel: Channel, options: OwnChannelOptions, meter: Meter): Promise<Error | undefined> {
  const { stdin } = options
  if (stdin === undefined || stdin instanceof Uint8Array) {
    meter.sent += stdin?.length ?? 0
    channel.stdin.end(stdin ?? (channel.tty && options.become === undefined ? NO_MORE_INPUT : undefined))
    return undefined
  }
  let broken: Error | undefined
  stdin.on('data', (chunk: Buffer) => {
    meter.sent += chunk.length
  })
  stdin.on('error', (error) => {
    broken = error
    channel.destroy()
  })
  await pipeline(stdin, channel.stdin).catch(() => {})
  return broken
}

/** Where we are another user, the channel's own signals do not reach the process. */
async function stop(place: Place, become: Become | undefined, pid: number | undefined): Promise<void> {
  if (pid !== undefined) await runOnChannel(place, sh`exec sh -c ${stopTree(pid).text}`, { become })
}

/** A background child may hold the streams open for ever; the process's own output has come by then. */
async function quietAfterEnd(channel: Channel, last: () => number): Promise<Awaited<Channel['ended']>> {
  const ending = await channel.ended
  const from = performance.now()
  while (performance.now() - Math.max(last(), from) < QUIET) await new Promise((resolve) => setTimeout(resolve, QUIET / 10).unref())
  return ending
}
