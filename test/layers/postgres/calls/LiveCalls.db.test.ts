import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { LiveCalls } from "../../../../src/domain/ports/calls/LiveCalls.ts"
import * as PgLiveCalls from "../../../../src/layers/postgres/calls/PgLiveCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { callId, gatewayId } from "../../../support/Ids.ts"
import type { GatewayId } from "../../../../src/domain/BrandedIds.ts"

const insert = Effect.fnUntraced(function* (gateway_id: GatewayId, status: string, alarm = true) {
  const sql = yield* PgClient.PgClient
  const id = callId(randomUUID())
  const now = new Date()
  yield* sql`
    INSERT INTO calls ${sql.insert({
      id,
      workspace_id: randomUUID(),
      session_id: `HD_${id}`,
      version: 1,
      state: JSON.stringify({ facts: { gateway_id } }),
      status,
      direction: "outbound",
      from_e164: "+254700000001",
      to_e164: "+254711000001",
      created_at: now,
      answered_at: status === "ringing" ? null : now
    })}`
  if (alarm) yield* sql`INSERT INTO alarms ${sql.insert({ actor_type: "Call", actor_id: id, due_at: now })}`
  return { id, session_id: `HD_${id}` }
})

it.effect("finds the active calls of one gateway among alarms of all kinds", () =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const live = yield* LiveCalls
    yield* sql`INSERT INTO alarms ${sql.insert({ actor_type: "Gateway", actor_id: "not-a-uuid", due_at: new Date() })}`
    const calls = [yield* insert(gatewayId("g1"), "ringing"), yield* insert(gatewayId("g1"), "answered")]
    yield* insert(gatewayId("g1"), "completed")
    yield* insert(gatewayId("g2"), "ringing")
    assert.sameDeepMembers([...(yield* live.onGateway(gatewayId("g1")))], calls)
    assert.deepStrictEqual(yield* live.onGateway(gatewayId("g3")), [])
  }).pipe(Effect.provide(PgLiveCalls.layer.pipe(Layer.provideMerge(TestDatabase.layer))))
)
