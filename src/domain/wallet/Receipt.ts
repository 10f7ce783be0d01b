// The receipt of a top-up, made of the ledger alone. The ledger is append-only and the wallet numbers its entries in
// the transaction that writes them, so the place of a top-up among the wallet's top-ups is a number without gaps that
// never changes.
import { Schema } from "effect"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"
import { isoInstant } from "../kit/Instants.ts"
import { isLive } from "../kit/Sandbox.ts"
import { Currency } from "./Currency.ts"
import { Issuer } from "./Issuer.ts"

export const Customer = Schema.Struct({
  workspace_id: WorkspaceId,
  name: Schema.String.annotate({ description: "The present name of the workspace." })
}).annotate({ identifier: "BilledWorkspace" })
export type Customer = typeof Customer.Type

export const documentFields = {
  number: Schema.String.annotate({
    description: "Numbers of a workspace follow on each other without gaps. They never change."
  }),
  livemode: Schema.Boolean.annotate({ description: "`false` in test mode, where no money is paid." }),
  issuer: Issuer,
  customer: Customer,
  currency: Currency
}

export const Receipt = Schema.Struct({
  ...documentFields,
  topup_id: TopUpId,
  entry_id: Schema.String.annotate({ description: "The entry of the statement that credited the payment." }),
  amount_minor: Schema.Int.annotate({ description: "What was paid, in minor units." }),
  reversed_minor: Schema.Int.annotate({ description: "How much of it the provider has taken back by now." }),
  description: Schema.String,
  provider_reference: Schema.NullOr(Schema.String).annotate({ description: "The provider's receipt." }),
  paid_at: Schema.String.annotate({ description: "When the wallet was credited." })
}).annotate({ identifier: "Receipt" })
export type Receipt = typeof Receipt.Type

/** What the ledger says of a top-up. */
export interface PaidTopUp {
  readonly topup_id: TopUpId
  readonly entry_id: string
  /** The place of its first credit among those of the wallet, from 1. */
  readonly ordinal: number
  readonly amount_minor: number
  /** The sum of all entries of the top-up. */
  readonly net_minor: number
  readonly currency: Currency
  readonly description: string
  readonly provider_reference: string | null
  /** Epoch milliseconds. */
  readonly paid_at: number
}

/** Who issues a document to whom. `reference`: the workspace's own, which begins its numbers. */
export interface Parties {
  readonly issuer: Issuer
  readonly customer: Customer
  readonly reference: string
}

/** `kind`: `R` for a receipt, `I` for an invoice. Longer ordinals make longer numbers. */
export const documentNumber = (kind: "R" | "I", reference: string, ordinal: number): string =>
  `${kind}-${reference}-${String(ordinal).padStart(5, "0")}`

export const receiptOf = (
  { entry_id, net_minor, ordinal, paid_at, ...paid }: PaidTopUp,
  { customer, issuer, reference }: Parties
): Receipt => ({
  number: documentNumber("R", reference, ordinal),
  livemode: isLive(customer.workspace_id),
  issuer,
  customer,
  ...paid,
  entry_id,
  reversed_minor: paid.amount_minor - net_minor,
  paid_at: isoInstant(paid_at)
})
