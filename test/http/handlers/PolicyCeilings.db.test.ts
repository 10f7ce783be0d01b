import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { defaultDailySpend_minor } from "../../../src/domain/calls/policy/SpendCeiling.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { as, founder, kindsOf } from "../../support/People.ts"

const spend = defaultDailySpend_minor.get("KES")!

layer(layerWith({ RATE_LIMITS: "off", NEW_WORKSPACE_CEILINGS: "on" }), {
  excludeTestServices: true,
  timeout: 30_000
})("a new workspace", (it) => {
  it.effect("has ceilings that its owner cannot lift, and an operator can", () =>
    Effect.gen(function* () {
      const { operator_session, owner_session, workspace_id: older } = yield* DemoFile
      const mine = yield* founder("greedy@example.com")
      const change = (body: object) => as(mine.cookie, { path: "/v1/workspace/calling-policy", method: "PATCH", body })
      const path = (id: string) => `/v1/admin/workspaces/${id}/policy-ceilings`
      const operator = `session=${operator_session}`

      for (const body of [
        { daily_spend_limit_minor: spend + 1 },
        { daily_spend_limit_minor: null },
        { max_concurrent_calls: 21 },
        { calls_per_second: 6 },
        { max_calls_per_destination_per_hour: null },
        { max_calls_to_new_country: 21 },
        { max_calls_per_hour_on_first_day: null },
        { max_concurrent_high_risk_calls: 3 }
      ]) {
        const refused = yield* change(body)
        assert.deepStrictEqual([refused.status, refused.code], [400, "validation.bad_request"])
        const { error } = refused.body as { readonly error: { readonly details: ReadonlyArray<{ field: string }> } }
        assert.deepStrictEqual(
          error.details.map(({ field }) => field),
          [`/${Object.keys(body)[0]}`]
        )
      }
      assert.strictEqual((yield* change({ max_concurrent_calls: 20, allow_high_risk: true })).status, 200)

      const lift = { path: path(mine.workspace_id), method: "PATCH", body: { max_concurrent_calls: null } } as const
      for (const [cookie, code] of [
        [mine.cookie, "auth.admin_required"],
        [`session=${owner_session}`, "auth.admin_required"]
      ] as const)
        assert.strictEqual((yield* as(cookie, lift)).code, code)
      assert.deepInclude((yield* as(operator, lift)).body, {
        daily_spend_limit_minor: spend,
        max_concurrent_calls: null
      })
      assert.strictEqual((yield* change({ max_concurrent_calls: 5_000 })).status, 200)
      const lowered = yield* as(operator, { ...lift, body: { max_concurrent_calls: 7 } })
      assert.deepInclude((yield* as(operator, { path: path(mine.workspace_id) })).body, lowered.body as object)
      assert.deepInclude((yield* change({})).body, { max_concurrent_calls: 7, allow_high_risk: true })
      assert.deepStrictEqual((yield* as(operator, { ...lift, body: { calls_per_second: 0 } })).status, 400)
      assert.strictEqual(
        (yield* as(operator, { path: path("0199a000-0000-7000-8000-00000000dead") })).code,
        "not_found"
      )
      assert.includeMembers([...(yield* kindsOf(mine.workspace_id))], ["calling_policy.ceilings_changed"])
      // Workspaces from before have none.
      const none = (yield* as(operator, { path: path(older) })).body as object
      assert.deepStrictEqual([...new Set(Object.values(none))], [null])
    })
  )
})
