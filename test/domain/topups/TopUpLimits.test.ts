import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { TopUpLimit } from "../../../src/domain/topups/TopUpLimit.ts"
import { checkTopUp, type Providers } from "../../../src/domain/topups/TopUpLimits.ts"
import { maskedPhone, type TopUpRequest } from "../../../src/domain/topups/TopUpRecord.ts"
import type { Currency } from "../../../src/domain/wallet/Currency.ts"
import { topUpLimits } from "../../support/Payments.ts"

const request: TopUpRequest = {
  provider: "mobilemoney",
  amount_minor: 10_000,
  currency: "KES",
  phone_e164: "+254700000000"
}
const providers: Providers = { mobileMoney: { currency: "KES", unit_minor: 100 }, card: true }

const table: ReadonlyArray<
  readonly [change: Partial<TopUpRequest>, wallet: Currency, providers: Partial<Providers>, verdict: string]
> = [
  [{}, "KES", {}, "ok"],
  [{ amount_minor: 25_000_000 }, "KES", {}, "ok"],
  [{ amount_minor: 9_900 }, "KES", {}, "wallet.topup_below_minimum"],
  [{ amount_minor: 25_000_100 }, "KES", {}, "topup.limit_exceeded"],
  [{ amount_minor: 10_001 }, "KES", {}, "wallet.invalid_amount"],
  [{ amount_minor: 10_001, provider: "card" }, "KES", {}, "ok"],
  [{ amount_minor: 0 }, "KES", {}, "wallet.invalid_amount"],
  [{ amount_minor: -100 }, "KES", {}, "wallet.invalid_amount"],
  [{ currency: "UGX" }, "KES", {}, "wallet.currency_mismatch"],
  [{ currency: "kes" }, "KES", {}, "currency.unsupported"],
  [{}, "KES", { mobileMoney: undefined }, "mobilemoney.unavailable"],
  [{ currency: "UGX", amount_minor: 300_000 }, "UGX", {}, "mobilemoney.unavailable"],
  [{ currency: "UGX", amount_minor: 300_000, provider: "card" }, "UGX", {}, "ok"],
  [{ provider: "card" }, "KES", { card: false }, "cardprovider.unavailable"]
]

describe("a top-up", () => {
  it.each(table)("of %j into a wallet in %s, with %j: %s", (change, wallet, closed, verdict) => {
    const result = checkTopUp(
      { ...request, ...change },
      wallet,
      { ...providers, ...closed },
      wallet === "UGX" ? topUpLimits.UGX : topUpLimits.KES
    )
    assert.strictEqual(Result.isSuccess(result) ? "ok" : result.failure._tag, verdict)
  })

  it.each(["paypal", "manual", ""])("by the provider %j is refused with the providers that exist", (provider) => {
    const result = checkTopUp({ ...request, provider }, "KES", providers, topUpLimits.KES)
    assert.deepInclude(Result.isFailure(result) && result.failure, {
      _tag: "cardprovider.unavailable",
      message: "There is no such provider of top-ups.",
      resolution: "Use mobilemoney or card.",
      details: [{ field: "/provider", code: "unknown", message: "Expected mobilemoney or card." }]
    })
  })

  it("by mobile money needs a phone", () => {
    const { phone_e164: _, ...without } = request
    const result = checkTopUp(without, "KES", providers, topUpLimits.KES)
    assert.deepInclude(Result.isFailure(result) && result.failure.details?.[0], {
      field: "/phone_e164",
      code: "required"
    })
    assert.isTrue(Result.isSuccess(checkTopUp({ ...without, provider: "card" }, "KES", providers, topUpLimits.KES)))
  })

  it("has no maximum below its minimum, and no maximum of zero", () => {
    const isLimit = Schema.is(TopUpLimit)
    assert.isTrue(isLimit({ currency: "KES", minimum_minor: 1, maximum_minor: 1 }))
    for (const wrong of [
      { minimum_minor: 2 },
      { minimum_minor: 0 },
      { maximum_minor: -1 },
      { maximum_minor: 1.5 },
      { currency: "EUR" }
    ]) {
      assert.isFalse(isLimit({ currency: "KES", minimum_minor: 1, maximum_minor: 1, ...wrong }))
    }
  })

  it("masks the middle of a phone number", () => {
    assert.strictEqual(maskedPhone("+254700000089"), "+2547******89")
  })
})
