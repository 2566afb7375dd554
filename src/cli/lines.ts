/** Standard input as lines that are asked for one at a time: what was typed ahead is kept for the next question. */
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export class Lines {
  readonly #input: Readable
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #ended = false
  #listening = false
  #wake: () => void = () => undefined

  constructor(input: Readable) {
    this.#input = input
  }

  /** The next line without its end; undefined at the end of input. */
  async next(): Promise<string | undefined> {
    this.#listen()
    for (;;) {
      const end = this.#text.indexOf('\n')
      if (end >= 0) {
        const line = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 1)
        return line
      }
      if (this.#ended) return this.#rest()
      this.#input.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#input.pause()
    }
  }

  #rest(): string | undefined {
    const rest = this.#text
    this.#text = ''
    return rest === '' ? undefined : rest
  }

  #listen(): void {
    if (this.#listening) return
    this.#listening = true
    const end = (): void => {
      this.#ended = true
      this.#wake()
    }
    this.#input.on('data', (chunk: Buffer) => {
      this.#text += this.#decoder.write(chunk)
      this.#wake()
    })
    this.#input.on('end', end).on('error', end).on('close', end)
  }
}
