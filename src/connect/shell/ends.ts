/** How a script can end other than by itself → the errors that say so. */
import { codeOf, type Ending } from '../channel.ts'
import { ConnectionLost, ShellDied, TimedOut } from '../lost.ts'

export const timedOut = (host: string, seconds: number): TimedOut =>
  new TimedOut(`${host}: the script ran longer than ${seconds} s and was ended`, { notes: ['its processes were killed'] })

export const abortReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('interrupted', { cause: signal.reason })

/** Why a script has no result, by how its channel ended. */
export function died(host: string, ending: Ending): ConnectionLost | ShellDied {
  if (ending.how === 'lost') return ending.error
  return new ShellDied(`${host}: the shell ${howEnded(ending)} while a script was running in it; how far the script came is not known`)
}

/** A shell in a shell that is killed gives its signal in its code. */
function howEnded(ending: Ending): string {
  const code = codeOf(ending)
  if (ending.how === 'unknown') return 'ended'
  return code > 128 && code < 255 ? `was killed (signal ${code - 128})` : `ended with code ${code}`
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
