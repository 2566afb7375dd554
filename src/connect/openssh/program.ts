/** A prepared folder → an ssh that runs, is logged in, and shares its connection; it ends and the folder goes when we let go of it, however we end. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Folder } from './folder.ts'

export interface Program {
  /** resolves once commands can be sent; to false when it ended before */
  readonly ready: Promise<boolean>
  /** it has ended and left nothing */
  readonly gone: Promise<void>
  readonly ended: () => boolean
  /** what it said on stderr */
  readonly said: () => string[]
  end(): void
}

/**
 * A process group of its own: a Ctrl-C on our terminal does not reach it. Its shell reads from a pipe that we hold: when that closes, because we are done or
 * because we were killed, the group is ended and the folder is removed.
 */
const GUARD = `trap : TERM HUP INT
exec 3<&0
sh "$0" </dev/null 3<&- & ssh=$!
{ read -r _ <&3; kill -TERM 0; } &
wait $ssh; code=$?
while kill -0 $ssh 2>/dev/null; do wait $ssh; code=$?; done
rm -rf "$1"
kill -TERM 0
exit $code`

/** In ms. */
const LOOK = 15
const LAST_WORDS = 300

export function startProgram(folder: Folder): Program {
  const child = spawn('/bin/sh', ['-c', GUARD, folder.script, folder.path], { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  let words = ''
  let over = false
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000)
  })
  child.stdin.on('error', () => {})
  const gone = new Promise<void>((resolve) => {
    const finish = (): void => {
      over = true
      folder.remove()
      resolve()
    }
    child.once('error', finish)
    child.once('close', finish)
    // what it has started may hold its stderr open
    child.once('exit', () => setTimeout(finish, LAST_WORDS))
  })
  const ready = new Promise<boolean>((resolve) => {
    const look = (): void => {
      if (over) resolve(false)
      else if (existsSync(folder.socket)) resolve(true)
      else setTimeout(look, LOOK)
    }
    look()
  })
  return {
    ready,
    gone,
    ended: () => over,
    said: () =>
      words
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '' && !/^Warning: Permanently added/.test(line)),
    end: () => child.stdin.end(),
  }
}
