import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { accountPaymentOf, promptResultOf } from "../../../../src/layers/mobilemoney/daraja/DarajaDocuments.ts"
import { eastAfrican, instantOf, minorOf, stamp } from "../../../../src/layers/mobilemoney/daraja/DarajaValues.ts"

const at = Date.UTC(2019, 11, 19, 7, 21, 15)

const paid = (items: ReadonlyArray<{ Name: string; Value?: string | number }>) => ({
  Body: { stkCallback: { ResultCode: 0, ResultDesc: "ok", CallbackMetadata: { Item: items } } }
})
const Amount = { Name: "Amount", Value: 1 }
const Receipt = { Name: "MpesaReceiptNumber", Value: "nlj7rt61sv " }

describe("the provider's documents", () => {
  it("have times in East Africa Time", () => {
    assert.strictEqual(stamp(at), "20191219102115")
    assert.strictEqual(eastAfrican(at), "2019-12-19 10:21:15")
    for (const text of ["20191219102115", "2019-12-19 10:21:15", "2019-12-19T07:21:15Z", "2019-12-19T10:21:15+03:00"])
      assert.strictEqual(instantOf(text), at, text)
    assert.isUndefined(instantOf("yesterday"))
  })

  it("have amounts in shillings", () => {
    const amounts = { "10": 1_000, "10.00": 1_000, "10.5": 1_050, "0.01": 1, "1,000.25": 100_025, "10.000": 1_000 }
    for (const [text, minor] of Object.entries(amounts)) assert.strictEqual(minorOf(text), minor, text)
    for (const text of ["", "-1", "1.005", "ten", "1e3", "9".repeat(13)]) assert.isUndefined(minorOf(text), text)
  })

  it("have the outcome of a prompt", () => {
    const paid_at = at
    assert.deepStrictEqual(
      promptResultOf(
        paid([Amount, Receipt, { Name: "Balance" }, { Name: "TransactionDate", Value: 20_191_219_102_115 }]),
        7
      ),
      Option.some({ _tag: "Paid", receipt: "NLJ7RT61SV", amount_minor: 100, currency: "KES", paid_at })
    )
    assert.deepInclude(Option.getOrThrow(promptResultOf(paid([Amount, Receipt]), 7)), { paid_at: 7 })
    assert.deepStrictEqual(
      promptResultOf({ Body: { stkCallback: { ResultCode: "1032", ResultDesc: "Request cancelled by user" } } }, 7),
      Option.some({ _tag: "Failed", code: "cancelled_by_user", message: "Request cancelled by user" })
    )
    const nothing = [
      null,
      {},
      "x",
      paid([Amount]),
      paid([Receipt]),
      paid([{ ...Amount, Value: 0 }, Receipt]),
      paid([Amount, { ...Receipt, Value: "A B" }])
    ]
    for (const document of nothing) assert.isTrue(Option.isNone(promptResultOf(document, 7)), JSON.stringify(document))
  })

  it("have the payments to the account", () => {
    const document = { TransID: "RKTQDM7W6S", TransTime: "20191219102115", TransAmount: "10.50", BillRefNumber: "abc" }
    assert.deepStrictEqual(
      accountPaymentOf(document, 7),
      Option.some({ receipt: "RKTQDM7W6S", amount_minor: 1_050, currency: "KES", account_ref: "abc", paid_at: at })
    )
    const { BillRefNumber: _, TransTime: __, ...least } = document
    assert.deepStrictEqual(
      accountPaymentOf({ ...least, TransAmount: 10 }, 7),
      Option.some({ receipt: "RKTQDM7W6S", amount_minor: 1_000, currency: "KES", account_ref: "", paid_at: 7 })
    )
    for (const wrong of [
      {},
      { ...document, TransID: "" },
      { ...document, TransAmount: "0" },
      { ...document, TransAmount: "-5" }
    ]) {
      assert.isTrue(Option.isNone(accountPaymentOf(wrong, 7)), JSON.stringify(wrong))
    }
  })
})
