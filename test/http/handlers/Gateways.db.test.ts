// Which gateway carries a workspace: listed, assigned, and what its calls are told.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"

const operate = (path: string, body?: unknown) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    ask({
      path,
      method: body === undefined ? "GET" : "PUT",
      body,
      headers: { cookie: `session=${operator_session}` }
    })
  )

interface Listed {
  readonly gateway_id: string
  readonly state: string
  readonly workspaces: number
}

const gateways = Effect.map(operate("/v1/admin/gateways"), ({ body }) =>
  (body as ReadonlyArray<Listed>).map(({ gateway_id, state, workspaces }) => `${gateway_id} ${state} ${workspaces}`)
)

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("the gateway of a workspace", (it) => {
  it.effect("is assigned by an operator, listed and audited, and calls are refused while it is not there", () =>
    Effect.gen(function* () {
      const { api_key, number, workspace_id } = yield* DemoFile
      const call = ask({
        path: "/v1/calls/originate",
        key: api_key,
        body: { to: "+99900000001", from: number.number, actions: [{ hangup: {} }] }
      })
      assert.include(yield* gateways, "default connected 2")
      assert.strictEqual((yield* call).status, 201)

      const assigned = yield* operate(`/v1/admin/workspaces/${workspace_id}/gateway`, { gateway_id: "nairobi-1" })
      assert.deepStrictEqual([assigned.status, assigned.body], [200, { workspace_id, gateway_id: "nairobi-1" }])
      assert.includeMembers(yield* gateways, ["default connected 1", "nairobi-1 never_connected 1"])
      const refused = yield* call
      assert.deepStrictEqual([refused.status, refused.code], [503, "calls.gateway_unavailable"])
      assert.strictEqual(refused.headers.get("retry-after"), "10")

      const { body } = yield* ask({ path: "/v1/audit?action_kind=workspace.gateway_assigned", key: api_key })
      assert.deepStrictEqual(
        (body as ReadonlyArray<{ before: unknown; after: unknown }>).map(({ after, before }) => [before, after]),
        [[{ gateway_id: "default" }, { gateway_id: "nairobi-1" }]]
      )
      yield* operate(`/v1/admin/workspaces/${workspace_id}/gateway`, { gateway_id: "default" })
      assert.strictEqual((yield* call).status, 201)
    })
  )

  it.effect("carries the very next call after it was assigned", () =>
    Effect.gen(function* () {
      const { api_key, number, workspace_id } = yield* DemoFile
      const assigned = (gateway_id: string) =>
        Effect.gen(function* () {
          yield* operate(`/v1/admin/workspaces/${workspace_id}/gateway`, { gateway_id })
          return (yield* ask({
            path: "/v1/calls/originate",
            key: api_key,
            body: { to: "+99900000001", from: number.number, actions: [{ hangup: {} }] }
          })).status
        })
      for (let round = 0; round < 20; round++) {
        assert.deepStrictEqual([yield* assigned("nairobi-1"), yield* assigned("default")], [503, 201])
      }
    })
  )

  it.effect("is never the simulated network of test mode, nor a name that no gateway can have", () =>
    Effect.gen(function* () {
      const { workspace_id } = yield* DemoFile
      const path = `/v1/admin/workspaces/${workspace_id}/gateway`
      assert.strictEqual((yield* operate(path, { gateway_id: "sandbox" })).status, 404)
      assert.strictEqual((yield* operate(path, { gateway_id: "a b" })).status, 400)
      assert.strictEqual(
        (yield* operate("/v1/admin/workspaces/01981d5e-0000-7000-8000-0000000000ff/gateway", { gateway_id: "g" }))
          .status,
        404
      )
    })
  )
})
