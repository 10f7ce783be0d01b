// The commands of a number, with their replies and errors.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { FailureFromWire } from "../errors/FailureFromWire.ts"
import {
  NumberAlreadyClaimed,
  NumberE164Taken,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  NumberRetired
} from "../errors/NumberErrors.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { NumberRecord } from "./NumberRecord.ts"
import { EventsTarget, Leaving, NumberFacts, NumberTerms } from "./PhoneNumber.ts"
import { RoutingChange, RoutingMode } from "./Routing.ts"
import { WorkspaceId } from "../BrandedIds.ts"

const EventsUrlChange = Schema.Struct({ workspace_id: WorkspaceId, url: Schema.NullOr(Schema.String) })
const idempotency = Schema.optionalKey(IdempotentRequest)
const label = Schema.NullOr(Schema.String)

export const NumberCommands = commandsOf("Number", {
  /**
   * Begins a claim. Its result comes as a notice, because the workspace and its wallet are asked first. Replies with
   * the ledger entry of the first month. A repetition with the same entry changes nothing.
   */
  Claim: {
    payload: {
      workspace_id: WorkspaceId,
      /** Null: the series has no price in the workspace's currency. */
      terms: Schema.NullOr(NumberTerms),
      entry_id: Schema.String,
      origin: Origin,
      kept_under: Schema.NullOr(IdempotentRequest),
      /** Whether a new sandbox begins with the number. */
      starts_sandbox: Schema.optionalKey(Schema.Boolean)
    },
    reply: Schema.Struct({ entry_id: Schema.String }),
    errors: [NumberNotFound, NumberRetired, NumberAlreadyClaimed, NumberPriceMissing]
  },
  /** The first month was debited. */
  ClaimPaid: { payload: { entry_id: Schema.String, idempotency }, reply: NumberRecord, errors: [NumberAlreadyClaimed] },
  ClaimRefused: {
    payload: { entry_id: Schema.String, failure: FailureFromWire },
    errors: [NumberAlreadyClaimed]
  },
  /**
   * Chooses the ledger entry of the month that is due: `entry_id`, unless one was chosen before. Replies with the
   * chosen entry, or null if nothing is due.
   */
  NameCharge: {
    payload: { entry_id: Schema.String },
    reply: Schema.NullOr(Schema.String),
    errors: [NumberNotFound]
  },
  Paid: { payload: { entry_id: Schema.String }, errors: [NumberNotFound] },
  Unpaid: { payload: { entry_id: Schema.String }, errors: [NumberNotFound] },
  /** The quarantine of a released number is over. */
  QuarantineOver: { errors: [NumberNotFound] },
  /** Fails with ServiceUnavailable while a month is being paid for, as Reassign does. */
  Release: {
    payload: { workspace_id: WorkspaceId, origin: Origin, idempotency },
    reply: NumberRecord,
    errors: [NumberNotFound, NumberNotAssigned, ServiceUnavailable]
  },
  /** `pending`: the change of the `events_url` that the webhooks do not know yet; null: none. */
  Route: {
    payload: {
      workspace_id: WorkspaceId,
      change: RoutingChange,
      mode: RoutingMode,
      label: Schema.optionalKey(label),
      origin: Origin
    },
    reply: Schema.Struct({ record: NumberRecord, pending: Schema.NullOr(EventsUrlChange) }),
    errors: [NumberNotFound, NumberNotAssigned]
  },
  /** The webhooks send the events of the number's calls to `target`. Null: to nobody. */
  EventsUrlSynced: { payload: { target: Schema.NullOr(EventsTarget) }, errors: [NumberNotFound] },
  /** The SIP credentials and the chat-app trunk that a former workspace had of the number have ended. */
  CredentialsEnded: { payload: { leaving: Leaving }, errors: [NumberNotFound] },
  /** Registers a number that a workspace brings over its own trunk. */
  Register: {
    payload: {
      workspace_id: WorkspaceId,
      facts: NumberFacts,
      label,
      change: RoutingChange,
      origin: Origin,
      idempotency
    },
    reply: NumberRecord,
    errors: [NumberE164Taken]
  },
  /** Removes a number that the workspace has registered. */
  Remove: { payload: { workspace_id: WorkspaceId, origin: Origin }, errors: [NumberNotFound] },
  Reassign: {
    payload: { workspace_id: WorkspaceId, terms: Schema.NullOr(NumberTerms), origin: Origin },
    reply: NumberRecord,
    errors: [NumberNotFound, NumberNotAssigned, NumberPriceMissing, ServiceUnavailable]
  },
  Retire: {
    payload: { origin: Origin },
    reply: NumberRecord,
    errors: [NumberNotFound, NumberRetired, NumberAlreadyClaimed]
  }
})
export type NumberCommands = typeof NumberCommands
export type NumberMessage<T extends Tag<NumberCommands> = Tag<NumberCommands>> = Message<NumberCommands, T>

/** How a claim ended: with the number, or with the error that refused it. */
export const ClaimSettled = tagged("ClaimSettled", {
  entry_id: Schema.String,
  record: Schema.NullOr(NumberRecord),
  failure: Schema.NullOr(FailureFromWire)
})
export type ClaimSettled = typeof ClaimSettled.Type
