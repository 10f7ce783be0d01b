// The values of `record` in an originate, a dial and the routing of a number (docs/recordings.md).
import { Schema } from "effect"

export const RecordMode = Schema.Literals([
  "do-not-record",
  "record-from-answer",
  "record-from-ringing",
  "record-from-answer-dual",
  "record-from-ringing-dual"
])
export type RecordMode = typeof RecordMode.Type

/** As customers write it: `true` is `record-from-answer`. */
export const RecordValue = Schema.Union([RecordMode, Schema.Literal(true)])
export type RecordValue = typeof RecordValue.Type

export interface RecordWish {
  readonly from: "answer" | "ringing"
  /** 2: each side of the call has its own channel. */
  readonly channels: 1 | 2
}

const wishes: Readonly<Record<RecordMode, RecordWish | undefined>> = {
  "do-not-record": undefined,
  "record-from-answer": { from: "answer", channels: 1 },
  "record-from-ringing": { from: "ringing", channels: 1 },
  "record-from-answer-dual": { from: "answer", channels: 2 },
  "record-from-ringing-dual": { from: "ringing", channels: 2 }
}

/** Undefined if nothing is recorded. */
export const recordWish = (value: RecordValue | undefined): RecordWish | undefined =>
  wishes[value === true ? "record-from-answer" : (value ?? "do-not-record")]
