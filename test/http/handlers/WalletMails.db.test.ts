// Mail about the wallet, on the whole engine.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { mailsTo } from "../../support/Mails.ts"
import { as, founder, joined } from "../../support/People.ts"
import { until } from "../../support/Until.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

const about = (email: string) =>
  Effect.map(mailsTo(email), (mails) => mails.filter(({ text }) => text.includes("threshold")))

/** Waits until the address has so many mails about its balance. */
const mails = (email: string, count: number) =>
  until(`mail no. ${count} to ${email} about its balance`, about(email), (found) => found.length >= count)

suite("a balance that falls below the threshold", (it) => {
  it.effect("is mailed to the admins of the workspace, once each time, in test mode too", () =>
    Effect.gen(function* () {
      const owner = yield* founder("low@example.com")
      yield* joined(owner, "low-admin@example.com", "admin")
      yield* joined(owner, "low-viewer@example.com", "viewer")
      const counts = Effect.forEach(["low@example.com", "low-admin@example.com", "low-viewer@example.com"], (email) =>
        Effect.map(about(email), (found) => found.length)
      )
      const set = (low_balance_threshold_minor: number) =>
        as(owner.cookie, { path: "/v1/wallet", method: "PATCH", body: { low_balance_threshold_minor } })
      yield* set(50_000)
      const [mail] = yield* mails("low@example.com", 1)
      assert.include(mail?.text, "0.00 KES")
      assert.include(mail?.text, "500.00 KES")
      assert.notInclude(mail?.subject, "Test mode")
      // It is below already.
      yield* set(60_000)
      yield* set(0)
      yield* set(70_000)
      const two = yield* until("mail about the last threshold", about("low@example.com"), (found) =>
        found.some(({ text }) => text.includes("700.00 KES"))
      )
      assert.lengthOf(two, 2, "none about 600.00 KES")
      const minted = yield* as(owner.cookie, {
        path: "/v1/api-keys",
        body: { label: "t", scopes: ["wallet.read", "wallet.write"], env: "test" }
      })
      const { key } = minted.body as { readonly key: string }
      yield* ask({ path: "/v1/wallet", method: "PATCH", key, body: { low_balance_threshold_minor: 300_000 } })
      const all = yield* mails("low@example.com", 3)
      yield* mails("low-admin@example.com", 3)
      assert.lengthOf(
        all.filter(({ subject }) => subject.startsWith("[Test mode]")),
        1
      )
      assert.deepStrictEqual(yield* counts, [3, 3, 0])
    })
  )
})
