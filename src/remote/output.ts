/** What came back from a script: bytes, as they were. */

export interface Output {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** the exit status; 128+n or a negative number for a signal, as the caller's protocol tells it */
  readonly code: number
}

/** UTF-8 text of bytes; bytes that are no UTF-8 become U+FFFD. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
