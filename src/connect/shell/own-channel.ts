/** A script → its Output, over a channel of its own: what needs the user's login shell, a terminal, or a long stream into stdin. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { asksOnTerminal, type Become, becomeCommand } from '../../become/index.ts'
import { type Output, quote, type Script, userScript } from '../../remote/index.ts'
import { type Channel, codeOf, type Link } from '../channel.ts'
import type { Meter } from '../meter.ts'
import { exportsOf } from './frame.ts'
import { handshake } from './handshake.ts'
import { Intake } from './intake.ts'
import { abortReason, died, newMark, timedOut } from './shell.ts'

export interface OwnChannelOptions {
  readonly become?: Become | undefined
  readonly stdin?: Uint8Array | Readable | undefined
  readonly env?: ReadonlyMap<string, string> | undefined
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
}

/** After the process has ended, how long its streams may stand still while something in the background keeps them open. */
const QUIET = 300

export async function runOnChannel(place: Place, script: Script, options: OwnChannelOptions): Promise<Output> {
  const { channel, intake } = await openAs(place, withEnv(script, options.env), options)
  const pieces: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  let last = 0
  intake.direct((chunk, stream) => {
    last = performance.now()
    pieces[stream].push(chunk)
    options.onOutput?.(chunk, stream)
  })
  const cut = cutting(channel, place.host, options)
  const fed = feed(channel, options, place.meter)
  const ending = await Promise.race([channel.closed, quietAfterEnd(channel, () => last), cut.happened])
  cut.stop()
  channel.destroy()
  const failure = cut.failure()
  if (failure !== undefined) throw failure
  if (ending.how === 'lost' || ending.how === 'unknown') throw died(place.host, ending)
  const unread = await Promise.race([fed, Promise.resolve(undefined)])
  if (unread !== undefined) throw unread
  return { stdout: Buffer.concat(pieces.stdout), stderr: Buffer.concat(pieces.stderr), code: codeOf(ending) }
}

/** A channel that runs the script as the user asked for, past any password. */
export async function openAs(
  place: Place,
  script: Script,
  options: { readonly become?: Become | undefined; readonly tty?: boolean | 'raw' | undefined },
): Promise<{ channel: Channel; intake: Intake }> {
  const { become } = options
  const mark = newMark().slice(1, -1)
  const command = become === undefined ? script : becomeCommand(become, script, mark)
  const tty = options.tty === 'raw' || (become !== undefined && asksOnTerminal(become)) ? 'raw' : options.tty ? 'cooked' : undefined
  place.meter.sent += command.text.length
  place.meter.roundTrips++
  const channel = await place.link.open(command.text, { tty })
  channel.stdin.on('error', () => {})
  const intake = new Intake(channel, place.meter)
  if (become !== undefined) await handshake(channel, intake, become, mark, { host: place.host, seconds: place.becomeSeconds })
  return { channel, intake }
}

/** Variables travel on stdin, where no process list shows them; the login shell then is sh. */
function withEnv(script: Script, env: ReadonlyMap<string, string> | undefined): Script {
  if (env === undefined || env.size === 0) return script
  const words = `E=;while IFS= read -r L&&[ "$L" != '#end' ];do E="$E$L\n";done;eval "$E";unset E L;${script.text}`
  return userScript(`exec sh -c ${quote(words)}`)
}

/** Resolves to an error when the content could not be read; a far process that does not read its stdin is no error. */
async function feed(channel: Channel, options: OwnChannelOptions, meter: Meter): Promise<Error | undefined> {
  const { stdin, env } = options
  if (env !== undefined && env.size > 0) channel.stdin.write(`${exportsOf(env)}\n#end\n`)
  if (stdin === undefined || stdin instanceof Uint8Array) {
    meter.sent += stdin?.length ?? 0
    channel.stdin.end(stdin)
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

/** A background child may hold the streams open for ever; the process's own output has come by then. */
async function quietAfterEnd(channel: Channel, last: () => number): Promise<Awaited<Channel['ended']>> {
  const ending = await channel.ended
  const from = performance.now()
  while (performance.now() - Math.max(last(), from) < QUIET) await new Promise((resolve) => setTimeout(resolve, QUIET / 3).unref())
  return ending
}

function cutting(channel: Channel, host: string, options: OwnChannelOptions) {
  let failure: Error | undefined
  let tell: (ending: { how: 'unknown' }) => void
  const happened = new Promise<{ how: 'unknown' }>((resolve) => {
    tell = resolve
  })
  const cut = (error: Error): void => {
    failure ??= error
    channel.signal('TERM')
    setTimeout(() => channel.signal('KILL'), 500).unref()
    setTimeout(() => tell({ how: 'unknown' }), 600)
  }
  const { timeoutSeconds, signal } = options
  const timer = timeoutSeconds ? setTimeout(() => cut(timedOut(host, timeoutSeconds)), timeoutSeconds * 1000) : undefined
  const onAbort = (): void => cut(abortReason(signal!))
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return {
    happened,
    failure: () => failure,
    stop: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
