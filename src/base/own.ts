/** Tables whose names come from outside: how one is asked, and how an empty one begins. */

/** A name from outside and a table → its entry; names every object knows, such as `constructor`, are in no table. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** A table that is still empty, to be filled under names from outside: `__proto__` is a name like any other in it. */
export const record = <T>(): Record<string, T> => Object.create(null) as Record<string, T>
