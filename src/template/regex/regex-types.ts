/** The shapes of compiled Python regular expressions and of what they find. */

export interface RegexOptions {
  readonly ignoreCase?: boolean
  readonly multiline?: boolean
  readonly dotAll?: boolean
  /** \w, \d and \s mean ASCII alone, as in patterns of bytes */
  readonly ascii?: boolean
}

/** What was found: text and place of the whole, the groups from 1, undefined where one took no part. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly groups: readonly (string | undefined)[]
}

/** One compiled Python regular expression. */
export interface PyRegex {
  readonly pattern: string
  readonly groups: number
  readonly names: ReadonlyMap<string, number>
  search(text: string, from?: number): Found | undefined
  match(text: string): Found | undefined
  fullmatch(text: string): Found | undefined
  /** every match, one after the other, as re.finditer gives them */
  all(text: string): Generator<Found>
}
