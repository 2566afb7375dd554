/** How a template's text is cut: delimiters and the treatment of blanks. */

export interface SyntaxSettings {
  readonly blockStart: string
  readonly blockEnd: string
  readonly variableStart: string
  readonly variableEnd: string
  readonly commentStart: string
  readonly commentEnd: string
  readonly trimBlocks: boolean
  readonly lstripBlocks: boolean
  readonly keepTrailingNewline: boolean
  readonly newlineSequence: string
  readonly doExtension: boolean
  readonly loopControls: boolean
}

/** Ansible's environment: Jinja2's delimiters, and trim_blocks on. */
export const DEFAULT_SYNTAX: SyntaxSettings = {
  blockStart: '{%',
  blockEnd: '%}',
  variableStart: '{{',
  variableEnd: '}}',
  commentStart: '{#',
  commentEnd: '#}',
  trimBlocks: true,
  lstripBlocks: false,
  keepTrailingNewline: false,
  newlineSequence: '\n',
  doExtension: false,
  loopControls: false,
}
