/** Ends the program with a code, its message already said. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}
