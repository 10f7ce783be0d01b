// Receipts and invoices over HTTP, on the whole engine.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { monthOf } from "../../../src/domain/wallet/CalendarMonth.ts"
import { layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import * as MidMonth from "../../support/MidMonth.ts"
import { as, cookieOf, onboard, signedIn } from "../../support/People.ts"
import { until } from "../../support/Until.ts"

const issuer = {
  INVOICE_NAME: "Operator <b>Ltd</b>",
  INVOICE_ADDRESS: "1 High Street; Nairobi",
  INVOICE_TAX_NUMBER: "P051234567X"
}
/** In the middle of a month: one that has ended has an invoice. */
const engine = layerWith({ RATE_LIMITS: "off", ...issuer }).pipe(Layer.provideMerge(MidMonth.layer))
const suite = layer(engine, { excludeTestServices: true, timeout: 60_000 })

type Json = Readonly<Record<string, unknown>>

suite("receipts and invoices", (it) => {
  it.effect(
    "are read by API key and printed from a browser, in both modes",
    () =>
      Effect.gen(function* () {
        const cookie = cookieOf(yield* onboard(yield* signedIn("books@example.com"), `<script>Acme</script>`, "KES"))
        const check = Effect.fnUntraced(function* (env: string) {
          const minted = yield* as(cookie, {
            path: "/v1/api-keys",
            body: { label: env, scopes: ["wallet.read", "wallet.write"], env }
          })
          const { key } = minted.body as { readonly key: string }
          const started = yield* ask({
            path: "/v1/topups",
            key,
            body: { provider: "card", amount_minor: 1_000_000, currency: "KES" }
          })
          const { topup_id } = started.body as { readonly topup_id: string }
          const path = `/v1/topups/${topup_id}/receipt`
          assert.deepInclude(yield* ask({ path, key }), { status: 404, code: "receipt.not_found" })
          const read = until("receipt", ask({ path, key }), ({ status }) => status === 200, { every_ms: 100 })
          const receipt = (yield* read).body as Json
          assert.match(String(receipt["number"]), /^R-[0-9A-Z]{10}-00001$/)
          assert.deepInclude(receipt, {
            amount_minor: 1_000_000,
            reversed_minor: 0,
            livemode: env === "live",
            topup_id
          })
          assert.deepStrictEqual(receipt["issuer"], {
            name: issuer.INVOICE_NAME,
            address: ["1 High Street", "Nairobi"],
            tax_number: issuer.INVOICE_TAX_NUMBER
          })
          const page =
            env === "live"
              ? yield* as(cookie, { path: `${path}/page`, method: "GET" })
              : yield* ask({ path: `${path}/page`, key })
          assert.strictEqual(page.status, 200, page.text)
          assert.include(page.text, "Operator &lt;b&gt;Ltd&lt;/b&gt;")
          assert.include(page.text, "&lt;script&gt;Acme")
          assert.notInclude(page.text, "<script")
          assert.strictEqual(page.text.includes("Test mode"), env === "test")
          assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
          assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'; style-src 'sha256-")
          // The month has not ended.
          assert.deepStrictEqual((yield* ask({ path: "/v1/invoices", key })).body, [])
          const month = monthOf(yield* Clock.currentTimeMillis)
          for (const unknown of [month, "2001-01", "2026-13", "x"])
            assert.deepInclude(yield* ask({ path: `/v1/invoices/${unknown}`, key }), {
              status: 404,
              code: "invoice.not_found"
            })
        })
        yield* Effect.forEach(["live", "test"], check, { concurrency: 2 })
      }),
    60_000
  )

  it.effect("list the months that have ended, page by page", () =>
    Effect.gen(function* () {
      const cookie = cookieOf(yield* onboard(yield* signedIn("old@example.com"), "Old", "KES"))
      const workspace = (yield* as(cookie, { path: "/v1/workspace", method: "GET" })).body as Json
      const sql = yield* SqlClient.SqlClient
      // A wallet that is a few months old.
      const entry = { id: crypto.randomUUID(), at: new Date((yield* Clock.currentTimeMillis) - 100 * 86_400_000) }
      yield* sql`
        INSERT INTO ledger_entries (id, workspace_id, sequence, kind, amount_minor, balance_after_minor, currency,
          reference_type, reference_id, description, created_at, actor, metadata)
        VALUES (${entry.id}, ${String(workspace["id"])}, 1, 'manual_credit', 500, 500, 'KES', 'adjustment', 'r', '',
          ${entry.at}, '{}', '{}')`
      const list = (query: string) => as(cookie, { path: `/v1/invoices${query}`, method: "GET" })
      const all = (yield* list("")).body as ReadonlyArray<Json>
      assert.isAtLeast(all.length, 3)
      assert.strictEqual(all.at(-1)?.["month"], entry.at.toISOString().slice(0, 7))
      const first = yield* list("?limit=2")
      const second = yield* list(`?limit=200&cursor=${first.headers.get("x-next-cursor")}`)
      assert.deepStrictEqual([...(first.body as []), ...(second.body as [])], all)
      const oldest = yield* as(cookie, { path: `/v1/invoices/${String(all.at(-1)?.["month"])}`, method: "GET" })
      assert.deepInclude(oldest.body as Json, { total_minor: -500, closing_balance_minor: 500 })
      const page = yield* as(cookie, { path: `/v1/invoices/${String(all.at(-1)?.["month"])}/page`, method: "GET" })
      assert.include(page.text, String((oldest.body as Json)["number"]))
    })
  )
})
