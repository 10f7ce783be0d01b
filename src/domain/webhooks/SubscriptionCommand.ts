// Everything that can be asked of a subscription, as it crosses between processes, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { DeliveryRecord, DueDelivery, Outcome } from "./DeliveryRecord.ts"
import { RotationRecord, SubscriptionRecord, SubscriptionSource } from "./SubscriptionRecord.ts"
import { RedeliveredEvent, ReplayRecord } from "./ReplayRecord.ts"
import { tagged } from "../Tagged.ts"
import { TestRecord } from "./TestRecord.ts"

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
  source: SubscriptionSource,
  /** Sealed. Null: it was never set, and deliveries are blocked. */
  secret: Schema.NullOr(Schema.String)
})
export type SubscriptionFacts = typeof SubscriptionFacts.Type

const { api_version, description, events, kinds, number_ids, signature_format, url } = SubscriptionFacts.fields

/** What can be changed of it later. What is absent stays as it is. */
export const SubscriptionChange = Schema.Struct({
  url: Schema.optionalKey(url),
  description: Schema.optionalKey(description),
  events: Schema.optionalKey(events),
  kinds: Schema.optionalKey(kinds),
  number_ids: Schema.optionalKey(number_ids),
  signature_format: Schema.optionalKey(signature_format),
  api_version: Schema.optionalKey(api_version),
  status: Schema.optionalKey(Schema.Literals(["active", "paused"]))
})
export type SubscriptionChange = typeof SubscriptionChange.Type

const idempotency = Schema.optionalKey(IdempotentRequest)

export const SubscriptionCommand = Schema.Union([
  tagged("Create", { facts: SubscriptionFacts, origin: Origin, idempotency }),
  /** The subscription that a number's `events_url` stands for: made, brought back, or sent to another URL. */
  tagged("Route", { facts: SubscriptionFacts, origin: Origin }),
  tagged("Change", { change: SubscriptionChange, origin: Origin }),
  tagged("Delete", { origin: Origin }),
  tagged("RotateSecret", {
    /** The new one, sealed. */
    secret: Schema.String,
    previous_valid_seconds: Schema.Int,
    /** Deliveries that lacked a secret, and the revision of the subscription on the same snapshot of the disk. */
    blocked: Schema.Array(DeliveryRecord),
    revision: Schema.Int,
    origin: Origin,
    idempotency
  }),
  /** Makes new deliveries of events that it had before. */
  tagged("Replay", { replay: ReplayRecord, events: Schema.Array(RedeliveredEvent), origin: Origin, idempotency }),
  /** The delivery, and the revision of the subscription on the same snapshot of the disk. */
  tagged("Retry", { delivery: DeliveryRecord, revision: Schema.Int, idempotency }),
  /** Which deliveries are being attempted now? */
  tagged("AskInFlight", {}),
  /** How is a test to be sent? */
  tagged("AskSending", {}),
  /** A test was sent. It leaves nothing but its answer. */
  tagged("Test", { result: TestRecord, idempotency }),
  /** There may be deliveries to make: the fan-out made some, or one's time has come. */
  tagged("Poke", {}),
  tagged("ProbeDue", {}),
  /** Those who look after the workspace were written to about what happened then. */
  tagged("DisablingMailed", { at: Schema.Int }),
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
  tagged("Shown", { record: SubscriptionRecord }),
  /** `created`: its secret is the one that came with the command. */
  tagged("Routed", { record: SubscriptionRecord, created: Schema.Boolean }),
  tagged("Replayed", { replay: ReplayRecord }),
  tagged("InFlight", { delivery_ids: Schema.Array(Schema.String) }),
  tagged("Rotated", { rotation: RotationRecord }),
  tagged("Retried", { delivery: DeliveryRecord }),
  tagged("Sending", {
    url,
    signature_format,
    api_version,
    /** Sealed; those in force, the newest first. */
    secrets: Schema.Array(Schema.String)
  }),
  tagged("Tested", { result: TestRecord }),
  tagged("Noted", {})
])
export type SubscriptionReply = typeof SubscriptionReply.Type
