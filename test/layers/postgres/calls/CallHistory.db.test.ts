// How much of a call is read for its timeline, however much there is.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { CallTrail, TrailWindow, Place } from "../../../../src/domain/calls/views/CallTrail.ts"
import { comparePlaces, eventPlace, linePlace, webhookPlace } from "../../../../src/domain/calls/views/TimelinePlace.ts"
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

type Made = Effect.Success<ReturnType<typeof callWith>>

const trailOf = ({ call_id, workspace_id }: Made, window: TrailWindow = { limit: 200 }) =>
  Effect.flatMap(CallHistory, ({ trail }) => trail(workspace_id, [call_id], window))

const placesOf = ({ events, lines, webhooks }: CallTrail): ReadonlyArray<Place> => [
  ...events.map(eventPlace),
  ...lines.map(linePlace),
  ...webhooks.map(webhookPlace)
]

/** Reads a trail part by part, as the pages of a timeline do. */
const readInParts = (made: Made, limit: number) =>
  Effect.gen(function* () {
    const found: Array<Place> = []
    let after: Place | undefined
    for (let parts = 0; parts < 1_000; parts++) {
      const trail = yield* trailOf(made, { after, limit })
      const { horizon } = trail
      const page = placesOf(trail)
        .filter((place) => horizon === null || comparePlaces(place, horizon) <= 0)
        .sort(comparePlaces)
        .slice(0, limit)
      found.push(...page)
      after = page.at(-1)
      if (after === undefined) break
    }
    return found
  })

const anAttempt = { duration_ms: 1, http_status: 500, error: "http_status" }

/** A delivery of each event, with attempts at these instants. The receiver answered with much, and with a NUL. */
const deliverAll = Effect.fnUntraced(function* ({ workspace_id }: Made, ...attempts: ReadonlyArray<string>) {
  const sql = yield* PgClient.PgClient
  const answer = { ...anAttempt, response_excerpt: `\u0000${"x".repeat(4_000)}` }
  const log = JSON.stringify(attempts.map((at) => ({ ...answer, at })))
  yield* sql`INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
    VALUES (${randomUUID()}, ${workspace_id}, 1, '{"revision":1}', 'active', '{}', '{}', now())`
  yield* sql.unsafe(
    `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status, attempts, created_at, attempt_log)
    SELECT ${deliveryId("e.id", "s.id")}, $1, s.id, e.id, e.kind, e.subject_id, e.sequence, 'retrying', 1, e.occurred_at, $2::json
    FROM events e CROSS JOIN webhook_subscriptions s WHERE e.workspace_id = $1 AND s.workspace_id = $1`,
    [workspace_id, log]
  )
})

/** Lines of two steps at two instants: instant in seconds, kind and key. */
const stepLines = [1, 2].flatMap((second) =>
  [
    ["callback.asked", `callback:${second}`],
    ["callback.attempt", `callback:${second}:attempt:1`],
    ["callback.answered", `callback:${second}:answer`],
    ["action.started", `action:${second}`],
    ["announcement", `action:${second}:announcement`],
    ["action.finished", `action:${second + 8}:end`],
    ["hold.extended", `minute:${second}`]
  ].map(([kind = "", key = ""]) => [second, kind, key] as const)
)

layer(database, { excludeTestServices: true })("the trail of a call", (it) => {
  it.effect("has at most one row of a kind more than the limit, and says up to where it has all", () =>
    Effect.gen(function* () {
      const exact = yield* trailOf(yield* callWith(200, 1))
      assert.deepStrictEqual([exact.events.length, exact.horizon], [200, null])
      const more = yield* trailOf(yield* callWith(300, 1))
      assert.deepStrictEqual([more.events.length, more.horizon?.at], [201, 201_000])
      assert.deepStrictEqual(
        more.events.map(({ sequence }) => sequence),
        Array.from({ length: 201 }, (_, n) => n + 1)
      )
    })
  )

  it.effect("has 1 MiB of a kind at most and one row, and says up to where it has all", () =>
    Effect.gen(function* () {
      const { events, horizon } = yield* trailOf(yield* callWith(100, 100_000))
      const bytes = JSON.stringify(events).length
      assert.isAbove(bytes, mebibyte)
      assert.isBelow(bytes, 1.2 * mebibyte)
      assert.strictEqual(horizon?.at, events.length * 1_000)
      const [one] = (yield* trailOf(yield* callWith(1, 5 * mebibyte))).events
      assert.isDefined(one)
    })
  )

  it.effect("has every row once when it is read in parts, however many rows are of one instant", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const made = yield* callWith(30, 1)
      const { call_id, workspace_id } = made
      yield* sql`UPDATE events SET occurred_at = timestamptz 'epoch' + (sequence / 10) * interval '1.0004 s' WHERE subject_id = ${call_id}`
      for (const [step, kind, key] of stepLines) {
        yield* sql`INSERT INTO call_trail (call_id, workspace_id, key, kind, at, recorded_at, detail)
          VALUES (${call_id}, ${workspace_id}, ${key}, ${kind}, timestamptz 'epoch' + ${step}::int * interval '1 second', now(), '{"step":1,"verb":"dial","x":"\\u0000"}')`
      }
      yield* deliverAll(made, "1970-01-01T00:00:01.000Z", "1970-01-01T00:00:02.000Z")
      const whole = yield* trailOf(made, { limit: 10_000 })
      assert.isNull(whole.horizon)
      const places = [...placesOf(whole)].sort(comparePlaces)
      assert.lengthOf(places, 30 + stepLines.length + 30 * 3)
      for (const limit of [1, 7, 40]) assert.deepStrictEqual(yield* readInParts(made, limit), places)
    })
  )

  it.effect("knows what may have caused its rows, and what came last before an instant", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const made = yield* callWith(20, 1)
      const { call_id, workspace_id } = made
      yield* sql`UPDATE events SET kind = 'call.answered' WHERE subject_id = ${call_id} AND sequence = 3`
      yield* sql`UPDATE events SET payload = '{"step":"dial_refused"}' WHERE subject_id = ${call_id} AND sequence IN (5, 15)`
      yield* sql`INSERT INTO call_trail (call_id, workspace_id, key, kind, at, recorded_at, detail)
        VALUES (${call_id}, ${workspace_id}, 'action:4', 'action.started', timestamptz 'epoch' + interval '4 seconds', now(), '{"step":4,"verb":"dial"}')`
      const after = { at: 10_000, tie: "9" }
      const { earlier } = yield* trailOf(made, { after, limit: 5 })
      assert.deepStrictEqual(earlier.events.map(({ sequence }) => sequence).sort(), [3, 5])
      assert.deepStrictEqual(earlier.lines, [
        { call_id, key: "action:4", kind: "action.started", at: 4_000, verb: "dial" }
      ])
      const { latest } = yield* CallHistory
      const [last] = yield* latest(workspace_id, [call_id], 7_500)
      assert.strictEqual(last?.sequence, 7)
    })
  )

  it.effect("has no responses of webhook receivers", () =>
    Effect.gen(function* () {
      const call = yield* callWith(50, 1)
      const at = "1970-01-01T00:00:00.000Z"
      yield* deliverAll(call, at)
      const { horizon, webhooks } = yield* trailOf(call)
      assert.deepStrictEqual([webhooks.length, horizon], [100, null])
      const attempts = webhooks.flatMap(({ attempt }) => attempt ?? [])
      assert.lengthOf(attempts, 50)
      for (const attempt of attempts) assert.deepStrictEqual(attempt, { ...anAttempt, at })
    })
  )
})
