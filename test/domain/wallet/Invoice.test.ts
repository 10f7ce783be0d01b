import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { toTopUpId } from "../../../src/domain/BrandedIds.ts"
import { beginOf, endOf, monthAfter, monthOf, monthsBetween } from "../../../src/domain/wallet/CalendarMonth.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { invoiceOf, invoicesOf, isInvoiced } from "../../../src/domain/wallet/Invoice.ts"
import { addressLines } from "../../../src/domain/wallet/Issuer.ts"
import { documentNumber, receiptOf } from "../../../src/domain/wallet/Receipt.ts"
import { workspaceId } from "../../support/Ids.ts"
import { became, closed, funded, now } from "../../support/WalletStates.ts"

const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const parties = {
  issuer: { name: "Operator Ltd", address: ["1 High Street"], tax_number: "P051" },
  customer: { workspace_id, name: "Acme" },
  reference: "4T7K2M9QX3"
}

describe("a month", () => {
  it("is one of the calendar in UTC, whatever the year", () => {
    for (const [instant, month, begin, end] of [
      ["2026-11-30T23:59:59.999Z", "2026-11", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
      ["2026-12-01T00:00:00.000Z", "2026-12", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
      ["2028-02-29T12:00:00.000Z", "2028-02", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"]
    ] as const) {
      assert.strictEqual(monthOf(Date.parse(instant)), month)
      assert.strictEqual(new Date(beginOf(month)).toISOString(), begin)
      assert.strictEqual(new Date(endOf(month)).toISOString(), end)
    }
    assert.strictEqual(monthAfter("2026-12", 1), "2027-01")
    assert.strictEqual(monthAfter("2027-01", -1), "2026-12")
    assert.strictEqual(monthsBetween("2026-11", "2028-02"), 15)
  })
})

describe("an invoice", () => {
  const ledger = {
    lines: [
      { kind: "topup", entries: 2, amount_minor: 50_000 },
      { kind: "call_charge", entries: 7, amount_minor: -2_100 },
      { kind: "refund", entries: 1, amount_minor: 300 },
      { kind: "number_rental", entries: 1, amount_minor: -10_000 }
    ] as const,
    opening_balance_minor: 1_000,
    closing_balance_minor: 39_200
  }
  const invoice = invoiceOf("2027-01", { first_month: "2026-11", ledger }, parties, "KES")

  it("has the costs, the payments and the balances, which agree", () => {
    assert.deepStrictEqual(
      invoice.charges.map(({ kind }) => kind),
      ["call_charge", "number_rental"]
    )
    assert.deepStrictEqual(
      invoice.credits.map(({ kind }) => kind),
      ["refund"]
    )
    assert.strictEqual(invoice.total_minor, 11_800)
    const paid = invoice.payments.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    assert.strictEqual(invoice.opening_balance_minor - invoice.total_minor + paid, invoice.closing_balance_minor)
    assert.isTrue(invoice.livemode)
  })

  it("has the place of its month as its number", () => {
    assert.strictEqual(invoice.number, "I-4T7K2M9QX3-00003")
    assert.strictEqual(documentNumber("R", "X", 1_234_567), "R-X-1234567")
  })

  it("exists for every month that has ended since the first entry, and for no other", () => {
    const at = Date.UTC(2027, 1, 1)
    for (const [month, exists] of [
      ["2026-10", false],
      ["2026-11", true],
      ["2027-01", true],
      ["2027-02", false]
    ] as const)
      assert.strictEqual(isInvoiced(month, "2026-11", at), exists, month)
    assert.isFalse(isInvoiced("2027-01", "2026-11", at - 1), "it has not ended")
    assert.isFalse(isInvoiced("2027-01", undefined, at), "a wallet without entries")
    const all = invoicesOf("2026-11", "X", at, { before: undefined, limit: 9 })
    assert.deepStrictEqual(
      all.map(({ month, number }) => [month, number]),
      [
        ["2027-01", "I-X-00003"],
        ["2026-12", "I-X-00002"],
        ["2026-11", "I-X-00001"]
      ]
    )
    assert.deepStrictEqual(invoicesOf("2026-11", "X", at, { before: "2027-01", limit: 1 }), all.slice(1, 2))
    assert.deepStrictEqual(invoicesOf(undefined, "X", at, { before: undefined, limit: 9 }), [])
  })

  it("is final: no entry of the wallet gets a time of a month that was closed", () => {
    const until = now + 1_000
    const close = (wallet: typeof funded | typeof closed, at: number) =>
      decideWallet(wallet, { _tag: "CloseMonth", until }, at)
    assert.strictEqual(Result.getFailure(close(funded, until - 1))._tag, "Some", "the month has not ended")
    assert.strictEqual(Result.getFailure(close(closed, until))._tag, "Some", "there is no wallet")
    const { events } = Result.getOrThrow(close(funded, until))
    assert.deepStrictEqual(events, [{ _tag: "MonthClosed", at: until }])
    const after = became(funded, ...events)
    assert.deepStrictEqual(Result.getOrThrow(close(after, until)).events, [], "it is closed already")
    assert.deepStrictEqual({ ...after, updated_at: 0 }, { ...funded, updated_at: 0 })
    assert.strictEqual(after.updated_at, until)
  })
})

it("a receipt shows what was paid and what was taken back", () => {
  const paid = {
    topup_id: toTopUpId("t"),
    entry_id: "e",
    ordinal: 12,
    amount_minor: 500,
    net_minor: 200,
    currency: "KES",
    description: "Top-up by card",
    provider_reference: "pi_1",
    paid_at: now
  } as const
  const receipt = receiptOf(paid, parties)
  assert.deepInclude(receipt, { number: "R-4T7K2M9QX3-00012", amount_minor: 500, reversed_minor: 300, livemode: true })
  const sandbox = { ...parties, customer: { ...parties.customer, workspace_id: workspaceId("7e577e57-x") } }
  assert.isFalse(receiptOf(paid, sandbox).livemode)
})

it("an address is written in one line, with semicolons between its lines", () => {
  assert.deepStrictEqual(addressLines(" 1 High Street; ;Nairobi;"), ["1 High Street", "Nairobi"])
  assert.deepStrictEqual(addressLines(""), [])
})
