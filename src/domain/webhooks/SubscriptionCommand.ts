// Everything that can be asked of a subscription, as it crosses between processes, and what it answers.
import { Schema } from "effect"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { DueDelivery, Outcome } from "./DeliveryRecord.ts"
import { SubscriptionRecord } from "./SubscriptionRecord.ts"
import { tagged } from "../Tagged.ts"

/** What is fixed when a subscription is made. */
export const SubscriptionFacts = Schema.Struct({
  workspace_id: Schema.String,
  url: Schema.String,
  description: Schema.String,
  events: Schema.Array(Schema.String),
  kinds: Schema.Array(Schema.String),
  number_ids: Schema.Array(Schema.String),
  signature_format: Schema.Literals(["timestamped", "body_hex"]),
  api_version: Schema.String,
  source: Schema.Literals(["api", "number_routing"]),
  /** Sealed. Null: it was never set, and deliveries are blocked. */
  secret: Schema.NullOr(Schema.String)
})
export type SubscriptionFacts = typeof SubscriptionFacts.Type

export const SubscriptionCommand = Schema.Union([
  tagged("Create", { facts: SubscriptionFacts, idempotency: Schema.optionalKey(IdempotentRequest) }),
  /** There may be deliveries to make: the fan-out made some, or one's time has come. */
  tagged("Poke", {}),
  tagged("ProbeDue", {}),
  tagged("Loaded", {
    /** Which load this answers. */
    load: Schema.Int,
    /** The pokes that came before it. */
    pokes: Schema.Int,
    /** The revision of the subscription on the same snapshot of the disk. */
    revision: Schema.Int,
    deliveries: Schema.Array(DueDelivery),
    /** More are due than were read. */
    more: Schema.Boolean,
    next_due_at: Schema.NullOr(Schema.Int)
  }),
  tagged("AttemptFinished", { delivery_id: Schema.String, attempt: Schema.Int, outcome: Outcome })
])
export type SubscriptionCommand = typeof SubscriptionCommand.Type

export const SubscriptionReply = Schema.Union([
  tagged("Created", { record: SubscriptionRecord }),
  tagged("Noted", {})
])
export type SubscriptionReply = typeof SubscriptionReply.Type
