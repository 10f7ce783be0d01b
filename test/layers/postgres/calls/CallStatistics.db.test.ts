import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { dayOf, dayText, type StatsGroup } from "../../../../src/domain/calls/views/CallStats.ts"
import type { CallKind } from "../../../../src/domain/calls/state/CallKind.ts"
import { CallStatistics } from "../../../../src/domain/ports/calls/CallStatistics.ts"
import { nameKinds } from "../../../../src/layers/postgres/calls/CallKinds.ts"
import { addUp } from "../../../../src/layers/postgres/calls/CallSums.ts"
import * as PgCallStatistics from "../../../../src/layers/postgres/calls/CallStatistics.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { NumberId, WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { numberId, workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const day_ms = 86_400_000
const today = dayOf(Date.now())
const number_id = randomUUID()

interface Stored {
  readonly at: number
  readonly status?: string
  readonly direction?: string
  readonly country?: string | null
  readonly number_id?: NumberId | null
  readonly seconds?: number
  readonly kind?: CallKind
}

const insert = (workspace_id: WorkspaceId, { at, kind = "api", seconds, status = "busy", ...more }: Stored) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const id = randomUUID()
    const answered = status === "completed" || status === "answered"
    yield* sql`INSERT INTO calls ${sql.insert({
      id,
      workspace_id,
      session_id: id,
      number_id,
      version: 1,
      state: JSON.stringify({ facts: { kind } }),
      status,
      direction: "outbound",
      from_e164: "+254700000001",
      to_e164: "+254711000001",
      country: "KE",
      created_at: new Date(at),
      answered_at: answered ? new Date(at + 1_000) : null,
      duration_seconds: seconds ?? null,
      billed_seconds: seconds ?? null,
      cost_minor: status === "ringing" || status === "answered" ? null : seconds === undefined ? 0 : 300,
      ...more
    })}`
    return id
  })

const rows = (
  workspace_id: WorkspaceId,
  from_day: number,
  to_day: number,
  group_by: StatsGroup = "day",
  number_id?: NumberId
) =>
  Effect.map(
    Effect.flatMap(CallStatistics, (statistics) =>
      statistics.rows({ workspace_id, range: { from_day, to_day }, group_by, ...(number_id && { number_id }) })
    ),
    (found) => found.map(({ calls, key, status }) => `${key} ${status} ${calls}`).sort()
  )

/** Until when a workspace's calls are added up; null where none are. */
const sealed = (workspace_id: WorkspaceId) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{
      readonly until: Date
    }>`SELECT until FROM call_stats_sealed WHERE workspace_id = ${workspace_id}`
    return row?.until.getTime() ?? null
  })

const newWorkspace = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const id = randomUUID()
  yield* sql`INSERT INTO workspaces ${sql.insert({
    id,
    name: "One",
    tenant_pbx_id: id,
    gateway_id: "g",
    voice_secret: "",
    created_at: new Date(0)
  })}`
  return id
})

const addUpNow = Effect.flatMap(PgClient.PgClient, addUp)
const forget = (workspace_id: WorkspaceId) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql`DELETE FROM calls WHERE workspace_id = ${workspace_id}`)

const database = PgCallStatistics.layer.pipe(Layer.provideMerge(TestDatabase.layer))

layer(database)("the sums of what is over", (it) => {
  it.effect("are built ten minutes late: those of a day ten minutes after midnight", () =>
    Effect.gen(function* () {
      const id = yield* newWorkspace
      yield* insert(workspaceId(id), { at: -1 })
      yield* insert(workspaceId(id), { at: 60_000 })
      yield* TestClock.setTime(599_999)
      yield* addUpNow
      assert.isNull(yield* sealed(workspaceId(id)))
      yield* TestClock.setTime(600_000)
      yield* addUpNow
      assert.strictEqual(yield* sealed(workspaceId(id)), 0)
      const sql = yield* PgClient.PgClient
      const rows = yield* sql`SELECT day::text, calls, status FROM call_stats WHERE workspace_id = ${id}`
      assert.deepStrictEqual(rows, [{ day: "1969-12-31", calls: 1, status: "busy" }])
    })
  )

  it.effect("are rebuilt regularly without a request", () =>
    Effect.gen(function* () {
      const id = yield* newWorkspace
      yield* insert(workspaceId(id), { at: 60_000 })
      const later = Effect.andThen(TestClock.adjust("5 minutes"), sealed(workspaceId(id)))
      yield* until("statistics", later, (until_ms) => until_ms !== null, { every_ms: 0 })
      yield* insert(workspaceId(id), { at: 3_600_000 })
      yield* until("statistics of the second hour", later, (until_ms) => until_ms! >= 3_600_000, { every_ms: 0 })
    })
  )
})

