// A top-up: requested, pushed to the payer as a prompt, and credited once the provider has proved the payment.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { Count, EpochMs, Minor, optional, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { presentOf } from "../Presence.ts"
import { SavedCard } from "../wallet/SavedCard.ts"
import { PaymentPage } from "./ProviderPayment.ts"
import { Currency } from "../wallet/Currency.ts"
import { TopUpProvider, type TopUpRecord, type TopUpStatus } from "./TopUpRecord.ts"
import { FailureCode } from "../wallet/FailureCode.ts"
import { type TopUpId, WorkspaceId } from "../BrandedIds.ts"

export const TopUpFacts = Schema.Struct({
  workspace_id: WorkspaceId,
  provider: TopUpProvider,
  amount_minor: Minor,
  currency: Currency,
  phone_e164: orNull(Schema.String),
  account_ref: Schema.String,
  created_at: EpochMs,
  /** Whether the payer wants the card to be saved. */
  save_card: optional(Schema.Literal(true)),
  /** The provider's reference of a saved card, which is charged without a page. */
  card: optional(Schema.String)
})
export type TopUpFacts = typeof TopUpFacts.Type

/** A payment that was received. */
export const Proof = Schema.Struct({
  receipt: Schema.String,
  amount_minor: Minor,
  /** Whether the payment was in suspense before. */
  from_suspense: Schema.Boolean,
  /** The card that the payer has saved. */
  card: optional(SavedCard)
})
export type Proof = typeof Proof.Type

/** A movement of the wallet that follows from what the provider took back. */
const Reversal = Schema.Struct({
  /** The id of the ledger entry. */
  entry_id: Schema.String,
  /** Positive: a debit. Negative: money that the provider returned, after a dispute was won or a refund failed. */
  amount_minor: Minor,
  note: Schema.String,
  origin: Origin
})
export type Reversal = typeof Reversal.Type

/** How far the push is. It is begun at most once, because each one prompts a person for money. */
export const PushStatus = Schema.Literals(["none", "begun", "accepted", "refused"])

/** What is stored of a top-up. Its id is the key of the row. */
export const StoredTopUp = Schema.Struct({
  facts: TopUpFacts,
  push: PushStatus,
  /** The provider's id of the push. */
  request_id: orNull(Schema.String),
  /** How many of the scheduled queries were made. */
  queries: Count,
  /** When the provider confirmed the payment without naming its receipt. */
  confirmed_at: orNull(EpochMs),
  proof: orNull(Proof),
  credited: Schema.Boolean,
  failure: orNull(Schema.Struct({ code: FailureCode, message: Schema.String })),
  expired: Schema.Boolean,
  /** Where the payer pays. Null if the provider prompts the payer otherwise. */
  page: orNull(PaymentPage),
  /** How many notices of the provider asked to read the payment's standing, and up to which of them it was read. */
  checks: Count,
  checked: Count,
  /** How much of the payment the provider has taken back, as it said last. */
  taken_back_minor: Minor,
  /** An operator has entered that the provider took all of it back. */
  reversed_by_hand: Schema.Boolean,
  /** The reversal that is being booked. */
  reversal: orNull(Reversal),
  /** How much of the credit has been debited again. */
  reversed_minor: Minor,
  completed_at: orNull(EpochMs),
  /** The number of the top-up's latest webhook event. */
  sequence: Count
})
export type StoredTopUp = typeof StoredTopUp.Type

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
  | { readonly _tag: "PushAccepted"; readonly request_id: string; readonly page?: PaymentPage }
  | { readonly _tag: "PushRefused"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Queried"; readonly queries: number }
  | { readonly _tag: "Confirmed"; readonly at: number }
  | { readonly _tag: "Proved"; readonly proof: Proof }
  | { readonly _tag: "Credited"; readonly at: number }
  | { readonly _tag: "Failed"; readonly at: number; readonly code: FailureCode; readonly message: string }
  | { readonly _tag: "Expired"; readonly at: number }
  /** The provider says that the payment has changed. */
  | { readonly _tag: "Notified"; readonly request_id: string }
  | { readonly _tag: "Checked"; readonly check: number }
  | { readonly _tag: "TakenBack"; readonly taken_back_minor: number; readonly by_hand?: true }
  | ({ readonly _tag: "ReversalRequested" } & Reversal)
  /** `amount_minor` as in the reversal. */
  | { readonly _tag: "Reversed"; readonly at: number; readonly amount_minor: number }

/** A prompt that is not answered expires after this time. */
export const promptLifetime_ms = 300_000
/** When the outcome of a prompt is queried, counted from the start of the top-up. */
const promptQueries_ms = [15_000, 30_000, 60_000, 120_000] as const
/** The same for a payment page, which is also queried once it has expired. */
const pageQueries_ms = [30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 2_400_000] as const
/** A top-up expires this long after its payment page: the notice of a payment at the last moment may come late. */
const pageMargin_ms = 120_000
/** When the outcome of a charge is queried that the provider has not decided at once. */
const chargeQueries_ms = [30_000, 300_000, 3_600_000, 6 * 3_600_000, 18 * 3_600_000] as const
/**
 * How long the charge of a saved card is repeated until the provider answers: it knows a repeated request by its key,
 * for at least a day. Afterwards nobody could tell whether a repetition is a second charge.
 */
const chargeLifetime_ms = 20 * 3_600_000
/** How long to search for the receipt of a confirmed payment: as far back as the list of payments is read. */
export const receiptDeadline_ms = 48 * 3_600_000

export const initialTopUp = (id: TopUpId): TopUp => ({ _tag: "Absent", id })

/** When the outcome is queried, counted from the start of the top-up. */
export const queryDelays_ms = ({ facts, page }: StoredTopUp): ReadonlyArray<number> =>
  page === null
    ? facts.card === undefined
      ? promptQueries_ms
      : chargeQueries_ms
    : [...pageQueries_ms, page.expires_at - facts.created_at + pageMargin_ms / 4]

/** When a top-up that nobody has paid expires, in epoch milliseconds. */
export const expiresAt = ({ facts, page }: StoredTopUp): number =>
  page === null
    ? facts.created_at + (facts.card === undefined ? promptLifetime_ms : chargeLifetime_ms)
    : page.expires_at + pageMargin_ms

/** How much of the credit must be debited again. */
export const owedBack_minor = ({ proof, reversed_by_hand, taken_back_minor }: StoredTopUp): number =>
  proof === null ? 0 : reversed_by_hand ? proof.amount_minor : Math.min(taken_back_minor, proof.amount_minor)

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
    page: null,
    checks: 0,
    checked: 0,
    taken_back_minor: 0,
    reversed_by_hand: false,
    reversal: null,
    reversed_minor: 0,
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
      return { ...topup, push: "accepted", request_id: event.request_id, page: event.page ?? null }
    case "PushRefused":
      return { ...failedWith(topup, event.code, event.message, event.at), push: "refused" }
    case "Queried":
      return { ...topup, queries: event.queries }
    case "Confirmed":
      return { ...topup, confirmed_at: event.at }
    case "Proved":
      return { ...topup, proof: event.proof, failure: null }
    case "Credited":
      return { ...topup, credited: true, expired: false, completed_at: event.at, sequence }
    case "Failed":
      return failedWith(topup, event.code, event.message, event.at)
    case "Expired":
      return { ...topup, expired: true, completed_at: event.at, sequence }
    case "Notified":
      return { ...topup, checks: topup.checks + 1, request_id: topup.request_id ?? event.request_id }
    case "Checked":
      return { ...topup, checked: event.check }
    case "TakenBack":
      return event.by_hand
        ? { ...topup, reversed_by_hand: true }
        : { ...topup, taken_back_minor: event.taken_back_minor }
    case "ReversalRequested": {
      const { amount_minor, entry_id, note, origin } = event
      return { ...topup, reversal: { entry_id, amount_minor, note, origin } }
    }
    case "Reversed":
      return { ...topup, reversal: null, reversed_minor: topup.reversed_minor + event.amount_minor, sequence }
  }
}

