// Money that has come in by mobile money, known by its receipt. A prompt's payment is announced twice, by the prompt's own
// callback and as a payment to the account; by hand it is announced once. Each receipt finds one top-up, or waits in
// suspense until an operator says whose it is.
import { Result } from "effect"
import { type Decided, task, type Work } from "../Decision.ts"
import type { LedgerEntryRow } from "../journal/Rows.ts"
import type { IncomingPaymentCommand, IncomingPaymentReply } from "./IncomingPaymentCommand.ts"
import { receiptId } from "./ReceiptIds.ts"
import type { Currency } from "../wallet/Currency.ts"
import { WalletCurrencyMismatch } from "../errors/WalletErrors.ts"

export interface Arrival {
  readonly amount_minor: number
  readonly currency: Currency
  /** As the payer wrote it; null where the announcement does not say. */
  readonly account_ref: string | null
  readonly paid_at: number
  /** When it was first announced. */
  readonly arrived_at: number
}

export interface IncomingPayment {
  readonly receipt: string
  /** Null until it is announced. */
  readonly arrival: Arrival | null
  /** The top-up whose prompt says that this is its payment. */
  readonly claimed_by: string | null
  readonly standing: "matching" | "suspense" | "released" | "settled"
  readonly workspace_id: string | null
  readonly topup_id: string | null
}

export type IncomingPaymentEvent =
  | { readonly _tag: "Arrived"; readonly arrival: Arrival; readonly claimed_by: string | null }
  | { readonly _tag: "Claimed"; readonly topup_id: string }
  | { readonly _tag: "Suspended"; readonly at: number }
  | { readonly _tag: "Released"; readonly workspace_id: string }
  | { readonly _tag: "Settled"; readonly workspace_id: string; readonly topup_id: string }

export type IncomingPaymentWork =
  /** Finds the top-up that the money is for, or makes one. */
  | { readonly _tag: "Match"; readonly arrival: Arrival; readonly claimed_by: string | null }
  /** An operator has said whose it is. */
  | { readonly _tag: "Release"; readonly arrival: Arrival; readonly workspace_id: string }

export const initialIncomingPayment = (receipt: string): IncomingPayment => ({
  receipt,
  arrival: null,
  claimed_by: null,
  standing: "matching",
  workspace_id: null,
  topup_id: null
})

type Answer = Decided<IncomingPaymentEvent, IncomingPaymentReply>
const noted: IncomingPaymentReply = { _tag: "Noted" }
const happened = (event: IncomingPaymentEvent): Answer => Result.succeed({ events: [event], reply: noted })

const arrive = (
  payIn: IncomingPayment,
  { amount_minor, account_ref, claimed_by, currency, paid_at }: Extract<IncomingPaymentCommand, { _tag: "Arrive" }>,
  now: number
): Answer => {
  if (payIn.arrival === null)
    return happened({
      _tag: "Arrived",
      arrival: { amount_minor, currency, account_ref, paid_at, arrived_at: now },
      claimed_by
    })
  return payIn.standing === "matching" && payIn.claimed_by === null && claimed_by !== null
    ? happened({ _tag: "Claimed", topup_id: claimed_by })
    : Result.succeed({ events: [], reply: noted })
}

export const decideIncomingPayment = (payIn: IncomingPayment, command: IncomingPaymentCommand, now: number): Answer => {
  const { standing } = payIn
  switch (command._tag) {
    case "Arrive":
      return arrive(payIn, command, now)
    case "Suspend":
      return standing === "matching" && payIn.arrival !== null
        ? happened({ _tag: "Suspended", at: now })
        : Result.succeed({ events: [], reply: noted })
    case "Release":
      if (payIn.arrival !== null && payIn.arrival.currency !== command.currency)
        return Result.fail(new WalletCurrencyMismatch())
      return standing === "suspense"
        ? happened({ _tag: "Released", workspace_id: command.workspace_id })
        : Result.succeed({ events: [], reply: { _tag: "NotInSuspense" } })
    case "Settle":
      return standing === "settled" || payIn.arrival === null
        ? Result.succeed({ events: [], reply: noted })
        : happened({ _tag: "Settled", workspace_id: command.workspace_id, topup_id: command.topup_id })
  }
}

export const evolveIncomingPayment = (payIn: IncomingPayment, event: IncomingPaymentEvent): IncomingPayment => {
  switch (event._tag) {
    case "Arrived":
      return { ...payIn, arrival: event.arrival, claimed_by: event.claimed_by }
    case "Claimed":
      return { ...payIn, claimed_by: event.topup_id }
    case "Suspended":
      return { ...payIn, standing: "suspense" }
    case "Released":
      return { ...payIn, standing: "released", workspace_id: event.workspace_id }
    case "Settled":
      return { ...payIn, standing: "settled", workspace_id: event.workspace_id, topup_id: event.topup_id }
  }
}

export const planIncomingPayment = ({
  arrival,
  claimed_by,
  standing,
  workspace_id
}: IncomingPayment): ReadonlyArray<Work<IncomingPaymentCommand, IncomingPaymentWork>> => {
  if (arrival === null) return []
  if (standing === "matching") return [task(`match:${claimed_by}`, { _tag: "Match", arrival, claimed_by })]
  return standing === "released" ? [task("release", { _tag: "Release", arrival, workspace_id: workspace_id! })] : []
}

/** The currency of payments that were stored before the currency was: M-Pesa was the only provider. */
export const unrecordedCurrency: Currency = "KES"

/** A payment from its stored state. */
export const incomingPaymentOfState = ({ state }: { readonly state: string }): IncomingPayment => {
  const stored = JSON.parse(state) as IncomingPayment
  const { arrival } = stored
  return arrival === null
    ? stored
    : { ...stored, arrival: { ...arrival, currency: arrival.currency ?? unrecordedCurrency } }
}

/** Money of nobody: it came in and is in no wallet. */
const suspenseEntry = (
  receipt: string,
  { account_ref, amount_minor, currency }: Arrival,
  at: number
): LedgerEntryRow => ({
  id: receiptId("suspense", receipt),
  workspace_id: null,
  kind: "suspense",
  amount_minor,
  balance_after_minor: 0,
  currency,
  reference_type: "receipt",
  reference_id: receipt,
  description: "A payment whose reference no workspace has",
  created_at: at,
  actor: JSON.stringify({ type: "system" }),
  metadata: JSON.stringify({ account_ref }),
  lines: [
    { account: "clearing:mobilemoney", amount_minor: -amount_minor },
    { account: "suspense", amount_minor }
  ]
})

export const recordIncomingPayment = ({
  after,
  events
}: {
  readonly after: IncomingPayment
  readonly events: ReadonlyArray<IncomingPaymentEvent>
}) => ({
  workspace_id: after.workspace_id,
  state: JSON.stringify(after),
  columns: {
    standing: after.standing,
    amount_minor: after.arrival!.amount_minor,
    account_ref: after.arrival!.account_ref,
    topup_id: after.topup_id,
    paid_at: after.arrival!.paid_at
  },
  ledger: events.flatMap((event) =>
    event._tag === "Suspended" ? [suspenseEntry(after.receipt, after.arrival!, event.at)] : []
  )
})
