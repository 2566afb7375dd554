/** Turns the making of something into a function that makes it when it is first asked for: patterns of whole alphabets take long to build. */

export function later<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
