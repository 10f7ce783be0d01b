// A phone number of the platform or of a customer: its state and its events.
import type { Origin } from "../access/Origin.ts"
import type { Failure } from "../errors/Failure.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { NumberRecord } from "./NumberRecord.ts"
import type { NumberStatus } from "./NumberStatus.ts"
import { defaultRouting, type Routing } from "./Routing.ts"
import type { NumberId, WorkspaceId } from "../BrandedIds.ts"

/** What a workspace pays for a number. Later price changes do not apply to it. */
export interface NumberTerms {
  readonly currency: Currency
  readonly monthly_price_minor: number
  readonly inbound_per_min_minor: number
  readonly outbound_per_min_minor: number
}

/** What does not depend on who has the number. */
export interface NumberFacts {
  readonly number: string
  readonly series_id: string | null
  readonly source: "platform" | "byo"
  readonly country: string
  readonly type: NumberRecord["type"]
  readonly locality: string | null
  readonly capabilities: NumberRecord["capabilities"]
}

/** A running claim: the workspace and its wallet are being asked. Meanwhile nobody else can claim the number. */
export interface NumberClaim {
  readonly workspace_id: WorkspaceId
  readonly terms: NumberTerms
  /** The ledger entry of the first month. Its id makes sure that the month is debited once. */
  readonly entry_id: string
  readonly origin: Origin
  /** The Idempotency-Key under which the response is stored. */
  readonly kept_under: IdempotentRequest | null
}

/** Where the events of a number's calls are sent. */
export interface EventsTarget {
  readonly workspace_id: WorkspaceId
  readonly url: string
}

/** A workspace that the number has left. Its SIP credentials and chat-app trunk of the number must end. */
export interface Leaving {
  readonly workspace_id: WorkspaceId
  readonly at: number
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** The stored state. Instants are epoch milliseconds. */
export interface NumberData extends NumberFacts, Nullable<NumberTerms> {
  readonly status: NumberStatus
  /** The workspace that has the number, or had it until the release. */
  readonly workspace_id: WorkspaceId | null
  readonly label: string | null
  readonly routing: Routing
  /** When the routing last changed. */
  readonly routed_at: number
  /** Where the webhooks send events at present. It follows `routing.events_url`. */
  readonly told: EventsTarget | null
  /** Former workspaces whose SIP credentials and chat-app trunk of the number have not ended yet. */
  readonly leaving: ReadonlyArray<Leaving>
  readonly claim: NumberClaim | null
  readonly claimed_at: number | null
  /** When the next month is due; of an unpaid month, when it was due. Null: no rent is paid. */
  readonly renews_at: number | null
  /**
   * The ledger entry of the month that is due, from the attempt to pay until its outcome is known. Its id makes sure
   * that the month is debited once. The next attempt after a refusal has another: the refused one was called off.
   */
  readonly charge_id: string | null
  readonly retry_at: number | null
  readonly past_due_since: number | null
  readonly suspended_at: number | null
  readonly released_at: number | null
  /** The number of webhook events so far. */
  readonly sequence: number
}

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
