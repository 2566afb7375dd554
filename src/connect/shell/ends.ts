/** How a script can end other than by itself → the errors that say so. */
import type { Ending } from '../channel.ts'
import { ConnectionLost, ShellDied, TimedOut } from '../lost.ts'

export const timedOut = (host: string, seconds: number): TimedOut =>
  new TimedOut(`${host}: the script ran longer than ${seconds} s and was ended`, { notes: ['its processes were killed'] })

export const abortReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('interrupted', { cause: signal.reason })

/** Why a script has no result, by how its channel ended. */
export function died(host: string, ending: Ending): ConnectionLost | ShellDied {
  if (ending.how === 'lost') return ending.error
  const how = ending.how === 'exit' ? ` with code ${ending.code}` : ending.how === 'signal' ? ` by ${ending.signal}` : ''
  return new ShellDied(`${host}: the shell ended${how} while a script was running in it; how far the script came is not known`)
}

/** Why no shell came up: an account that may not log in, or start-up files that never end. */
export function neverCameUp(host: string, ending: Ending | undefined, said: string): ConnectionLost {
  if (ending?.how === 'lost') return ending.error
  const how =
    ending === undefined
      ? 'does not start within the time given'
      : ending.how === 'exit'
        ? `ends with code ${ending.code} at once`
        : 'ends at once'
  const notes = said
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `it said: ${line}`)
  return new ConnectionLost(`${host}: the login works, but the shell ${how}`, { notes })
}
