/** A row of `T` as PostgreSQL returns it: its numbers are int8 columns, which come as bigint. */
export type Int8Row<T> = { readonly [K in keyof T]: T[K] extends number ? bigint : T[K] }

/** The row with numbers. All of them must fit into a double: no amount of money and no count is above 2^53. */
export const numbersOf = <T extends object>(row: Int8Row<T>): T =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value])
  ) as T
