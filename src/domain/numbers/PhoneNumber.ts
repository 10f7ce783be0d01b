// A phone number of the platform or of a customer: its state and its events.
import { Schema, Struct } from "effect"
import { Origin } from "../access/Origin.ts"
import { type NumberId, WorkspaceId } from "../BrandedIds.ts"
import type { Failure } from "../errors/Failure.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { Count, EpochMs, Minor, optional, orNull } from "../kit/Fields.ts"
import { Currency } from "../wallet/Currency.ts"
import { Capability, NumberSource, NumberType } from "./NumberRecord.ts"
import { NumberStatus } from "./NumberStatus.ts"
import { defaultRouting, Routing } from "./Routing.ts"

const terms = {
  currency: Currency,
  monthly_price_minor: Minor,
  inbound_per_min_minor: Minor,
  outbound_per_min_minor: Minor
}

/** What a workspace pays for a number. Later price changes do not apply to it. */
export const NumberTerms = Schema.Struct(terms)
export type NumberTerms = typeof NumberTerms.Type

/** What does not depend on who has the number. */
export const NumberFacts = Schema.Struct({
  number: Schema.String,
  series_id: orNull(Schema.String),
  source: NumberSource,
  country: Schema.String,
  type: NumberType,
  locality: orNull(Schema.String),
  capabilities: Schema.Array(Capability)
})
export type NumberFacts = typeof NumberFacts.Type

/** A running claim: the workspace and its wallet are being asked. Meanwhile nobody else can claim the number. */
const NumberClaim = Schema.Struct({
  workspace_id: WorkspaceId,
  terms: NumberTerms,
  /** The ledger entry of the first month. Its id makes sure that the month is debited once. */
  entry_id: Schema.String,
  origin: Origin,
  /** The Idempotency-Key under which the response is stored. */
  kept_under: orNull(IdempotentRequest),
  /** Whether a new sandbox begins with the number. It can still choose which numbers it uses. */
  starts_sandbox: optional(Schema.Boolean)
})
export type NumberClaim = typeof NumberClaim.Type

/** Where the events of a number's calls are sent. */
export const EventsTarget = Schema.Struct({ workspace_id: WorkspaceId, url: Schema.String })
export type EventsTarget = typeof EventsTarget.Type

/** A workspace that the number has left. Its SIP credentials and chat-app trunk of the number must end. */
export const Leaving = Schema.Struct({ workspace_id: WorkspaceId, at: EpochMs })
export type Leaving = typeof Leaving.Type

/** The state of a number that exists. */
export const NumberData = Schema.Struct({
  ...NumberFacts.fields,
  ...Struct.map(terms, Schema.NullOr),
  status: NumberStatus,
  /** The workspace that has the number, or had it until the release. */
  workspace_id: orNull(WorkspaceId),
  label: orNull(Schema.String),
  routing: Routing,
  /** When the routing last changed. */
  routed_at: EpochMs,
  /** Where the webhooks send events at present. It follows `routing.events_url`. */
  told: orNull(EventsTarget),
  /** Former workspaces whose SIP credentials and chat-app trunk of the number have not ended yet. */
  leaving: Schema.Array(Leaving),
  claim: orNull(NumberClaim),
  claimed_at: orNull(EpochMs),
  /** When the next month is due; of an unpaid month, when it was due. Null: no rent is paid. */
  renews_at: orNull(EpochMs),
  /**
   * The ledger entry of the month that is due, from the attempt to pay until its outcome is known. Its id makes sure
   * that the month is debited once. The next attempt after a refusal has another: the refused one was called off.
   */
  charge_id: orNull(Schema.String),
  retry_at: orNull(EpochMs),
  past_due_since: orNull(EpochMs),
  suspended_at: orNull(EpochMs),
  released_at: orNull(EpochMs),
  /** The number of webhook events so far. */
  sequence: Count
})
export type NumberData = typeof NumberData.Type

export interface AbsentNumber {
  readonly _tag: "Absent"
  readonly id: NumberId
}

/** A number that exists, or has existed. */
export interface PresentNumber {
  readonly _tag: "Present"
  readonly id: NumberId
  readonly data: NumberData
}

export type PhoneNumber = AbsentNumber | PresentNumber

export type NumberEvent =
  | { readonly _tag: "ClaimBegun"; readonly claim: NumberClaim }
  | { readonly _tag: "ClaimFailed"; readonly entry_id: string; readonly failure: Failure }
  | { readonly _tag: "Claimed"; readonly at: number }
  | { readonly _tag: "ChargeNamed"; readonly entry_id: string }
  | { readonly _tag: "Renewed"; readonly at: number }
  /** The rental could not be paid. */
  | { readonly _tag: "Unpaid"; readonly at: number }
  | { readonly _tag: "Suspended"; readonly at: number }
  | { readonly _tag: "Released"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Returned"; readonly at: number }
  | {
      readonly _tag: "Reassigned"
      readonly at: number
      readonly workspace_id: WorkspaceId
      readonly terms: NumberTerms
      readonly origin: Origin
    }
  | { readonly _tag: "Retired"; readonly at: number; readonly origin: Origin }
  | {
      readonly _tag: "Registered"
      readonly at: number
      readonly workspace_id: WorkspaceId
      readonly facts: NumberFacts
      readonly label: string | null
      readonly routing: Routing
      readonly origin: Origin
    }
  | { readonly _tag: "Removed"; readonly at: number; readonly origin: Origin }
  | {
      readonly _tag: "RoutingChanged"
      readonly at: number
      readonly routing: Routing
      readonly label: string | null
      readonly origin: Origin
    }
  | { readonly _tag: "EventsUrlSynced"; readonly target: EventsTarget | null }
  | { readonly _tag: "CredentialsEnded"; readonly leaving: Leaving }

/** Members that depend on the workspace, without one. */
export const unowned = {
  workspace_id: null,
  label: null,
  currency: null,
  monthly_price_minor: null,
  inbound_per_min_minor: null,
  outbound_per_min_minor: null,
  routing: defaultRouting,
  routed_at: 0,
  claim: null,
  claimed_at: null,
  renews_at: null,
  charge_id: null,
  retry_at: null,
  past_due_since: null,
  suspended_at: null,
  released_at: null
} as const

/** A number in inventory. */
export const unclaimed = (facts: NumberFacts): NumberData => ({
  ...facts,
  ...unowned,
  status: "available",
  told: null,
  leaving: [],
  sequence: 0
})

export const absentNumber = (id: NumberId): PhoneNumber => ({ _tag: "Absent", id })
