import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { dayOf, dayText, type StatsGroup } from "../../../src/domain/calls/CallStats.ts"
import { CallStatistics } from "../../../src/domain/ports/CallStatistics.ts"
import * as PgCallStatistics from "../../../src/layers/postgres/CallStatistics.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const day_ms = 86_400_000
const today = dayOf(Date.now())
const number_id = randomUUID()

interface Stored {
  readonly at: number
  readonly status?: string
  readonly direction?: string
  readonly country?: string | null
  readonly number_id?: string
  readonly seconds?: number
}

const insert = (workspace_id: string, { at, seconds, status = "busy", ...more }: Stored) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const id = randomUUID()
    const answered = status === "completed" || status === "answered"
    yield* sql`INSERT INTO calls ${sql.insert({
      id,
      workspace_id,
      session_id: id,
      number_id,
      version: 1,
      state: "{}",
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

const rows = (workspace_id: string, from_day: number, to_day: number, group_by: StatsGroup = "day", number_id?: string) =>
  Effect.map(
    Effect.flatMap(CallStatistics, (statistics) =>
      statistics.rows({ workspace_id, range: { from_day, to_day }, group_by, ...(number_id && { number_id }) })),
    (found) => found.map(({ calls, key, status }) => `${key} ${status} ${calls}`).sort()
  )

const rolledUp = (workspace_id: string) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const days = yield* sql<{ readonly day: string }>`SELECT day::text FROM call_stats_days WHERE workspace_id = ${workspace_id} ORDER BY day`
    return days.map(({ day }) => day)
  })

const database = PgCallStatistics.layer.pipe(Layer.provideMerge(TestDatabase.layer))

layer(database)("the rollup of yesterday", (it) => {
  it.effect("is made ten minutes after midnight, of every workspace", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const id = randomUUID()
      yield* sql`INSERT INTO workspaces ${sql.insert({
        id, name: "One", tenant_pbx_id: id, gateway_id: "g", voice_secret: "", created_at: new Date(0)
      })}`
      yield* insert(id, { at: -1 })
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(yield* rolledUp(id), [])
      yield* TestClock.adjust("1 minute")
      while ((yield* rolledUp(id)).length < 2) yield* Effect.yieldNow
      assert.deepStrictEqual(yield* rolledUp(id), ["1969-12-30", "1969-12-31"])
      const [row] = yield* sql`SELECT day::text, calls, status FROM call_stats WHERE workspace_id = ${id}`
      assert.deepStrictEqual(row, { day: "1969-12-31", calls: 1, status: "busy" })
    }))
})

layer(database, { excludeTestServices: true })("the statistics of calls", (it) => {
  it.effect("count a call on its day, to the last instant of a month, and no other workspace's", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      const midnight = Date.UTC(2026, 9, 1)
      yield* insert(mine, { at: midnight - 1 })
      yield* insert(mine, { at: midnight, status: "completed", seconds: 61 })
      yield* insert(mine, { at: midnight + day_ms })
      yield* insert(theirs, { at: midnight })
      const [from, to] = [dayOf(midnight) - 1, dayOf(midnight)]
      const expected = ["2026-09-30 busy 1", "2026-10-01 completed 1"]
      assert.deepStrictEqual(yield* rows(mine, from, to), expected)
      assert.deepStrictEqual(yield* rolledUp(mine), ["2026-09-30", "2026-10-01"])
      assert.deepStrictEqual(yield* rows(mine, from, to), expected)
      const sql = yield* PgClient.PgClient
      yield* sql`DELETE FROM calls WHERE workspace_id = ${mine}`
      assert.deepStrictEqual(yield* rows(mine, from, to), expected, "they are read from the rollup")
      const [sums] = yield* Effect.flatMap(CallStatistics, ({ rows }) =>
        rows({ workspace_id: mine, range: { from_day: to, to_day: to }, group_by: "status" }))
      assert.deepStrictEqual(sums, {
        key: "completed", status: "completed", calls: 1, answered: 1, duration_seconds: 61, billed_seconds: 61, cost_minor: 300
      })
    }))

  it.effect("wait with a day until its last call has ended, and count it as it is meanwhile", () =>
    Effect.gen(function*() {
      const workspace_id = randomUUID()
      const day = today - 2
      const late = yield* insert(workspace_id, { at: day * day_ms + day_ms - 1, status: "answered" })
      yield* insert(workspace_id, { at: day * day_ms })
      const name = dayText(day)
      assert.deepStrictEqual(yield* rows(workspace_id, day, day), [`${name} answered 1`, `${name} busy 1`])
      assert.deepStrictEqual(yield* rolledUp(workspace_id), [])
      const sql = yield* PgClient.PgClient
      yield* sql`UPDATE calls SET status = 'completed', cost_minor = 300, duration_seconds = 5 WHERE id = ${late}`
      const both = yield* Effect.all([rows(workspace_id, day, day), rows(workspace_id, day, day)], { concurrency: 2 })
      for (const each of both) assert.deepStrictEqual(each, [`${name} busy 1`, `${name} completed 1`])
      assert.deepStrictEqual(yield* rolledUp(workspace_id), [name])
    }))

  it.effect("show today as it stands", () =>
    Effect.gen(function*() {
      const workspace_id = randomUUID()
      assert.deepStrictEqual(yield* rows(workspace_id, today, today), [])
      yield* insert(workspace_id, { at: today * day_ms, status: "ringing" })
      assert.deepStrictEqual(yield* rows(workspace_id, today, today), [`${dayText(today)} ringing 1`])
      assert.deepStrictEqual(yield* rolledUp(workspace_id), [])
    }))

  it.effect("are grouped and filtered", () =>
    Effect.gen(function*() {
      const workspace_id = randomUUID()
      const other = randomUUID()
      for (const at of [(today - 5) * day_ms, today * day_ms]) {
        yield* insert(workspace_id, { at, country: "UG", direction: "inbound" })
        yield* insert(workspace_id, { at, country: null, number_id: other })
      }
      const grouped = (group_by: StatsGroup, number?: string) => rows(workspace_id, today - 5, today, group_by, number)
      assert.deepStrictEqual(yield* grouped("country"), ["UG busy 2", "null busy 2"])
      assert.deepStrictEqual(yield* grouped("direction"), ["inbound busy 2", "outbound busy 2"])
      assert.deepStrictEqual(yield* grouped("status"), ["busy busy 4"])
      assert.deepStrictEqual(yield* grouped("number"), [`${number_id} busy 2`, `${other} busy 2`].sort())
      assert.deepStrictEqual(yield* grouped("country", other), ["null busy 2"])
    }))
})
