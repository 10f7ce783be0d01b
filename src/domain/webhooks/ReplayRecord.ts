// Sending again what a subscription was sent before: the events of a stretch of time, each as a new delivery.
import { Schema } from "effect"
import { GivenInstant } from "../GivenInstant.ts"
import { eventKinds } from "./EventTable.ts"

/** Deliveries that one replay makes, at most. */
export const replayMax = 5_000
/** The longest stretch of time that one replay looks at. */
export const replaySpan_ms = 31 * 86_400_000

/** The body of `POST /v1/webhooks/{id}/replay`. */
export const ReplayRequest = Schema.Struct({
  from: GivenInstant.annotate({ description: "Deliveries made at or after this instant, RFC 3339." }),
  to: GivenInstant.annotate({ description: "Deliveries made before this instant, at most 31 days later." }),
  event_kinds: Schema.optionalKey(Schema.Array(Schema.Literals(eventKinds)).check(Schema.isMaxLength(100))).annotate({
    description: "Only events of these kinds; empty or absent: of all."
  }),
  only: Schema.optionalKey(Schema.Literals(["dead_letter", "all"])).annotate({
    description:
      "`dead_letter` (default): what was given up. `all`: what was taken, too. What is still under way is left alone."
  })
}).annotate({ identifier: "WebhookReplayRequest" })
export type ReplayRequest = typeof ReplayRequest.Type

export const ReplayRecord = Schema.Struct({
  replay_id: Schema.String,
  queued: Schema.Int.annotate({ description: "Deliveries that go out now, at most 5,000." }),
  next_from: Schema.NullOr(Schema.String).annotate({
    description: "Set where there was more: ask again from this instant on. Null: that was all."
  })
}).annotate({ identifier: "WebhookReplay" })
export type ReplayRecord = typeof ReplayRecord.Type

/** An event that was delivered before. Instants are epoch milliseconds. */
export const RedeliveredEvent = Schema.Struct({
  event_id: Schema.String,
  event_kind: Schema.String,
  subject_id: Schema.String,
  sequence: Schema.Int
})
export type RedeliveredEvent = typeof RedeliveredEvent.Type

/** A row that a replay may take, by when it was made. */
export interface Replayable extends RedeliveredEvent {
  readonly created_at: number
}

/**
 * What one replay takes of the rows found, which are in order of time and one more than it may take where there are more:
 * each event once, and rows of one instant together, so that `next_from` leaves none out and takes none twice.
 */
export const replayOf = (
  rows: ReadonlyArray<Replayable>,
  limit = replayMax
): { readonly events: ReadonlyArray<RedeliveredEvent>; readonly next_from: string | null } => {
  const left = rows[limit]
  const taken = left === undefined ? rows : rows.filter(({ created_at }) => created_at < left.created_at)
  const events = new Map(taken.map(({ created_at: _, ...event }) => [event.event_id, event]))
  return {
    events: [...events.values()],
    next_from: left === undefined ? null : new Date(left.created_at).toISOString()
  }
}
