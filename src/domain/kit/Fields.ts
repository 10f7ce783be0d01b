// The members that records and states have in common, named once. Records of the API give instants as text; states and
// rows hold them as numbers.
import { Schema } from "effect"

/** An instant in epoch milliseconds. */
export const EpochMs = Schema.Int

/** An instant in epoch milliseconds that may have a fraction. Calls have always accepted them. */
export const FiniteMs = Schema.Finite

/** An instant as text (RFC 3339, in UTC), as the API shows it. */
export const IsoInstant = Schema.String

/** How many, or how often. */
export const Count = Schema.Int

/** Money in minor units of its currency. */
export const Minor = Schema.Int

/** A member that is always present and may be null. */
export const orNull = <S extends Schema.Top>(schema: S) => Schema.NullOr(schema)

/** A member that may be left out. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(schema)
