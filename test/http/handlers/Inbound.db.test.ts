import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { PbxEvent } from "../../../src/domain/pbx/PbxEvent.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"
import { until } from "../../support/Until.ts"

const created = (session_id: string, tenant_pbx_id: string, to: string): PbxEvent => ({
  event_id: randomUUID(),
  tenant_pbx_id,
  type: "session.created",
  session_id: toSessionId(session_id),
  seq: 1,
  occurred_at: new Date().toISOString(),
  direction: "inbound",
  from: "256771000001",
  to,
  data: {}
})

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("a session that a PBX sets up by itself", (it) => {
  it.effect("becomes one call of the number's workspace, found by its session id, however often it is reported", () =>
    Effect.gen(function* () {
      const { api_key: key, number, other_workspace, tenant_pbx_id } = yield* DemoFile
      const { ingest } = yield* PbxIngest
      const event = created("HD_carrier-4711", tenant_pbx_id, number.number)
      const told = yield* Effect.all(
        [ingest("default", [event]), ingest("default", [event]), ingest("default", [event])],
        { concurrency: 3 }
      )
      assert.deepStrictEqual(
        told.map(({ accepted, duplicate }) => accepted + duplicate),
        [1, 1, 1]
      )
      assert.deepStrictEqual(
        told.reduce((sum, { accepted }) => sum + accepted, 0),
        1
      )
      const read = Effect.map(ask({ path: "/v1/calls/HD_carrier-4711", key }), ({ body }) => body as CallRecord)
      const call = yield* until("failed call", read, ({ status }) => status === "failed")
      assert.deepInclude(call, {
        direction: "inbound",
        kind: "sip",
        from: "+256771000001",
        to: number.number,
        number_id: number.id,
        hangup_cause: "no_route",
        cost_minor: 0
      })
      const listed = (yield* ask({ path: "/v1/calls?direction=inbound", key })).body as ReadonlyArray<CallRecord>
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        [call.id]
      )
      const { totals } = (yield* ask({ path: "/v1/calls/stats?group_by=country", key })).body as {
        totals: { failed: number }
      }
      assert.strictEqual(totals.failed, 1)
      assert.strictEqual(
        (yield* ask({ path: `/v1/calls/${call.id}`, key: other_workspace.api_key })).code,
        "calls.not_found"
      )
    })
  )

  it.effect(
    "is ignored if its tenant is unknown, and is a separate call for another tenant with the same session id",
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, other_workspace } = yield* DemoFile
        const { ingest } = yield* PbxIngest
        const { refused } = yield* ingest("default", [created("HD_x", "nobody", number.number)])
        assert.deepStrictEqual(
          refused.map(({ failure }) => failure._tag),
          ["pbx.unknown_workspace"]
        )
        yield* ingest("default", [created("HD_carrier-4711", "other", other_workspace.number.number)])
        const mine = (yield* ask({ path: "/v1/calls/HD_carrier-4711", key })).body as CallRecord
        const theirs = (yield* ask({ path: "/v1/calls/HD_carrier-4711", key: other_workspace.api_key }))
          .body as CallRecord
        assert.notStrictEqual(mine.id, theirs.id)
        assert.deepInclude(theirs, { workspace_id: other_workspace.workspace_id, to: other_workspace.number.number })
      })
  )
})
