import type { Schema } from "effect"
import { keysOf } from "../KeysOf.ts"

/**
 * The record of a state: the members of the record's schema, in the order of the schema. `own` has those that differ
 * from the state; the others are taken from the state as they are.
 */
export const recordOf = <F extends Schema.Struct.Fields, Own extends Partial<Schema.Struct.Type<F>>>(
  { fields }: { readonly fields: F },
  state: Omit<Schema.Struct.Type<F>, keyof Own>,
  own: Own
): Schema.Struct.Type<F> => {
  const members: Readonly<Record<string, unknown>> = { ...state, ...own }
  const present = keysOf(fields).filter((key) => key in members)
  return Object.fromEntries(present.map((key) => [key, members[key]])) as Schema.Struct.Type<F>
}
