import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { isReceipt, receiptId } from "../../../src/domain/topups/ReceiptIds.ts"

const Receipt = Schema.String.check(Schema.isPattern(/^[0-9A-Z]{1,20}$/))

it.prop(
  "no two receipts, and no two purposes, share an id, and each is a UUID of version 8",
  [Receipt, Receipt],
  ([a, b]) => {
    const ids = [
      receiptId("mobilemoney_credit", a),
      receiptId("card_credit", a),
      receiptId("suspense", a),
      receiptId("mobilemoney_credit", b)
    ]
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.strictEqual(new Set(ids).size, a === b ? 3 : 4)
    assert.strictEqual(ids[0], receiptId("mobilemoney_credit", a))
  },
  { arbitrary: { runs: 500 } }
)

it("a leading zero counts, and the longest receipt keeps its purpose apart", () => {
  const all = ["A", "0A", "00A", "Z".repeat(20), "0".repeat(20)].flatMap((receipt) =>
    (["mobilemoney_credit", "manual_topup"] as const).map((purpose) => receiptId(purpose, receipt))
  )
  assert.strictEqual(new Set(all).size, all.length)
})

it("a receipt is up to 20 capital letters and digits", () => {
  assert.deepStrictEqual(["NLJ7RT61SV", "A", "", "nlj7", "A B", "Z".repeat(21)].map(isReceipt), [
    true,
    true,
    false,
    false,
    false,
    false
  ])
})
