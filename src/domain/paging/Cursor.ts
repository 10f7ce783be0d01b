import { Option, Result, Schema } from "effect"
import { InvalidCursor } from "../errors/GeneralErrors.ts"
import type { CursorSigner } from "./CursorSigner.ts"

/** A row's place in a list: the value the list is sorted by, and the id that orders equal ones. */
export interface Position {
  readonly sort: number | string
  readonly id: string
}

/**
 * All that decides which rows a list holds and in which order: the list's name, the workspace, the filters. A
 * cursor serves only the query it came from, so it can neither skip rows nor be carried to another workspace.
 */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type Signer = CursorSigner["Service"]

const Payload = Schema.fromJsonString(Schema.Tuple([Schema.Union([Schema.Number, Schema.String]), Schema.String]))
const decodePayload = Schema.decodeUnknownOption(Payload)

const queryText = (query: Query): string => {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined)
  return JSON.stringify(parts.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The cursor of the page after `last`. It does not expire. */
export const encodeCursor = (signer: Signer, last: Position, query: Query): string =>
  signer.seal(JSON.stringify([last.sort, last.id]), queryText(query))

export const decodeCursor = (signer: Signer, cursor: string, query: Query): Result.Result<Position, InvalidCursor> =>
  Option.match(decodePayload(signer.open(cursor, queryText(query))), {
    onNone: () => Result.fail(new InvalidCursor()),
    onSome: ([sort, id]) => Result.succeed({ sort, id })
  })
