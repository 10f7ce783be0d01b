// One movement of a workspace's money, as its statement shows it.
import { Schema } from "effect"
import { Currency } from "./Currency.ts"

export const StatementKind = Schema.Literals([
  "topup",
  "topup_reversal",
  "call_charge",
  "number_rental",
  "storage_charge",
  "manual_credit",
  "refund",
  "fee_waiver",
  "manual_debit"
]).annotate({ identifier: "StatementKind" })
export type StatementKind = typeof StatementKind.Type

export const StatementEntry = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the entry." }),
  sequence: Schema.Int.annotate({
    description:
      "The number of the entry in the wallet, from 1 without gaps: each begins at the balance of the one before."
  }),
  kind: StatementKind,
  amount_minor: Schema.Int.annotate({ description: "Positive into the wallet, negative out of it." }),
  balance_after_minor: Schema.Int,
  currency: Currency,
  reference_type: Schema.String.annotate({ description: "What the movement is about: `call`, `topup`, `number` …" }),
  reference_id: Schema.String,
  description: Schema.String,
  created_at: Schema.String,
  actor: Schema.Unknown.annotate({ description: "Who caused it." }),
  metadata: Schema.Unknown.annotate({ description: "What the entry refers to beside its reference." })
}).annotate({ identifier: "StatementEntry" })
export type StatementEntry = typeof StatementEntry.Type

export interface StatementFilter {
  readonly kind?: StatementKind
  /** Epoch milliseconds; at or after. */
  readonly from?: number
  /** Epoch milliseconds; before. */
  readonly to?: number
}
