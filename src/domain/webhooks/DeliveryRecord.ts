// The delivery of one event to one subscription, as customers see it and as the subscription's actor handles it.
import { Schema } from "effect"
import { SubscriptionId, type WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, orNull } from "../kit/Fields.ts"
import { SignatureFormat } from "./SubscriptionRecord.ts"

export const DeliveryStatus = Schema.Literals([
  "pending",
  "in_flight",
  "retrying",
  "succeeded",
  "dead_letter",
  "blocked"
])
export type DeliveryStatus = typeof DeliveryStatus.Type

const attempt = {
  at: Schema.String,
  duration_ms: Schema.Int,
  http_status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why there is no response, or why the response is no success."
  })
}

export const Attempt = Schema.Struct({
  ...attempt,
  response_excerpt: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the receiver's response."
  })
})
export type Attempt = typeof Attempt.Type
/** An attempt without the receiver's response. */
export type ListedAttempt = Omit<Attempt, "response_excerpt">

const delivery = {
  id: Schema.String,
  subscription_id: SubscriptionId,
  event_id: Schema.String,
  event_kind: Schema.String,
  status: DeliveryStatus,
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  last_error: Schema.NullOr(Schema.Struct({ code: Schema.String, http_status: Schema.NullOr(Schema.Int) }))
}

export const DeliveryRecord = Schema.Struct({ ...delivery, attempt_log: Schema.Array(Attempt) }).annotate({
  identifier: "WebhookDelivery"
})
export type DeliveryRecord = typeof DeliveryRecord.Type

/** One delivery with what is sent. */
export const DeliveryWithBody = Schema.Struct({
  ...delivery,
  attempt_log: Schema.Array(Attempt),
  body: Schema.NullOr(Schema.String).annotate({
    description:
      "The body that each attempt sends, byte for byte; `null` once the event is no longer stored, and for a caller " +
      "who may not follow this event live."
  })
}).annotate({ identifier: "WebhookDeliveryWithBody" })
export type DeliveryWithBody = typeof DeliveryWithBody.Type

/** A delivery in a list: without the receiver's responses, which would make a page tens of megabytes. */
export const ListedDelivery = Schema.Struct({
  ...delivery,
  attempt_log: Schema.Array(Schema.Struct(attempt))
}).annotate({ identifier: "ListedWebhookDelivery" })
export type ListedDelivery = typeof ListedDelivery.Type

/** A delivery that is due, with its event. Instants are epoch milliseconds. */
export const DueDelivery = Schema.Struct({
  id: Schema.String,
  created_at: Schema.Int,
  /** Attempts made so far. */
  attempts: Schema.Int,
  attempt_log: Schema.Array(Attempt),
  event_id: Schema.String,
  event_kind: Schema.String,
  sequence: Schema.Int,
  occurred_at: Schema.Int,
  /** JSON text. */
  payload: Schema.String
})
export type DueDelivery = typeof DueDelivery.Type

/** The event of a delivery, whatever the delivery's status. */
export type DeliveredEvent = Pick<DueDelivery, "event_id" | "event_kind" | "sequence" | "occurred_at" | "payload">

/** How an attempt ended. `error` is set when there was no HTTP response, or when no attempt could be made. */
export const Outcome = Schema.Struct({
  at: Schema.Int,
  duration_ms: Schema.Int,
  http_status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  response_excerpt: Schema.NullOr(Schema.String),
  retry_after_ms: Schema.NullOr(Schema.Int)
})
export type Outcome = typeof Outcome.Type

/** An attempt that ended, and how. `attempt`: 1 for the first one of its delivery. */
export const FinishedAttempt = Schema.Struct({ delivery_id: Schema.String, attempt: Schema.Int, outcome: Outcome })
export type FinishedAttempt = typeof FinishedAttempt.Type

export interface DeliveryFilter {
  readonly status?: string
  readonly event_kind?: string
  /** Created at or after; epoch milliseconds. */
  readonly from?: number
  /** Created before; epoch milliseconds. */
  readonly to?: number
  /** Ids of deliveries that are being attempted. Their status is `in_flight`, whatever their row says. */
  readonly in_flight?: ReadonlyArray<string>
}

export interface DueQuery {
  readonly workspace_id: WorkspaceId
  readonly subscription_id: SubscriptionId
  readonly now: number
  readonly limit: number
  /** Ids of deliveries that are being attempted: they are neither read nor counted. */
  readonly except: ReadonlyArray<string>
}

/** Read from one snapshot of the database. */
export const DueDeliveries = Schema.Struct({
  /** The revision of the stored subscription: the rows show its writes up to this one. */
  revision: Count,
  /** Ordered by due time. */
  deliveries: Schema.Array(DueDelivery),
  /** More are due than were read. */
  more: Schema.Boolean,
  /** When the next delivery becomes due. */
  next_due_at: orNull(EpochMs)
})
export type DueDeliveries = typeof DueDeliveries.Type

/** Read from one snapshot of the database. */
export interface FoundDeliveries {
  /** The revision of the stored subscription; 0: nothing was found. */
  readonly revision: number
  readonly deliveries: ReadonlyArray<DeliveryRecord>
}

/** How to send an event to a subscription. */
export const SendOptions = Schema.Struct({
  url: Schema.String,
  signature_format: SignatureFormat,
  api_version: Schema.String,
  /** Those in force, newest first. Sealed until they are used. */
  secrets: Schema.Array(Schema.String)
})
export type SendOptions = typeof SendOptions.Type

/** What is sent to a receiver. */
export interface WebhookMessage extends Omit<SendOptions, "api_version"> {
  readonly workspace_id: WorkspaceId
  readonly delivery_id: string
  readonly event_kind: string
  /** JSON text. */
  readonly body: string
}

/** One attempt, which takes a socket of its workspace's share. */
export interface WebhookRequest extends WebhookMessage {
  /** Who the socket is for: the subscription, or a single test of it. */
  readonly receiver: string
  /** Whether the receiver accepted the last delivery. */
  readonly proven: boolean
}
