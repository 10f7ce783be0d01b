// One table for the members of a state that is written often: what each member is, how it begins, and when storage
// leaves it out. The type of the state, its beginning, its stored schema and its stored form follow from the table.
import { Schema } from "effect"

/** Makes the value to store of a member's value. Undefined leaves the member out. */
type Sparing = (value: never) => unknown

interface Member<Kept extends Schema.Constraint, Stored extends Schema.Constraint | null, Beginning> {
  /** The member in memory. */
  readonly kept: Kept
  /** The member in storage; null: it is never stored. */
  readonly stored: Stored
  /** Its value in a new state; undefined: a new state does not have it. */
  readonly beginning: Beginning
  readonly sparing: Sparing
}

type Members = Readonly<Record<string, Member<Schema.Constraint, Schema.Constraint | null, unknown>>>

type KeptFields<M extends Members> = { readonly [Name in keyof M]: M[Name]["kept"] }

type StoredFields<M extends Members> = {
  readonly [Name in keyof M as M[Name]["stored"] extends null ? never : Name]: NonNullable<M[Name]["stored"]>
}

/** The members that a new state has. */
type Beginning<M extends Members> = {
  readonly [Name in keyof M as M[Name]["beginning"] extends undefined ? never : Name]: M[Name]["beginning"]
}

/** The state in memory. */
export type StateOf<M extends Members> = Schema.Struct.Type<KeptFields<M>>

/** What is stored. */
type StoredOf<M extends Members> = Schema.Struct.Type<StoredFields<M>>

const asItIs = <A>(value: A): A => value
const unlessNull = <A>(value: A | null): A | undefined => value ?? undefined
const unlessEmpty = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | undefined => (list.length === 0 ? undefined : list)

/** Always stored. Whoever makes a new state gives it. */
export const given = <S extends Schema.Constraint>(schema: S) => ({
  kept: schema,
  stored: schema,
  beginning: undefined,
  sparing: asItIs
})

/** A member that is always stored, and that begins as `beginning`. */
export const beginsAs = <S extends Schema.Constraint>(schema: S, beginning: S["Type"]) => ({
  ...given(schema),
  beginning
})

/** A member of which storage allows less than memory: a new state is not stored. */
export const storedAs = <
  Kept extends Schema.Constraint,
  Stored extends Schema.Constraint,
  const Beginning extends Kept["Type"]
>(
  kept: Kept,
  stored: Stored,
  beginning: Beginning
) => ({ kept, stored, beginning, sparing: asItIs })

/** Null in a new state. Storage leaves null out. */
export const nullable = <S extends Schema.Constraint>(schema: S) => ({
  kept: Schema.NullOr(schema),
  stored: Schema.optionalKey(Schema.NullOr(schema)),
  beginning: null,
  sparing: unlessNull
})

/** A list that is empty in a new state. Storage leaves an empty list out. */
export const list = <S extends Schema.Constraint>(schema: S) => {
  const beginning: ReadonlyArray<never> = []
  return {
    kept: Schema.Array(schema),
    stored: Schema.optionalKey(Schema.Array(schema)),
    beginning,
    sparing: unlessEmpty
  }
}

/** Absent from a new state. */
export const optional = <S extends Schema.Constraint>(schema: S) => given(Schema.optionalKey(schema))

/** Absent from a new state, and never stored. */
export const unstored = <S extends Schema.Constraint>(schema: S) => ({
  kept: Schema.optionalKey(schema),
  stored: null,
  beginning: undefined,
  sparing: asItIs
})

/** A part of the state with a table of its own. */
export const nested = <M extends Members>(members: M) => ({
  kept: Schema.Struct(keptFields(members)),
  stored: Schema.Struct(storedFields(members)),
  beginning: beginningOf(members),
  sparing: sparseBy(members)
})

const keptFields = <M extends Members>(members: M) =>
  Object.fromEntries(Object.entries(members).map(([name, { kept }]) => [name, kept])) as KeptFields<M>

/** The fields of the stored state's schema. */
export const storedFields = <M extends Members>(members: M) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, { stored }]) => (stored === null ? [] : [[name, stored]]))
  ) as StoredFields<M>

/** The members of a new state, except for those that its maker gives. */
export const beginningOf = <M extends Members>(members: M) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, { beginning }]) => (beginning === undefined ? [] : [[name, beginning]]))
  ) as Beginning<M>

type Sparse<M extends Members> = (state: StateOf<M>) => StoredOf<M>

/** Makes the function that gives what is stored of a state: its members, without those that storage leaves out. */
export const sparseBy = <M extends Members>(members: M): Sparse<M> => {
  const rules = Object.entries(members).flatMap(([name, { sparing, stored }]) =>
    stored === null ? [] : [[name, sparing as (value: unknown) => unknown] as const]
  )
  return (state: Readonly<Record<string, unknown>>) => {
    // A state is written with every change, so this is a loop that makes no other objects.
    const sparse: Record<string, unknown> = {}
    for (const [name, sparing] of rules) {
      const value = sparing(state[name])
      if (value !== undefined) sparse[name] = value
    }
    return sparse as StoredOf<M>
  }
}
