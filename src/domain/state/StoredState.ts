/**
 * The stored state of an actor: a schema with a version, and an upgrade from every version before it.
 *
 * 1. Describe what is stored, beside the actor's state:
 *
 *        const StoredWallet = Schema.Struct({ balance_minor: Schema.Int, ... })
 *        export const walletState = storedState({ schema: StoredWallet, upgrades: [] })
 *
 * 2. Write it in `record`: `state: walletState.write({ balance_minor, ... })`. The state is its own JSON: the schema
 *    checks what is read, and nothing is encoded on the hot path.
 * 3. Read it in the actor's definition. The callback adds what is not stored with it:
 *
 *        restore: walletState.restore((stored, row, id) => ({ ...stored, holds: holdsOf(row.holds) }))
 *
 * 4. Everything else that reads such rows, as lists do, calls `walletState.view(state)`: it upgrades and does not
 *    check.
 * 5. To change what is stored: change the schema, append an upgrade from the former version, and add states of that
 *    version to the actor's file in test/fixtures/states. Never edit an upgrade that was released.
 *
 * A row is read when its actor is activated. A row that is damaged, or that a newer engine wrote, is `Unreadable`: it
 * stops that actor alone, and the runtime leaves the row as it is.
 */
import { Result, Schema, SchemaIssue } from "effect"
import type { Stored } from "../journal/Rows.ts"
import { pointer } from "../json/JsonPointer.ts"

type Json = Readonly<Record<string, unknown>>

/** A stored state that this engine cannot read: it is damaged, or a newer engine wrote it. */
export class Unreadable extends Error {
  readonly _tag = "Unreadable"
  override readonly name = "Unreadable"
}

/** Makes an actor's state of its row. Throws `Unreadable`. */
export interface Restore<State> {
  (row: Stored, id: string): State
  readonly version: number
}

export interface StoredState<S> {
  /** What is stored in the present version. */
  readonly schema: Schema.Codec<S, unknown>
  /** The version that `write` names: the number of upgrades. */
  readonly version: number
  /** The JSON text to store, its version (`v`) first. */
  readonly write: (state: S) => string
  readonly decode: (text: string) => Result.Result<S, Unreadable>
  /** The same as `decode`, but throws `Unreadable`. */
  readonly read: (text: string) => S
  /**
   * The state of a row as text or as parsed JSON, upgraded but not checked: for reads of many rows. Throws
   * `Unreadable` for text that is not JSON and for a newer version.
   */
  readonly view: (stored: string | object) => S
  /** `restore` of an actor: `complete` adds what is not stored with the state. */
  readonly restore: <State>(complete: (state: S, row: Stored, id: string) => State) => Restore<State>
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Names the places, not the values: those may be secrets or phone numbers. */
const placesOf = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.slice(0, 5)
    .map(({ path = [] }) => pointer(path) || "/")
    .join(", ")

const parse = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

const withVersion = (version: number, text: string): string =>
  text === "{}" ? `{"v":${version}}` : `{"v":${version},${text.slice(1)}`

/**
 * `upgrades[n]` turns a state of version n into one of version n + 1. A row without a version has version 0. Members
 * that the schema does not know are dropped.
 */
export const storedState = <S extends I, I extends object>(options: {
  readonly schema: Schema.Codec<S, I>
  readonly upgrades: ReadonlyArray<(stored: Json) => Json>
}): StoredState<S> => {
  const { schema, upgrades } = options
  const version = upgrades.length
  const check = Schema.decodeUnknownResult(schema)

  const upgraded = (parsed: Json | undefined): Result.Result<Json, Unreadable> => {
    if (parsed === undefined) return Result.fail(new Unreadable("The stored state is not a JSON object."))
    const { v = 0, ...stored } = parsed
    if (typeof v !== "number" || !Number.isInteger(v) || v < 0 || v > version) {
      const message = `The stored state has version ${JSON.stringify(v)}; this engine reads 0 to ${version}.`
      return Result.fail(new Unreadable(message))
    }
    return Result.try({
      try: () => upgrades.slice(v).reduce((state, upgrade) => upgrade(state), stored as Json),
      catch: (cause) => new Unreadable(`The stored state could not be upgraded from version ${v}.`, { cause })
    })
  }

  const decode = (text: string): Result.Result<S, Unreadable> =>
    Result.flatMap(upgraded(parse(text)), (stored) =>
      Result.mapError(
        check(stored),
        ({ issue }) => new Unreadable(`The stored state does not match its schema at ${placesOf(issue)}.`)
      )
    )

  const orThrow = <A>(result: Result.Result<A, Unreadable>): A => Result.getOrThrowWith(result, (error) => error)
  const read = (text: string): S => orThrow(decode(text))

  return {
    schema,
    version,
    // Joining texts is faster than a copy of the state with one more member.
    write: (state) => withVersion(version, JSON.stringify(state)),
    decode,
    read,
    view: (stored) => orThrow(upgraded(typeof stored === "string" ? parse(stored) : (stored as Json))) as unknown as S,
    restore: (complete) => Object.assign((row: Stored, id: string) => complete(read(row.state), row, id), { version })
  }
}
