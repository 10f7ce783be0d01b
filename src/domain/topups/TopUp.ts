// A top-up: requested, pushed to the payer as a prompt, and credited once the provider has proved the payment.
import type { Origin } from "../access/Origin.ts"
import { presentOf } from "../Presence.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { FailureCode, TopUpProvider, TopUpRecord, TopUpStatus } from "./TopUpRecord.ts"
import type { TopUpId, WorkspaceId } from "../BrandedIds.ts"

export interface TopUpFacts {
  readonly workspace_id: WorkspaceId
  readonly provider: TopUpProvider
  readonly amount_minor: number
  readonly currency: Currency
  readonly phone_e164: string | null
  readonly account_ref: string
  /** Epoch milliseconds. */
  readonly created_at: number
}

/** A payment that was received. */
export interface Proof {
  readonly receipt: string
  readonly amount_minor: number
  /** Whether the payment was in suspense before. */
  readonly from_suspense: boolean
}

/** An operator's decision that the provider took the money back. */
export interface Reversal {
  /** The id of the debit. */
  readonly entry_id: string
  readonly note: string
  readonly origin: Origin
}

/** What is stored of a top-up. */
export interface StoredTopUp {
  readonly facts: TopUpFacts
  /** A push is begun at most once, because each one prompts a person for money. */
  readonly push: "none" | "begun" | "accepted" | "refused"
  /** The provider's id of the push. */
  readonly request_id: string | null
  /** How many of the scheduled queries were made. */
  readonly queries: number
  /** When the provider confirmed the payment without naming its receipt. */
  readonly confirmed_at: number | null
  readonly proof: Proof | null
  readonly credited: boolean
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
  readonly expired: boolean
  readonly reversal: Reversal | null
  readonly reversed: boolean
  readonly completed_at: number | null
  /** The number of the top-up's latest webhook event. */
  readonly sequence: number
}

export interface AbsentTopUp {
  readonly _tag: "Absent"
  readonly id: TopUpId
}

export interface PresentTopUp extends StoredTopUp {
  readonly _tag: "Present"
  readonly id: TopUpId
}

export type TopUp = AbsentTopUp | PresentTopUp

export type TopUpEvent =
  | { readonly _tag: "Started"; readonly facts: TopUpFacts; readonly proof: Proof | null; readonly origin: Origin }
  | { readonly _tag: "PushBegun" }
  | { readonly _tag: "PushAccepted"; readonly request_id: string }
  | { readonly _tag: "PushRefused"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Queried"; readonly queries: number }
  | { readonly _tag: "Confirmed"; readonly at: number }
  | { readonly _tag: "Proved"; readonly proof: Proof }
  | { readonly _tag: "Credited"; readonly at: number }
  | { readonly _tag: "Failed"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Expired"; readonly at: number }
  | ({ readonly _tag: "ReversalRequested" } & Reversal)
  | { readonly _tag: "Reversed"; readonly at: number }

/** A prompt that is not answered expires after this time. */
export const promptLifetime_ms = 300_000
/** When the outcome of a prompt is queried, counted from the start of the top-up. */
export const queryDelays_ms = [15_000, 30_000, 60_000, 120_000] as const
/** How long to search for the receipt of a confirmed payment: as far back as the list of payments is read. */
export const receiptDeadline_ms = 48 * 3_600_000

export const initialTopUp = (id: TopUpId): TopUp => ({ _tag: "Absent", id })

/** A top-up from its stored members. */
export const topUpOf = (id: TopUpId, stored: StoredTopUp): PresentTopUp => ({ _tag: "Present", id, ...stored })

export const startTopUp = (
  id: TopUpId,
  facts: TopUpFacts,
  proof: Proof | null,
  /** The sequence that a refused earlier start left behind. */
  sequence = 0
): PresentTopUp =>
  topUpOf(id, {
    facts,
    push: "none",
    request_id: null,
    queries: 0,
    confirmed_at: null,
    proof,
    credited: false,
    failure: null,
    expired: false,
    reversal: null,
    reversed: false,
    completed_at: null,
    sequence
  })

const failedWith = (topup: PresentTopUp, code: FailureCode, message: string, at: number): PresentTopUp => ({
  ...topup,
  failure: { code, message },
  completed_at: at,
  sequence: topup.sequence + 1
})

const evolveStarted = (topup: PresentTopUp, event: Exclude<TopUpEvent, { readonly _tag: "Started" }>): PresentTopUp => {
  const sequence = topup.sequence + 1
  switch (event._tag) {
    case "PushBegun":
      return { ...topup, push: "begun" }
    case "PushAccepted":
      return { ...topup, push: "accepted", request_id: event.request_id }
    case "PushRefused":
      return { ...failedWith(topup, event.code, event.message, event.at), push: "refused" }
    case "Queried":
      return { ...topup, queries: event.queries }
    case "Confirmed":
      return { ...topup, confirmed_at: event.at }
    case "Proved":
      return { ...topup, proof: event.proof }
    case "Credited":
      return { ...topup, credited: true, expired: false, completed_at: event.at, sequence }
    case "Failed":
      return failedWith(topup, event.code, event.message, event.at)
    case "Expired":
      return { ...topup, expired: true, completed_at: event.at, sequence }
    case "ReversalRequested":
      return { ...topup, reversal: { entry_id: event.entry_id, note: event.note, origin: event.origin } }
    case "Reversed":
      return { ...topup, reversed: true, sequence }
  }
}

export const evolveTopUp = (topup: TopUp, event: TopUpEvent): PresentTopUp =>
  event._tag === "Started"
    ? startTopUp(topup.id, event.facts, event.proof, topup._tag === "Present" ? topup.sequence : 0)
    : evolveStarted(presentOf(topup), event)

/** `succeeded` is shown only once the wallet has the money. */
export const statusOf = ({ credited, expired, failure, reversed }: StoredTopUp): TopUpStatus => {
  if (reversed) return "reversed"
  if (credited) return "succeeded"
  if (failure !== null) return "failed"
  return expired ? "expired" : "pending"
}

/** The amount that was paid; the requested amount until the payment is known. */
export const amountOf = ({ facts, proof }: StoredTopUp): number => proof?.amount_minor ?? facts.amount_minor

const instant = (at: number): string => new Date(at).toISOString()

/** The top-up as customers see it. */
export const recordOf = (topup: PresentTopUp): TopUpRecord => {
  const { completed_at, expired, facts, failure, id, proof } = topup
  const { account_ref, created_at, currency, phone_e164, provider, workspace_id } = facts
  return {
    topup_id: id,
    workspace_id,
    provider,
    amount_minor: amountOf(topup),
    currency,
    phone_e164,
    status: statusOf(topup),
    mobilemoney_account_ref: account_ref,
    provider_reference: proof?.receipt ?? null,
    failure_code: failure?.code ?? (expired ? "expired" : null),
    failure_message: failure?.message ?? (expired ? "Nobody answered the prompt in time." : null),
    created_at: instant(created_at),
    completed_at: completed_at === null ? null : instant(completed_at),
    expires_at: instant(created_at + promptLifetime_ms)
  }
}
