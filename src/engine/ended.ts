/** A person has ended the run: thrown through everything, with the exit code. */
export class Ended extends Error {
  constructor(readonly code: number) {
    super('the run was ended')
  }
}