export const evolveTopUp = (topup: TopUp, event: TopUpEvent): PresentTopUp =>
  event._tag === "Started"
    ? startTopUp(topup.id, event.facts, event.proof, topup._tag === "Present" ? topup.sequence : 0)
    : evolveStarted(presentOf(topup), event)

/** `succeeded` is shown only once the wallet has the money. */
export const statusOf = ({ credited, expired, failure, proof, reversed_minor }: StoredTopUp): TopUpStatus => {
  if (credited && proof !== null) return reversed_minor >= proof.amount_minor ? "reversed" : "succeeded"
  if (failure !== null) return "failed"
  return expired ? "expired" : "pending"
}

/** The amount that was paid; the requested amount until the payment is known. */
export const amountOf = ({ facts, proof }: StoredTopUp): number => proof?.amount_minor ?? facts.amount_minor

const unpaid = ({ facts, page }: StoredTopUp): string => {
  if (facts.card !== undefined) return "The provider did not say in time whether the card was charged."
  return page === null ? "Nobody answered the prompt in time." : "Nobody paid on the page in time."
}

/** The top-up as customers see it. */
export const recordOf = (topup: PresentTopUp): TopUpRecord => {
  const { completed_at, expired, facts, failure, id, page, proof, reversed_minor } = topup
  const { account_ref, created_at, currency, phone_e164, provider, workspace_id } = facts
  const status = statusOf(topup)
  return {
    topup_id: id,
    workspace_id,
    provider,
    amount_minor: amountOf(topup),
    currency,
    phone_e164,
    status,
    payment_url: page !== null && status === "pending" ? page.url : null,
    mobilemoney_account_ref: account_ref,
    provider_reference: proof?.receipt ?? null,
    failure_code: failure?.code ?? (expired ? "expired" : null),
    failure_message: failure?.message ?? (expired ? unpaid(topup) : null),
    created_at: isoInstant(created_at),
    completed_at: instantOrNull(completed_at),
    reversed_minor,
    expires_at: isoInstant(page?.expires_at ?? expiresAt(topup))
  }
}
