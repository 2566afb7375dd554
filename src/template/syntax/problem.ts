/** A template that does not parse: what is wrong, and where. */

export class TemplateSyntaxError extends Error {
  constructor(
    message: string,
    /** offset in the template's text */
    readonly offset: number,
  ) {
    super(message)
    this.name = 'TemplateSyntaxError'
  }
}
