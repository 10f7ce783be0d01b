// A number of the platform or of a customer: what is kept of it, and how that changes.
import type { Origin } from "../access/Origin.ts"
import type { Failure } from "../errors/Failure.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { NumberRecord } from "./NumberRecord.ts"
import { noticesOf } from "./NumberNotices.ts"
import {
  anniversary,
  dayOfMonth,
  type NumberStatus,
  type NumberTrigger,
  retry_ms,
  transitions
} from "./NumberStatus.ts"
import { default_routing, type Routing } from "./Routing.ts"

/** What a workspace pays for a number, as it was when it claimed it. */
export interface NumberTerms {
  readonly currency: Currency
  readonly monthly_price_minor: number
  readonly inbound_per_min_minor: number
  readonly outbound_per_min_minor: number
}

/** What a number is, whoever has it. */
export interface NumberFacts {
  readonly number: string
  readonly series_id: string | null
  readonly source: "platform" | "byo"
  readonly country: string
  readonly type: NumberRecord["type"]
  readonly locality: string | null
  readonly capabilities: NumberRecord["capabilities"]
}

/** A claim that is under way: the number waits for its workspace's choice and money, and is nobody else's meanwhile. */
export interface NumberClaim {
  readonly workspace_id: string
  readonly terms: NumberTerms
  /** The ledger entry of the first month, by which it is paid once. */
  readonly entry_id: string
  readonly origin: Origin
  /** Under which the answer is to be kept. */
  readonly kept_under: IdempotentRequest | null
}

/** Who is told of the events of a number's calls. */
export interface EventsTarget {
  readonly workspace_id: string
  readonly url: string
}

