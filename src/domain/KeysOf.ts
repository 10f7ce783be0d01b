/** The keys of a table, with their type: `Object.keys` says `string`, because an object may have more than its type. */
export const keysOf = <T extends object>(table: T): ReadonlyArray<keyof T & string> =>
  Object.keys(table) as Array<keyof T & string>
