import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { adjustmentOf, type AdjustmentRequest } from "../../../src/domain/wallet/Adjustment.ts"

const request: AdjustmentRequest = {
  kind: "manual_credit",
  amount_minor: 500,
  currency: "KES",
  note: "Sorry",
  reference: "T-1"
}

const table: ReadonlyArray<readonly [change: Partial<AdjustmentRequest>, made: string]> = [
  [{}, "Credit manual_credit 500"],
  [{ kind: "refund" }, "Credit refund 500"],
  [{ kind: "fee_waiver" }, "Credit fee_waiver 500"],
  [{ kind: "manual_debit" }, "Debit manual_debit 500"],
  [{ kind: "manual_debit", allow_negative: true }, "Debit manual_debit 500 may overdraw"],
  [{ kind: "topup" }, "wallet.adjustment_invalid_kind"],
  [{ kind: "" }, "wallet.adjustment_invalid_kind"],
  [{ amount_minor: 0 }, "wallet.invalid_amount"],
  [{ amount_minor: -1 }, "wallet.invalid_amount"],
  [{ currency: "UGX" }, "wallet.currency_mismatch"],
  [{ currency: "USD" }, "currency.unsupported"]
]

const madeOf = (change: Partial<AdjustmentRequest>): string => {
  const made = adjustmentOf({ ...request, ...change }, "KES", { entry_id: "e", origin: systemOrigin })
  if (Result.isFailure(made)) return made.failure._tag
  const { _tag, amount_minor, kind } = made.success
  return [
    _tag,
    kind,
    amount_minor,
    ...("may_overdraw" in made.success && made.success.may_overdraw ? ["may overdraw"] : [])
  ].join(" ")
}

it.each(table)("an adjustment with %j is: %s", (change, made) => assert.strictEqual(madeOf(change), made))
