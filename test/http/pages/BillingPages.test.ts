import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { toTopUpId } from "../../../src/domain/BrandedIds.ts"
import { invoiceOf } from "../../../src/domain/wallet/Invoice.ts"
import { receiptOf } from "../../../src/domain/wallet/Receipt.ts"
import { amountText, invoicePage, receiptPage, styleHash } from "../../../src/http/pages/BillingPages.ts"
import { workspaceId } from "../../support/Ids.ts"

const hostile = `<script>alert(1)</script>"'&</title><img src=x onerror=1>`
const parties = {
  issuer: { name: `Op ${hostile}`, address: [hostile, "Nairobi"], tax_number: hostile },
  customer: { workspace_id: workspaceId("0190f5fe-7c00-7a00-8000-00000000000a"), name: hostile },
  reference: "4T7K2M9QX3"
}
const receipt = receiptOf(
  {
    topup_id: toTopUpId("0190f5fe-7c00-7a00-8000-0000000000aa"),
    entry_id: "e",
    ordinal: 1,
    amount_minor: 123_450,
    net_minor: 100_000,
    currency: "KES",
    description: hostile,
    provider_reference: hostile,
    paid_at: Date.UTC(2026, 10, 20, 12, 34)
  },
  parties
)
const invoice = invoiceOf(
  "2026-11",
  {
    first_month: "2026-11",
    ledger: {
      lines: [
        { kind: "call_charge", entries: 3, amount_minor: -900 },
        { kind: "topup", entries: 1, amount_minor: 5_000 },
        { kind: "topup_reversal", entries: 1, amount_minor: -6_000 }
      ],
      opening_balance_minor: 0,
      closing_balance_minor: -1_900
    }
  },
  parties,
  "KES"
)

describe("a printed page", () => {
  for (const [name, page] of [
    ["receipt", receiptPage(receipt)],
    ["invoice", invoicePage(invoice)]
  ] as const)
    it(`of a ${name} shows hostile names as text and lets nothing but its own style in`, () => {
      const { headers, html } = page
      assert.notMatch(html, /<script|<img|onerror=1>|javascript:/)
      assert.include(html, "&lt;script&gt;alert(1)&lt;/script&gt;")
      assert.strictEqual(html.match(/<\/title>/g)?.length, 1)
      const policy = headers["content-security-policy"] ?? ""
      assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
      assert.notInclude(policy, "unsafe")
      const [, style = ""] = /<style>(.*)<\/style>/s.exec(html) ?? []
      assert.strictEqual(createHash("sha256").update(style).digest("base64"), styleHash, "the hash of the style")
      assert.include(style, "@media print")
      assert.notInclude(html, " style=")
      assert.strictEqual(headers["cache-control"], "no-store")
    })

  it("writes amounts with two decimals in every currency", () => {
    for (const [amount_minor, text] of [
      [0, "0.00 UGX"],
      [5, "0.05 UGX"],
      [-5, "\u22120.05 UGX"],
      [123_456, "1,234.56 UGX"],
      [9_007_199_254_740_991, "90,071,992,547,409.91 UGX"]
    ] as const)
      assert.strictEqual(amountText(amount_minor, "UGX"), text)
  })

  it("has the number, the payment and what was taken back", () => {
    const { html } = receiptPage(receipt)
    for (const text of ["R-4T7K2M9QX3-00001", "2026-11-20 12:34 UTC", "1,234.50 KES", "\u2212234.50 KES"])
      assert.include(html, text)
    assert.notInclude(html, "Test mode")
  })

  it("has the sums of the month, and the balances", () => {
    const { html } = invoicePage(invoice)
    for (const text of [
      "I-4T7K2M9QX3-00001",
      "Calls (3)</td><td>9.00 KES",
      "Reversed top-ups (1)</td><td>\u221260.00 KES"
    ])
      assert.include(html, text)
    assert.include(html, "Closing balance</td><td>\u221219.00 KES")
  })

  it("of test mode says so", () => {
    assert.include(receiptPage({ ...receipt, livemode: false }).html, "Test mode: no money was paid.")
  })
})
