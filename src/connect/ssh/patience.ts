/** A way to start a command on a host that may have no session to spare → a Channel, waited for as long as makes sense. */
import type { Channel, OpenOptions } from '../channel.ts'
import { ConnectionLost } from '../lost.ts'

/** In ms: how soon, how seldom at most, and for how long a channel is asked for when the host has no session to spare. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 500
const PATIENCE = 60_000
/** A host that refuses the very first channel will refuse the next as well. */
const PATIENCE_AT_FIRST = 500

export interface Asked {
  readonly name: string
  readonly lost: () => ConnectionLost | undefined
  /** an error with a `reason` is a refused channel */
  readonly start: (tty: OpenOptions['tty']) => Promise<Channel>
  /** a channel has been opened before */
  readonly proven: () => boolean
}

/** sshd frees sessions a moment late, and has only so many; a refused terminal is done without. */
export async function patiently({ name, lost, start, proven }: Asked, options: OpenOptions): Promise<Channel> {
  const from = performance.now()
  let tty = options.tty
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return await start(tty)
    } catch (error) {
      const gone = lost()
      if (gone !== undefined) throw gone
      const refused = (error as { reason?: unknown }).reason !== undefined
      if (!refused && tty === 'cooked') {
        tty = undefined
        continue
      }
      const patience = options.impatient ? 0 : proven() ? PATIENCE : PATIENCE_AT_FIRST
      if (!refused || performance.now() - from >= patience) throw refusal(name, error as Error)
      options.makeRoom?.()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

const refusal = (name: string, error: Error): ConnectionLost =>
  new ConnectionLost(`${name}: the host refuses to start a command: ${error.message}`, { cause: error })
