// How much of a call is read for its timeline, however much there is.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { CallHistory } from "../../../../src/domain/ports/calls/CallHistory.ts"
import * as PgCallHistory from "../../../../src/layers/postgres/calls/CallHistory.ts"
import { deliveryId } from "../../../../src/layers/postgres/journal/JournalWrites.ts"
import { callId, workspaceId } from "../../../support/Ids.ts"
import { newWorkspace } from "../../../support/ManyCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const database = PgCallHistory.layer.pipe(Layer.provideMerge(TestDatabase.layer))
const mebibyte = 1_024 * 1_024

/** A call with so many events, whose payloads have so many characters. */
const callWith = Effect.fnUntraced(function* (events: number, characters: number) {
  const sql = yield* PgClient.PgClient
  const workspace_id = yield* newWorkspace
  const call_id = randomUUID()
  yield* sql`
    INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
    SELECT gen_random_uuid(), ${workspace_id}, ${call_id}, n, 'call.progress', timestamptz 'epoch' + n * interval '1 second', now(), false,
      json_build_object('n', n, 'text', repeat('x', ${characters})) FROM generate_series(1, ${events}) n`
  return { workspace_id: workspaceId(workspace_id), call_id: callId(call_id) }
})

const trailOf = ({ call_id, workspace_id }: Effect.Success<ReturnType<typeof callWith>>) =>
  Effect.flatMap(CallHistory, ({ trail }) => trail(workspace_id, [call_id]))

layer(database, { excludeTestServices: true })("the trail of a call", (it) => {
  it.effect("has 2,000 rows of a kind at most, and says that there are more", () =>
    Effect.gen(function* () {
      const exact = yield* trailOf(yield* callWith(2_000, 1))
      assert.deepStrictEqual([exact.events.length, exact.is_partial], [2_000, false])
      const more = yield* trailOf(yield* callWith(2_001, 1))
      assert.deepStrictEqual([more.events.length, more.is_partial], [2_000, true])
      assert.deepStrictEqual(
        more.events.map(({ sequence }) => sequence),
        Array.from({ length: 2_000 }, (_, n) => n + 1)
      )
    })
  )

  it.effect("has 4 MiB of a kind at most and one row, and says that there is more", () =>
    Effect.gen(function* () {
      const { events, is_partial } = yield* trailOf(yield* callWith(100, 100_000))
      const bytes = JSON.stringify(events).length
      assert.isAbove(bytes, 4 * mebibyte)
      assert.isBelow(bytes, 4.2 * mebibyte)
      assert.isTrue(is_partial)
      const [one] = (yield* trailOf(yield* callWith(1, 5 * mebibyte))).events
      assert.isDefined(one)
    })
  )

  it.effect("has no responses of webhook receivers", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const call = yield* callWith(50, 1)
      const attempt = { at: "1970-01-01T00:00:00.000Z", duration_ms: 1, http_status: 500, error: "http_status" }
      const log = JSON.stringify([{ ...attempt, response_excerpt: `\u0000${"x".repeat(4_000)}` }])
      yield* sql`INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
        VALUES (${randomUUID()}, ${call.workspace_id}, 1, '{"revision":1}', 'active', '{}', '{}', now())`
      yield* sql.unsafe(
        `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status, attempts, created_at, attempt_log)
        SELECT ${deliveryId("e.id", "s.id")}, $1, s.id, e.id, e.kind, e.subject_id, e.sequence, 'retrying', 1, now(), $2::json
        FROM events e CROSS JOIN webhook_subscriptions s WHERE e.workspace_id = $1 AND s.workspace_id = $1`,
        [call.workspace_id, log]
      )
      const { deliveries, is_partial } = yield* trailOf(call)
      assert.deepStrictEqual([deliveries.length, is_partial], [50, false])
      for (const { attempt_log } of deliveries) assert.deepStrictEqual(attempt_log, [attempt])
    })
  )
})
