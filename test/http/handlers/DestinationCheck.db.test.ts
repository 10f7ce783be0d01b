import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { default_policy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { bodyTo, eventually, never, unrated } from "../../support/EngineRequests.ts"

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("the destination check", (it) => {
  it.effect(
    "returns the same decision and price as a call would",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        // No call of another test moves this one's money.
        const {
          number: foreign,
          other_workspace: { api_key: key, number, workspace_id }
        } = yield* DemoFile
        const check = (to: string, from = number.number) =>
          ask({ path: `/v1/calls/destination-check?${new URLSearchParams({ from, to })}`, key })
        const { available_minor } = (yield* ask({ path: "/v1/wallet/balance", key })).body as {
          available_minor: number
        }
        assert.deepStrictEqual((yield* check("0711 000-001")).body, {
          to: "0711 000-001",
          from: number.number,
          rated: true,
          message: "A minute to this destination costs 3.00 KES.",
          country: "KE",
          matched_prefix: "254",
          rate_per_min_minor: 300,
          currency: "KES",
          sufficient_funds: true,
          affordable_minutes: Math.floor(available_minor / 300),
          normalized_to: "+254711000001"
        })
        const unencoded = yield* ask({
          path: `/v1/calls/destination-check?from=${number.number}&to=+254711000001`,
          key
        })
        assert.deepInclude(unencoded.body, { to: "+254711000001", from: number.number, rated: true })
        const reasons = [
          [unrated, "rate_not_configured", null],
          ["+12025550143", "rate_not_configured", null],
          ["112", "emergency_number", null],
          ["+256712345678", "country_not_allowed", 1200],
          ["+234 803 123 4567", "prefix_blocked", 1100],
          ["+233 24 123 4567", "rate_above_limit", 1600]
        ] as const
        const [before] = yield* sql<{
          readonly calling_policy: object
        }>`SELECT calling_policy FROM workspaces WHERE id = ${workspace_id}`
        const policy = {
          allowed_countries: ["KE", "NG", "GH"],
          blocked_prefixes: ["234803"],
          allow_high_risk: false,
          max_rate_per_min_minor: 1500,
          max_concurrent_calls: 0
        }
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(policy)}::json WHERE id = ${workspace_id}`
        const read = Effect.map(
          ask({ path: "/v1/workspace/calling-policy", key }),
          ({ body }) => body as Record<string, unknown>
        )
        yield* eventually(
          "the policy",
          Effect.map(read, ({ max_concurrent_calls }) => max_concurrent_calls === 0)
        )
        assert.deepStrictEqual(yield* read, { ...default_policy, ...policy })
        for (const [to, reason, rate_per_min_minor] of reasons) {
          const { body, status } = yield* check(to)
          assert.strictEqual(status, 200)
          assert.deepInclude(body as object, { to, rated: false, reason, rate_per_min_minor })
          const { normalized_to } = body as { normalized_to: string | null }
          const refused = yield* ask({
            path: "/v1/calls/originate",
            key,
            body: bodyTo(normalized_to ?? to, number.number)
          })
          assert.deepStrictEqual([refused.status, refused.code], [422, "calls.destination_refused"])
          const { error } = refused.body as { error: { reason: string; message: string } }
          assert.deepStrictEqual([error.reason, error.message], [reason, (body as { message: string }).message])
        }
        const full = yield* ask({ path: "/v1/calls/originate", key, body: bodyTo("+254711000001", number.number) })
        assert.deepStrictEqual([full.status, full.code], [429, "calls.concurrency_limit_reached"])
        const one_a_second = { ...before!.calling_policy, calls_per_second: 1 }
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(one_a_second)}::json WHERE id = ${workspace_id}`
        yield* eventually(
          "the pace",
          Effect.map(read, ({ calls_per_second }) => calls_per_second === 1)
        )
        const fast = yield* Effect.all(
          Array.from({ length: 3 }, () =>
            ask({ path: "/v1/calls/originate", key, body: bodyTo("+99900000002", number.number) })
          )
        )
        assert.deepStrictEqual(
          fast.map(({ code, status }) => code ?? status),
          [201, 201, "calls.rate_limited"]
        )
        assert.strictEqual(fast[2]?.headers.get("retry-after"), "1")
        yield* sql`UPDATE workspaces SET calling_policy = ${JSON.stringify(before!.calling_policy)}::json WHERE id = ${workspace_id}`
        yield* eventually(
          "the previous policy",
          Effect.map(read, ({ calls_per_second }) => calls_per_second === 200)
        )
        const faults = [
          [yield* check("nobody"), 422, "calls.invalid_destination"],
          [yield* check(number.number), 422, "calls.invalid_destination"],
          [yield* check(never, foreign.number), 404, "numbers.not_found"],
          [yield* ask({ path: "/v1/calls/destination-check?to=1", key }), 400, "validation.bad_request"]
        ] as const
        for (const [fault, status, code] of faults) assert.deepStrictEqual([fault.status, fault.code], [status, code])
      }),
    15_000
  )
})
