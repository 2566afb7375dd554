/** A name from outside and a table → its entry; names every object knows, such as `constructor`, are in no table. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
