// A replay sends the events of a period to a subscription again, each as a new delivery.
import { Schema } from "effect"
import { isoInstant } from "../kit/Instants.ts"
import { GivenInstant } from "../GivenInstant.ts"
import { eventKinds } from "../events/EventTable.ts"

/** Most deliveries that one replay makes. */
export const maxReplay = 5_000
/** The longest period of one replay. */
export const maxReplaySpan_ms = 31 * 86_400_000

/** The body of `POST /v1/webhooks/{id}/replay`. */
export const ReplayRequest = Schema.Struct({
  from: GivenInstant.annotate({ description: "Deliveries made at or after this instant, RFC 3339." }),
  to: GivenInstant.annotate({ description: "Deliveries made before this instant, at most 31 days later." }),
  event_kinds: Schema.optionalKey(Schema.Array(Schema.Literals(eventKinds)).check(Schema.isMaxLength(100))).annotate({
    description: "Only events of these kinds. Empty or absent: all kinds."
  }),
  only: Schema.optionalKey(Schema.Literals(["dead_letter", "all"])).annotate({
    description:
      "`dead_letter` (default): deliveries that failed for good. `all`: successful deliveries too. Pending deliveries are skipped."
  })
}).annotate({ identifier: "WebhookReplayRequest" })
export type ReplayRequest = typeof ReplayRequest.Type

export const ReplayRecord = Schema.Struct({
  replay_id: Schema.String,
  queued: Schema.Int.annotate({ description: "Deliveries that were made, at most 5,000." }),
  next_from: Schema.NullOr(Schema.String).annotate({
    description: "Set if there were more: replay again from this instant. Null: nothing remains."
  })
}).annotate({ identifier: "WebhookReplay" })
export type ReplayRecord = typeof ReplayRecord.Type

/** An event that was delivered before. */
export const RedeliveredEvent = Schema.Struct({
  event_id: Schema.String,
  event_kind: Schema.String,
  subject_id: Schema.String,
  sequence: Schema.Int
})
export type RedeliveredEvent = typeof RedeliveredEvent.Type

/** A delivery that a replay may repeat. `created_at`: epoch milliseconds. */
export interface Replayable extends RedeliveredEvent {
  readonly created_at: number
}

/**
 * Chooses the events of one replay. `rows` are ordered by `created_at`; there are at most `limit + 1` of them. Each
 * event is taken once. Rows of one instant stay together, so that `next_from` neither skips nor repeats an event.
 */
export const replayOf = (
  rows: ReadonlyArray<Replayable>,
  limit = maxReplay
): { readonly events: ReadonlyArray<RedeliveredEvent>; readonly next_from: string | null } => {
  const next = rows[limit]
  const taken = next === undefined ? rows : rows.filter(({ created_at }) => created_at < next.created_at)
  const events = new Map(taken.map(({ created_at: _, ...event }) => [event.event_id, event]))
  return {
    events: [...events.values()],
    next_from: next === undefined ? null : isoInstant(next.created_at)
  }
}

export interface ReplayQuery {
  /** Epoch milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Empty: all kinds. */
  readonly event_kinds: ReadonlyArray<string>
  readonly only: NonNullable<ReplayRequest["only"]>
}
