import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { default_policy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import * as MidMonth from "../../support/MidMonth.ts"
import { until } from "../../support/Until.ts"

const path = "/v1/workspace/calling-policy"
const as = (session: string) => ({ path, method: "PATCH", headers: { cookie: `session=${session}` } })

layer(fakeEngine)("changing the calling policy", (it) => {
  it.effect("sends the workspace's actor the changes and their author", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const asked: Array<{ readonly id: string; readonly policy: object; readonly actor: object }> = []
      fake.actors.answer(WorkspaceCommands.ChangePolicy, (id, { origin, policy }) =>
        Effect.sync(() => {
          asked.push({ id, policy, actor: origin.actor })
          return { ...default_policy, calls_per_second: 5 }
        })
      )
      const { body, headers, status } = yield* ask({ ...as("admin"), body: { calls_per_second: 5, unknown: 1 } })
      assert.deepStrictEqual([status, body], [200, { ...default_policy, calls_per_second: 5 }])
      assert.strictEqual(headers.get("x-service-warnings"), "unknown_field:/unknown")
      assert.deepStrictEqual(
        asked.map(({ id, policy }) => ({ id, policy })),
        [{ id: workspaces.active, policy: { calls_per_second: 5 } }]
      )
      assert.deepInclude(asked[0]?.actor, { type: "user", id: "user-admin" })
    })
  )

  it.effect("is allowed only for signed-in admins", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const body = { calls_per_second: 5 }
      const codes = [
        [yield* ask({ path, method: "PATCH", key: yield* mint(), body }), 403, "api_key.scope_denied"],
        [yield* ask({ ...as("member"), body }), 403, "accounts.admin_required"],
        [yield* ask({ ...as("viewer"), body }), 403, "accounts.write_denied"],
        [yield* ask({ ...as("suspended-owner"), body }), 403, "account.suspended"],
        [yield* ask({ path, method: "PATCH", body }), 401, "api_key.missing"]
      ] as const
      for (const [{ code, status }, ...expected] of codes) assert.deepStrictEqual([status, code], expected)
    })
  )

  const faults: ReadonlyArray<readonly [change: object, pointer: string]> = [
    [{ allowed_countries: ["KE", "Kenya"] }, "/allowed_countries/1"],
    [{ allowed_countries: "KE" }, "/allowed_countries"],
    [{ blocked_prefixes: ["+254"] }, "/blocked_prefixes/0"],
    [{ allow_high_risk: "yes" }, "/allow_high_risk"],
    [{ max_rate_per_min_minor: -1 }, "/max_rate_per_min_minor"],
    [{ max_concurrent_calls: 1_000_001 }, "/max_concurrent_calls"],
    [{ calls_per_second: 0 }, "/calls_per_second"],
    [{ daily_spend_limit_minor: 0.5 }, "/daily_spend_limit_minor"],
    [{ max_calls_per_destination_per_hour: 1_001 }, "/max_calls_per_destination_per_hour"],
    [{ max_calls_to_new_country: -1 }, "/max_calls_to_new_country"],
    [{ max_calls_per_hour_on_first_day: 0.5 }, "/max_calls_per_hour_on_first_day"],
    [{ max_concurrent_high_risk_calls: "2" }, "/max_concurrent_high_risk_calls"],
    [{ sip_allowlist: ["sip.example.com", "*"] }, "/sip_allowlist/1"],
    [{ allowed_caller_ids: ["0711000000"] }, "/allowed_caller_ids/0"]
  ]
  for (const [change, pointer] of faults) {
    it.effect(`points at ${pointer}`, () =>
      Effect.gen(function* () {
        const { body, code, status } = yield* ask({ ...as("owner"), body: change })
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"])
        const { error } = body as { error: { details: ReadonlyArray<{ field: string }> } }
        assert.include(
          error.details.map(({ field }) => field),
          pointer
        )
      })
    )
  }
})

// At noon: midnight ends the day whose calls the spend limit counts.
const atNoon = engine.pipe(Layer.provideMerge(MidMonth.layer))

layer(atNoon, { excludeTestServices: true, timeout: "30 seconds" })("a calling policy that was changed", (it) => {
  it.effect(
    "applies to the next calls, and the audit log has the previous values",
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, owner_session, workspace_id } = yield* DemoFile
        const change = (body: object) =>
          ask({ path, method: "PATCH", headers: { cookie: `session=${owner_session}` }, body })
        const read = Effect.map(ask({ path, key }), ({ body }) => body as Record<string, unknown>)
        const holds = (name: string, value: unknown) =>
          until(`${name} that is ${String(value)}`, read, (policy) => policy[name] === value, { every_ms: 10 })
        const call = (to: string) =>
          Effect.map(
            ask({
              path: "/v1/calls/originate",
              key,
              body: { from: number.number, to, voice_callback_url: "http://127.0.0.1:9/voice" }
            }),
            ({ code, status }) => code ?? status
          )
        const before = yield* read
        const changed = yield* change({ max_calls_per_destination_per_hour: 1, daily_spend_limit_minor: 700 })
        assert.deepStrictEqual(changed.body, {
          ...before,
          max_calls_per_destination_per_hour: 1,
          daily_spend_limit_minor: 700
        })
        yield* holds("daily_spend_limit_minor", 700)
        assert.deepStrictEqual(
          [
            yield* call("+99900000003"),
            yield* call("+99900000003"),
            yield* call("+254711000003"),
            yield* call("+254711000004")
          ],
          [201, "calls.rate_limited", 201, "calls.spend_limit_reached"]
        )
        const sql = yield* PgClient.PgClient
        const [row] = yield* sql<{
          readonly before: object
          readonly after: object
          readonly actor: { readonly type: string }
        }>`
        SELECT before, after, actor FROM audit_entries WHERE workspace_id = ${workspace_id} AND action_kind = 'calling_policy.changed'`
        assert.deepStrictEqual([row?.before, row?.after, row?.actor.type], [before, changed.body, "user"])
      }),
    20_000
  )
})
