/** Bytes that are too many to be held → blocks of a file without a name, which nobody else can open and which is gone when the program is. */
import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is written at one go, and what a stream holds at most. */
export const BLOCK = 1024 * 1024

/** Made at the first byte. */
export class Spill {
  #fd: number | undefined
  #blocks = 0
  readonly #free: number[] = []

  /** Writes up to a block and gives back where it is; nothing where the disk is full or nowhere may be written. */
  write(bytes: Uint8Array): number | undefined {
    const block = this.#free.pop() ?? this.#blocks++
    try {
      const fd = this.#open()
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, block * BLOCK + done)
      return block
    } catch {
      this.#free.push(block)
      return undefined
    }
  }

  read(block: number, into: Uint8Array, at: number, length: number): void {
    const fd = this.#open()
    for (let done = 0; done < length; ) {
      const count = readSync(fd, into, at + done, length - done, block * BLOCK + done)
      if (count === 0) throw new Error('the file for large output has lost its end')
      done += count
    }
  }

  /** The blocks may be written anew; where none is in use any more, the disk gets all of it back. */
  release(blocks: Iterable<number>): void {
    this.#free.push(...blocks)
    if (this.#free.length < this.#blocks) return
    this.#free.length = 0
    this.#blocks = 0
    if (this.#fd !== undefined) ftruncateSync(this.#fd, 0)
  }

  #open(): number {
    if (this.#fd === undefined) {
      const fd = openNameless()
      this.#fd = fd
      unused.register(this, fd)
    }
    return this.#fd
  }
}

const unused = new FinalizationRegistry<number>((fd) => closeSync(fd))

/** Not in /tmp if that can be avoided, which may itself be memory. */
function openNameless(): number {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? (isFolder('/var/tmp') ? '/var/tmp' : tmpdir()), 'tsspray-'))
  try {
    return openSync(join(folder, 'output'), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
