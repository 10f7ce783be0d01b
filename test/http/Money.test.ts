import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Wallets } from "../../src/actors/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { checkInvariants } from "../../src/layers/postgres/Invariants.ts"
import { DemoFile, layer as engine } from "../support/Engine.ts"
import { ask } from "../support/HttpTester.ts"

const rate_minor = 300
const affordable = 50
const wanted = 200

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("money through the whole engine", (it) => {
  it.effect(`lets ${affordable} of ${wanted} calls at once go through where there is money for so many, and nothing below zero`, () =>
    Effect.gen(function*() {
      const { api_key: key, number, workspace_id } = yield* DemoFile
      const wallets = yield* Wallets
      yield* wallets.debit(workspace_id, {
        entry_id: "0199a000-0000-7000-8000-0000000000f1", kind: "manual_debit", may_overdraw: false, amount_minor: 1_000_000 - affordable * rate_minor,
        reference_type: "adjustment", reference_id: "test", description: "All but a little", origin: systemOrigin
      })
      const answers = yield* Effect.forEach(Array.from({ length: wanted }, (_, n) => n), (n) =>
        ask({
          path: "/v1/calls/originate",
          key,
          // Nobody answers, so that no hold ends meanwhile.
          body: { to: "+99900000003", from: number.number, voice_callback_url: "http://127.0.0.1:9/voice", client_reference: String(n) }
        }), { concurrency: "unbounded" })
      const tally = Object.groupBy(answers, ({ code, status }) => `${status} ${code ?? ""}`)
      const counts = Object.fromEntries(Object.entries(tally).map(([said, all]) => [said, all?.length]))
      assert.deepStrictEqual(counts, { "201 ": affordable, "402 wallet.insufficient_funds": wanted - affordable })
      assert.deepInclude((yield* ask({ path: "/v1/wallet/balance", key })).body, {
        balance_minor: affordable * rate_minor, held_minor: affordable * rate_minor, available_minor: 0
      })
      const holds = (yield* ask({ path: "/v1/wallet/holds?limit=200", key })).body as ReadonlyArray<{ amount_minor: number; call_id: string }>
      const placed = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { id: string }).id)
      assert.sameMembers(holds.map(({ call_id }) => call_id), placed)
      assert.isTrue(holds.every(({ amount_minor }) => amount_minor === rate_minor))
      const refused = yield* Effect.flip(wallets.debit(workspace_id, {
        entry_id: "0199a000-0000-7000-8000-0000000000f2", kind: "number_rental", may_overdraw: false, amount_minor: 1,
        reference_type: "number", reference_id: "n", description: "", origin: systemOrigin
      }))
      assert.strictEqual(refused._tag, "wallet.insufficient_funds")
      assert.deepStrictEqual((yield* checkInvariants).filter(({ count }) => count > 0), [])
    }))
})
