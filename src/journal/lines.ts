/** Records → lines of a file, written a burst at a time; and back, where the last line may have been cut off. */
import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/** A file of lines that only grows. What is written survives the program's death at once, and the machine's after a second. */
export class LineFile {
  readonly path: string
  #fd: number | undefined
  #waiting: string[] = []
  #size = 0
  #planned = false
  #unsafe = false
  #syncing: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.path = path
    this.#fd = openWhole(path)
  }

  /** One more line; it is in the file when the event loop turns. */
  add(line: string): void {
    this.#waiting.push(line, '\n')
    this.#size += line.length
    if (this.#size >= MOST_WAITING) this.flush()
    else if (!this.#planned) {
      this.#planned = true
      setImmediate(() => {
        this.#planned = false
        this.flush()
      })
    }
  }

  /** Everything is in the file when this returns. A full disk costs the lines, not the run. */
  flush(): void {
    if (this.#waiting.length === 0 || this.#fd === undefined) return
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#size = 0
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
    } catch (error) {
      this.failed = (error as Error).message
    }
    this.#syncSoon()
  }

  /** why lines are missing */
  failed: string | undefined

  close(): void {
    this.flush()
    clearTimeout(this.#syncing)
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  /** The file has been put into the place of this one. */
  reopen(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = openWhole(this.path)
  }

  #syncSoon(): void {
    this.#unsafe = true
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined
      if (this.#fd === undefined || !this.#unsafe) return
      this.#unsafe = false
      fdatasync(this.#fd, () => undefined)
    }, SYNC_AFTER).unref()
  }
}

const MOST_WAITING = 256 * 1024
const SYNC_AFTER = 1000

/** Opens a file to add lines; what a cut off line has left is taken away. */
function openWhole(path: string): number {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600)
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  if (size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)) return fd
  ftruncateSync(fd, readFileSync(path).lastIndexOf(NEWLINE) + 1)
  return fd
}

const NEWLINE = 10

/** The records of a file; lines that are none, as the last one may be, are passed over. */
export function* recordsOf(path: string): Generator<unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return
  }
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    if (end === -1) return
    const record = parsed(text.slice(from, end))
    if (record !== undefined) yield record
    from = end + 1
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