/** A workspace that the number has left, and when. What belongs to the number there ends. */
export interface Leaving {
  readonly workspace_id: string
  readonly at: number
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Instants are epoch milliseconds. */
export interface KeptNumber extends NumberFacts, Nullable<NumberTerms> {
  readonly status: NumberStatus
  /** Whose it is, or was until its release. */
  readonly workspace_id: string | null
  readonly label: string | null
  readonly routing: Routing
  /** When the routing became what it is. */
  readonly routed_at: number
  /** Where the webhooks know that events go. */
  readonly told: EventsTarget | null
  /** Workspaces that it has left, and whose SIP credentials and chat-app trunk of it have not ended yet. */
  readonly leaving: ReadonlyArray<Leaving>
  readonly claim: NumberClaim | null
  readonly claimed_at: number | null
  /** When the next month is to be paid; of an unpaid one, when it was. Null: nothing is paid for it. */
  readonly renews_at: number | null
  /** The ledger entry of the month that is due, by which it is paid once. */
  readonly charge_id: string | null
  readonly retry_at: number | null
  readonly past_due_since: number | null
  readonly suspended_at: number | null
  readonly released_at: number | null
  /** Orders its events. */
  readonly sequence: number
}

/** `kept` is null while there is no such number. */
export interface PhoneNumber {
  readonly id: string
  readonly kept: KeptNumber | null
}

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
      readonly workspace_id: string
      readonly terms: NumberTerms
      readonly origin: Origin
    }
  | { readonly _tag: "Retired"; readonly at: number; readonly origin: Origin }
  | {
      readonly _tag: "Registered"
      readonly at: number
      readonly workspace_id: string
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
  | { readonly _tag: "EventsTold"; readonly told: EventsTarget | null }
  /** The SIP credentials that the workspace had of it have ended. */
  | { readonly _tag: "CredentialsEnded"; readonly left: Leaving }

/** What no workspace has said or paid anything of. */
const unowned = {
  workspace_id: null,
  label: null,
  currency: null,
  monthly_price_minor: null,
  inbound_per_min_minor: null,
  outbound_per_min_minor: null,
  routing: default_routing,
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

export const unclaimed = (facts: NumberFacts): KeptNumber => ({
  ...facts,
  ...unowned,
  status: "available",
  told: null,
  leaving: [],
  sequence: 0
})

export const noNumber = (id: string): PhoneNumber => ({ id, kept: null })

const paidUp = { charge_id: null, retry_at: null, past_due_since: null, suspended_at: null } as const

/** What may not happen in a status leaves it as it is. */
const moved = (kept: KeptNumber, trigger: NumberTrigger): KeptNumber => ({
  ...kept,
  status: transitions[kept.status][trigger] ?? kept.status
})

const claimed = (kept: KeptNumber, { terms, workspace_id }: NumberClaim, at: number): KeptNumber => ({
  ...moved(kept, "claim"),
  ...unowned,
  ...terms,
  workspace_id,
  claimed_at: at,
  routed_at: at,
  renews_at: anniversary(dayOfMonth(at), at)
})

const renewed = (kept: KeptNumber, at: number): KeptNumber => ({
  ...moved(kept, "paid"),
  ...paidUp,
  renews_at: anniversary(dayOfMonth(kept.claimed_at ?? at), Math.max(at, kept.renews_at ?? at))
})

const unpaid = (kept: KeptNumber, at: number): KeptNumber => ({
  ...moved(kept, "unpaid"),
  past_due_since: kept.past_due_since ?? at,
  retry_at: at + retry_ms
})

/** Its workspace, which it leaves: nothing else of the number knows of it from then on. */
const left = ({ leaving, workspace_id }: KeptNumber, at: number): Pick<KeptNumber, "leaving"> => ({
  leaving: workspace_id === null ? leaving : [...leaving, { workspace_id, at }]
})

/** The new workspace takes over what is paid; what is not, it is asked for at once. */
const reassigned = (
  kept: KeptNumber,
  { at, terms, workspace_id }: Extract<NumberEvent, { _tag: "Reassigned" }>
): KeptNumber => ({
  ...moved(kept, "reassign"),
  ...left(kept, at),
  ...paidUp,
  ...terms,
  workspace_id,
  label: null,
  routing: default_routing,
  routed_at: at
})

const change = (kept: KeptNumber, event: Exclude<NumberEvent, { _tag: "Registered" }>): KeptNumber => {
  switch (event._tag) {
    case "ClaimBegun":
      return { ...kept, claim: event.claim }
    case "ClaimFailed":
      return { ...kept, claim: null }
    case "Claimed":
      return kept.claim === null ? kept : claimed(kept, kept.claim, event.at)
    case "ChargeNamed":
      return { ...kept, charge_id: event.entry_id }
    case "Renewed":
      return renewed(kept, event.at)
    case "Unpaid":
      return unpaid(kept, event.at)
    case "Suspended":
      return { ...moved(kept, "grace_over"), suspended_at: event.at }
    case "Released":
      return {
        ...moved(kept, "release"),
        ...left(kept, event.at),
        ...paidUp,
        renews_at: null,
        routing: default_routing,
        routed_at: event.at,
        released_at: event.at
      }
    case "Returned":
      return { ...moved(kept, "quarantine_over"), ...unowned }
    case "Reassigned":
      return reassigned(kept, event)
    case "Retired":
      return { ...moved(kept, "retire"), ...unowned }
    case "Removed":
      return { ...moved(kept, "remove"), ...unowned, ...left(kept, event.at), routed_at: event.at }
    case "RoutingChanged":
      return { ...kept, routing: event.routing, label: event.label, routed_at: event.at }
    case "EventsTold":
      return { ...kept, told: event.told }
    case "CredentialsEnded":
      return {
        ...kept,
        leaving: kept.leaving.filter(
          ({ at, workspace_id }) => at !== event.left.at || workspace_id !== event.left.workspace_id
        )
      }
  }
}

export const evolveNumber = (state: PhoneNumber, event: NumberEvent): PhoneNumber => {
  const { id, kept } = state
  const sequence = (kept?.sequence ?? 0) + noticesOf(kept, event).length
  if (event._tag === "Registered") {
    const { _tag, at, facts, origin: _origin, ...given } = event
    const { leaving = [], told = null } = kept ?? {}
    return {
      id,
      kept: { ...unclaimed(facts), ...given, status: "active", routed_at: at, claimed_at: at, leaving, told, sequence }
    }
  }
  return kept === null ? state : { id, kept: { ...change(kept, event), sequence } }
}
