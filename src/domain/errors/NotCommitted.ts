import { Data } from "effect"

export const notCommittedReasons = ["stale", "duplicate", "captured", "unavailable"] as const

/** The decision was not stored, or it is not known whether it was. The caller may send the command again. */
export class NotCommitted extends Data.TaggedError("NotCommitted")<{
  /**
   * `stale`: another process wrote the actor first. `duplicate`: the Idempotency-Key is taken. `captured`: the hold to
   * be placed was captured before, so its call exists and is charged. `unavailable`: the database or the actor's node
   * did not answer.
   */
  readonly reason: (typeof notCommittedReasons)[number]
  /** It may have been stored: it was sent, the answer was lost, and nobody could be asked what became of it. */
  readonly unknown?: true
  readonly cause?: unknown
}> {}
