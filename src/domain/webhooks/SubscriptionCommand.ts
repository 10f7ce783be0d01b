// The commands of a webhook subscription, with their replies and errors.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { WebhookDeliveryNotRetryable, WebhookNotFound } from "../errors/WebhookErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { DeliveryRecord, DueDeliveries, FinishedAttempt, SendOptions } from "./DeliveryRecord.ts"
import { RotationRecord, SignatureFormat, SubscriptionRecord, SubscriptionSource } from "./SubscriptionRecord.ts"
import { RedeliveredEvent, ReplayRecord } from "./ReplayRecord.ts"
import { TestRecord } from "./TestRecord.ts"
import { NumberId, WorkspaceId } from "../BrandedIds.ts"

/** What a new subscription is made of. */
export const SubscriptionFacts = Schema.Struct({
  workspace_id: WorkspaceId,
  url: Schema.String,
  description: Schema.String,
  /** Selectors as the customer wrote them. */
  events: Schema.Array(Schema.String),
  /** The kinds that `events` stands for. */
  kinds: Schema.Array(Schema.String),
  number_ids: Schema.Array(NumberId),
  signature_format: SignatureFormat,
  api_version: Schema.String,
  source: SubscriptionSource,
  /** Sealed. Null: never set. Deliveries are blocked until it is. */
  secret: Schema.NullOr(Schema.String)
})
export type SubscriptionFacts = typeof SubscriptionFacts.Type

const { api_version, description, events, kinds, number_ids, signature_format, url } = SubscriptionFacts.fields

/** Changes to a subscription. Absent members stay as they are. */
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

/** To its workspace, a deleted subscription is not found, just as one that never existed. */
const errors = [WebhookNotFound] as const

export const SubscriptionCommands = commandsOf("Subscription", {
  Create: { payload: { facts: SubscriptionFacts, origin: Origin, idempotency }, reply: SubscriptionRecord, errors },
  /**
   * Creates the subscription of a number's `events_url`, creates it again after a deletion, or changes its URL.
   * `created`: the secret in the command is now the subscription's.
   */
  Route: {
    payload: { facts: SubscriptionFacts, origin: Origin },
    reply: Schema.Struct({ record: SubscriptionRecord, created: Schema.Boolean })
  },
  Change: { payload: { change: SubscriptionChange, origin: Origin }, reply: SubscriptionRecord, errors },
  Delete: { payload: { origin: Origin }, errors },
  RotateSecret: {
    payload: {
      /** The new secret, sealed. */
      secret: Schema.String,
      previous_valid_seconds: Schema.Int,
      /** Deliveries that were blocked for lack of a secret. */
      blocked: Schema.Array(DeliveryRecord),
      /** The revision of the subscription in the snapshot from which `blocked` was read. */
      revision: Schema.Int,
      origin: Origin,
      idempotency
    },
    reply: RotationRecord,
    errors
  },
  /** Makes new deliveries of earlier events. */
  Replay: {
    payload: { replay: ReplayRecord, events: Schema.Array(RedeliveredEvent), origin: Origin, idempotency },
    reply: ReplayRecord,
    errors
  },
  /** Makes a delivery due at once. `revision`: of the subscription in the snapshot from which `delivery` was read. */
  Retry: {
    payload: { delivery: DeliveryRecord, revision: Schema.Int, idempotency },
    reply: DeliveryRecord,
    errors: [WebhookNotFound, WebhookDeliveryNotRetryable, ServiceUnavailable]
  },
  /** Replies with the ids of the deliveries that are being attempted. */
  AskInFlight: { reply: Schema.Array(Schema.String), errors },
  AskSending: { reply: SendOptions, errors },
  /** A test event was sent. Only the reply to its Idempotency-Key is stored. */
  Test: { payload: { result: TestRecord, idempotency }, reply: TestRecord, errors },
  /** Deliveries may be due: the fan-out made some, or the time of one has come. */
  Poke: {},
  /** The circuit breaker's pause is over. */
  ProbeDue: {},
  /** The admins of the workspace were notified that the subscription was disabled at that instant. */
  DisablingMailed: { payload: { at: Schema.Int } },
  /** Due deliveries were read. */
  Loaded: {
    payload: {
      /** Counts loads: an answer to an earlier load is ignored. */
      load: Schema.Int,
      /** How many pokes preceded the load. */
      pokes: Schema.Int,
      ...DueDeliveries.fields
    }
  },
  /** Attempts that ended since the last command of this kind was stored, in the order in which they ended. */
  AttemptsFinished: { payload: { attempts: Schema.Array(FinishedAttempt) } }
})
export type SubscriptionCommands = typeof SubscriptionCommands
export type SubscriptionMessage<T extends Tag<SubscriptionCommands> = Tag<SubscriptionCommands>> = Message<
  SubscriptionCommands,
  T
>
