// A top-up: asked for, pushed to whoever pays, and credited once the provider has proof of the money.
import type { Origin } from "../access/Origin.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { FailureCode, TopUpProvider, TopUpRecord, TopUpStatus } from "./TopUpRecord.ts"

export interface TopUpFacts {
  readonly workspace_id: string
  readonly provider: TopUpProvider
  readonly amount_minor: number
  readonly currency: Currency
  readonly phone_e164: string | null
  readonly account_ref: string
  readonly created_at: number
}

/** Money that has surely come in. */
export interface Proof {
  readonly receipt: string
  readonly amount_minor: number
  /** The money lay in suspense meanwhile. */
  readonly from_suspense: boolean
}

export interface Kept {
  readonly facts: TopUpFacts
  /** Whether a push was begun: it is never begun twice, since each one asks a person for money. */
  readonly push: "none" | "begun" | "accepted" | "refused"
  /** The provider's id of the push. */
  readonly request_id: string | null
  /** How many of the scheduled questions were asked. */
  readonly queries: number
  /** The provider says that it was paid, and has not said the receipt. */
  readonly confirmed_at: number | null
  readonly proof: Proof | null
  readonly credited: boolean
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
  readonly expired: boolean
  /** Set once an operator has said that the provider took the money back. */
  readonly reversal: { readonly entry_id: string; readonly note: string; readonly origin: Origin } | null
  readonly reversed: boolean
  readonly completed_at: number | null
  /** Of the events that customers are told. */
  readonly sequence: number
}

export interface TopUp {
  readonly id: string
  /** Null until it is started. */
  readonly kept: Kept | null
}

export type TopUpEvent =
  | { readonly _tag: "Started"; readonly facts: TopUpFacts; readonly proof: Proof | null; readonly origin: Origin }
  | { readonly _tag: "PushBegun" }
  | { readonly _tag: "PushAccepted"; readonly request_id: string }
  | { readonly _tag: "PushRefused"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Asked"; readonly queries: number }
  | { readonly _tag: "Confirmed"; readonly at: number }
  | { readonly _tag: "Proved"; readonly proof: Proof }
  | { readonly _tag: "Credited"; readonly at: number }
  | { readonly _tag: "Failed"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Expired"; readonly at: number }
  | { readonly _tag: "ReversalAsked"; readonly entry_id: string; readonly note: string; readonly origin: Origin }
  | { readonly _tag: "Reversed"; readonly at: number }

/** A push that nobody answers is over after so long. */
export const expires_after_ms = 300_000
/** When the provider is asked, as long as it has not said by itself. After the push. */
export const asked_after_ms = [15_000, 30_000, 60_000, 120_000] as const
/** How long a receipt is waited for after the provider has said that it was paid: as far back as it lists payments. */
export const receipt_within_ms = 48 * 3_600_000

export const initialTopUp = (id: string): TopUp => ({ id, kept: null })

const started = (facts: TopUpFacts, proof: Proof | null, sequence: number): Kept => ({
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

const after = (kept: Kept, event: Exclude<TopUpEvent, { readonly _tag: "Started" }>): Kept => {
  const sequence = kept.sequence + 1
  switch (event._tag) {
    case "PushBegun":
      return { ...kept, push: "begun" }
    case "PushAccepted":
      return { ...kept, push: "accepted", request_id: event.request_id }
    case "PushRefused":
      return {
        ...kept,
        push: "refused",
        failure: { code: event.code, message: event.message },
        completed_at: event.at,
        sequence
      }
    case "Asked":
      return { ...kept, queries: event.queries }
    case "Confirmed":
      return { ...kept, confirmed_at: event.at }
    case "Proved":
      return { ...kept, proof: event.proof }
    case "Credited":
      return { ...kept, credited: true, expired: false, completed_at: event.at, sequence }
    case "Failed":
      return { ...kept, failure: { code: event.code, message: event.message }, completed_at: event.at, sequence }
    case "Expired":
      return { ...kept, expired: true, completed_at: event.at, sequence }
    case "ReversalAsked":
      return { ...kept, reversal: { entry_id: event.entry_id, note: event.note, origin: event.origin } }
    case "Reversed":
      return { ...kept, reversed: true, sequence }
  }
}

export const evolveTopUp = ({ id, kept }: TopUp, event: TopUpEvent): TopUp => {
  if (event._tag === "Started") return { id, kept: started(event.facts, event.proof, kept?.sequence ?? 0) }
  return { id, kept: after(kept!, event) }
}

/** Whoever sees `succeeded` sees the credit: it is said once the wallet has the money. */
export const statusOf = ({ credited, expired, failure, reversed }: Kept): TopUpStatus => {
  if (reversed) return "reversed"
  if (credited) return "succeeded"
  if (failure !== null) return "failed"
  return expired ? "expired" : "pending"
}

/** What was paid, once it is known; before, what was asked for. */
export const amountOf = ({ facts, proof }: Kept): number => proof?.amount_minor ?? facts.amount_minor

const instant = (at: number): string => new Date(at).toISOString()

export const recordOf = (id: string, kept: Kept): TopUpRecord => {
  const { completed_at, expired, facts, failure, proof } = kept
  const { account_ref, created_at, currency, phone_e164, provider, workspace_id } = facts
  return {
    topup_id: id,
    workspace_id,
    provider,
    amount_minor: amountOf(kept),
    currency,
    phone_e164,
    status: statusOf(kept),
    mobilemoney_account_ref: account_ref,
    provider_reference: proof?.receipt ?? null,
    failure_code: failure?.code ?? (expired ? "expired" : null),
    failure_message: failure?.message ?? (expired ? "Nobody answered the prompt in time." : null),
    created_at: instant(created_at),
    completed_at: completed_at === null ? null : instant(completed_at),
    expires_at: instant(created_at + expires_after_ms)
  }
}
