// Credits and debits by operators.
import { Result, Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import {
  CurrencyUnsupported,
  WalletAdjustmentInvalidKind,
  WalletCurrencyMismatch,
  WalletInvalidAmount
} from "../errors/WalletErrors.ts"
import type { StatementEntry } from "./StatementEntry.ts"
import type { Credit, Debit } from "./WalletCommand.ts"
import { type Currency, isCurrency } from "./Currency.ts"

const Text = (max: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(max))

export const AdjustmentRequest = Schema.Struct({
  kind: Schema.String.annotate({ description: "`manual_credit`, `refund`, `fee_waiver` or `manual_debit`." }),
  amount_minor: Schema.Int.annotate({ description: "Positive; the kind decides the direction." }),
  currency: Schema.String.annotate({ description: "The currency of the wallet." }),
  note: Text(500).annotate({ description: "The reason. It is shown on the customer's statement." }),
  reference: Text(128).annotate({ description: "The ticket, invoice or payment that the adjustment is for." }),
  allow_negative: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a debit may take more than is available. Default: false."
  })
}).annotate({ identifier: "AdjustmentRequest" })
export type AdjustmentRequest = typeof AdjustmentRequest.Type

/** Fails if the given currency is not that of the wallet. */
export const sameCurrency = (
  given: string,
  wallet: Currency
): Result.Result<void, CurrencyUnsupported | WalletCurrencyMismatch> => {
  if (given === wallet) return Result.void
  return Result.fail(
    isCurrency(given)
      ? new WalletCurrencyMismatch({ message: `The wallet is in ${wallet}, not in ${given}.` })
      : new CurrencyUnsupported()
  )
}

/** Whether the ledger entry results from the movement. */
export const isEntryOf = (
  { amount_minor, description, kind, reference_id }: StatementEntry,
  movement: Credit | Debit
): boolean =>
  kind === movement.kind &&
  description === movement.description &&
  reference_id === movement.reference_id &&
  amount_minor === (movement._tag === "Credit" ? movement.amount_minor : -movement.amount_minor)

export type AdjustmentRefusal =
  | CurrencyUnsupported
  | WalletAdjustmentInvalidKind
  | WalletCurrencyMismatch
  | WalletInvalidAmount

/** The credit or debit of a request, for a wallet in this currency. */
export const adjustmentOf = (
  { allow_negative = false, amount_minor, currency, kind, note, reference }: AdjustmentRequest,
  wallet: Currency,
  { entry_id, origin }: { readonly entry_id: string; readonly origin: Origin }
): Result.Result<Credit | Debit, AdjustmentRefusal> =>
  Result.gen(function* () {
    yield* sameCurrency(currency, wallet)
    if (amount_minor <= 0) return yield* Result.fail(new WalletInvalidAmount())
    const movement = {
      entry_id,
      amount_minor,
      reference_type: "adjustment",
      reference_id: reference,
      description: note,
      origin
    }
    switch (kind) {
      case "manual_credit":
      case "refund":
      case "fee_waiver":
        return { _tag: "Credit", kind, ...movement }
      case "manual_debit":
        return { _tag: "Debit", kind, may_overdraw: allow_negative, ...movement }
      default:
        return yield* Result.fail(new WalletAdjustmentInvalidKind())
    }
  })