layer(database, { excludeTestServices: true })("the statistics of calls", (it) => {
  it.effect("count a call on its day, to the last instant of a month, for its workspace only", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* newWorkspace, yield* newWorkspace]
      const midnight = Date.UTC(2026, 9, 1)
      yield* insert(workspaceId(mine), { at: midnight - 1 })
      yield* insert(workspaceId(mine), { at: midnight, status: "completed", seconds: 61 })
      yield* insert(workspaceId(mine), { at: midnight + day_ms })
      yield* insert(workspaceId(theirs), { at: midnight })
      const [from, to] = [dayOf(midnight) - 1, dayOf(midnight)]
      const expected = ["2026-09-30 busy 1", "2026-10-01 completed 1"]
      assert.deepStrictEqual(yield* rows(workspaceId(mine), from, to), expected)
      yield* addUpNow
      assert.isAbove((yield* sealed(workspaceId(mine)))!, midnight + day_ms)
      assert.deepStrictEqual(yield* rows(workspaceId(mine), from, to), expected)
      yield* forget(workspaceId(mine))
      assert.deepStrictEqual(yield* rows(workspaceId(mine), from, to), expected, "they are read from the sums")
      const [sums] = yield* Effect.flatMap(CallStatistics, ({ rows }) =>
        rows({ workspace_id: workspaceId(mine), range: { from_day: to, to_day: to }, group_by: "status" })
      )
      assert.deepStrictEqual(sums, {
        key: "completed",
        status: "completed",
        calls: 1,
        answered: 1,
        duration_seconds: 61,
        billed_seconds: 61,
        cost_minor: 300
      })
    })
  )

  it.effect("sum the calls before the oldest active one, and count the later ones live", () =>
    Effect.gen(function* () {
      const workspace_id = yield* newWorkspace
      const day = today - 2
      const name = dayText(day)
      const noon = day * day_ms + day_ms / 2
      const late = yield* insert(workspaceId(workspace_id), { at: noon, status: "answered" })
      yield* insert(workspaceId(workspace_id), { at: noon - 1 })
      yield* insert(workspaceId(workspace_id), { at: noon + 1 })
      yield* addUpNow
      assert.strictEqual(yield* sealed(workspaceId(workspace_id)), noon)
      assert.deepStrictEqual(yield* rows(workspaceId(workspace_id), day, day), [`${name} answered 1`, `${name} busy 2`])
      const sql = yield* PgClient.PgClient
      yield* sql`UPDATE calls SET status = 'completed', cost_minor = 300, duration_seconds = 5 WHERE id = ${late}`
      assert.deepStrictEqual(yield* rows(workspaceId(workspace_id), day, day), [
        `${name} busy 2`,
        `${name} completed 1`
      ])
      yield* Effect.all([addUpNow, addUpNow, addUpNow], { concurrency: 3 })
      assert.deepStrictEqual(
        yield* rows(workspaceId(workspace_id), day, day),
        [`${name} busy 2`, `${name} completed 1`],
        "each counts once"
      )
      yield* forget(workspaceId(workspace_id))
      assert.deepStrictEqual(yield* rows(workspaceId(workspace_id), day, day), [
        `${name} busy 2`,
        `${name} completed 1`
      ])
    })
  )

  it.effect("catch up a long backlog at once, and add to existing sums", () =>
    Effect.gen(function* () {
      const workspace_id = yield* newWorkspace
      const begin = (today - 40) * day_ms
      for (let nth = 0; nth < 35; nth += 5)
        yield* insert(workspaceId(workspace_id), {
          at: begin + nth * day_ms + nth,
          ...(nth > 20 && { country: null, number_id: null })
        })
      yield* addUpNow
      assert.isAbove((yield* sealed(workspaceId(workspace_id)))!, begin + 30 * day_ms)
      const all = yield* rows(workspaceId(workspace_id), today - 40, today, "country")
      assert.deepStrictEqual(all, ["KE busy 5", "null busy 2"])
      const just_now = Date.now() - 900_000
      yield* insert(workspaceId(workspace_id), { at: just_now })
      yield* insert(workspaceId(workspace_id), { at: just_now + 1 })
      yield* addUpNow
      yield* forget(workspaceId(workspace_id))
      assert.deepStrictEqual(
        yield* rows(workspaceId(workspace_id), today - 40, today, "country"),
        ["KE busy 5", "null busy 2"],
        "what was placed before the seal came too late"
      )
    })
  )

  it.effect("show today's current sums", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      assert.deepStrictEqual(yield* rows(workspace_id, today, today), [])
      yield* insert(workspace_id, { at: today * day_ms, status: "ringing" })
      assert.deepStrictEqual(yield* rows(workspace_id, today, today), [`${dayText(today)} ringing 1`])
    })
  )

  it.effect("are grouped by kind, in the sums and after them", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(yield* newWorkspace)
      const [yesterday, now] = [(today - 1) * day_ms, Date.now()]
      yield* insert(workspace_id, { at: yesterday, kind: "chatapp" })
      yield* insert(workspace_id, { at: yesterday })
      yield* addUpNow
      yield* insert(workspace_id, { at: now, kind: "webrtc" })
      const kinds = rows(workspace_id, today - 1, today, "kind")
      assert.deepStrictEqual(yield* kinds, ["api busy 1", "chatapp busy 1", "webrtc busy 1"])
    })
  )

  it.effect("name the kinds of sums from before, if the calls are still those that were counted", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const [whole, lost] = [workspaceId(yield* newWorkspace), workspaceId(yield* newWorkspace)]
      const at = (today - 3) * day_ms
      for (const id of [whole, lost]) {
        yield* insert(id, { at, kind: "chatapp" })
        yield* insert(id, { at })
        yield* insert(id, { at: at + day_ms, kind: "dial" })
        yield* addUpNow
        yield* sql`DELETE FROM call_stats WHERE workspace_id = ${id} AND kind <> 'api'`
        yield* sql`UPDATE call_stats SET kind = NULL, calls = 2 WHERE workspace_id = ${id}`
      }
      const kinds = (id: WorkspaceId) => rows(id, today - 3, today - 3, "kind")
      assert.deepStrictEqual(yield* kinds(whole), ["null busy 2"])
      yield* sql`DELETE FROM calls WHERE workspace_id = ${lost} AND state->'facts'->>'kind' = 'chatapp'`
      yield* Effect.all([nameKinds(sql), nameKinds(sql)], { concurrency: 2 })
      assert.deepStrictEqual(yield* kinds(whole), ["api busy 1", "chatapp busy 1"])
      assert.deepStrictEqual(yield* kinds(lost), ["null busy 2"])
      assert.deepStrictEqual(yield* sql`SELECT FROM call_stats WHERE kind IS NULL`, [], "no day is looked at again")
    })
  )

  it.effect("keep a day without kinds if its calls cannot be counted in time", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const id = workspaceId(yield* newWorkspace)
      yield* insert(id, { at: (today - 3) * day_ms, kind: "chatapp" })
      yield* addUpNow
      yield* sql`UPDATE call_stats SET kind = NULL WHERE workspace_id = ${id}`
      const [isLocked, isOver] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      const locking = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE calls`
          yield* isLocked.open
          yield* isOver.await
        })
      )
      const lock = yield* Effect.forkChild(locking)
      yield* isLocked.await
      yield* nameKinds(sql, "200ms")
      yield* isOver.open
      yield* Fiber.join(lock)
      assert.deepStrictEqual(yield* rows(id, today - 3, today - 3, "kind"), ["null busy 1"])
      assert.deepStrictEqual(yield* sql`SELECT FROM call_stats WHERE kind IS NULL`, [], "it is not tried again")
    })
  )

  it.effect("are grouped and filtered", () =>
    Effect.gen(function* () {
      const workspace_id = workspaceId(randomUUID())
      const other = numberId(randomUUID())
      for (const at of [(today - 5) * day_ms, today * day_ms]) {
        yield* insert(workspace_id, { at, country: "UG", direction: "inbound" })
        yield* insert(workspace_id, { at, country: null, number_id: other })
      }
      const grouped = (group_by: StatsGroup, number?: NumberId) =>
        rows(workspace_id, today - 5, today, group_by, number)
      assert.deepStrictEqual(yield* grouped("country"), ["UG busy 2", "null busy 2"])
      assert.deepStrictEqual(yield* grouped("direction"), ["inbound busy 2", "outbound busy 2"])
      assert.deepStrictEqual(yield* grouped("status"), ["busy busy 4"])
      assert.deepStrictEqual(yield* grouped("number"), [`${number_id} busy 2`, `${other} busy 2`].sort())
      assert.deepStrictEqual(yield* grouped("country", other), ["null busy 2"])
    })
  )
})
