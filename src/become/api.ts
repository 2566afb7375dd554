/** How one becomes another user on a host, as plain data; `becomeCommand` in this room turns it and a command into a command. */

export interface Become {
  readonly method: string // sudo, su, doas, run0 …
  readonly user: string
  readonly password?: string | undefined
  /** e.g. `-H -S -n` for sudo */
  readonly flags?: string | undefined
  readonly exe?: string | undefined
  /** becomes who one is already, too */
  readonly always?: boolean | undefined
}
