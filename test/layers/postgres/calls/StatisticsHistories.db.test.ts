// Random days of calls, added up at random, are what a plain count of them is: around the ends of months and years, a
// leap day, and the days of 23 and 25 hours that the time zone of the database's sessions has and UTC has not.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { dayOf, dayText, type StatsGroup, type StatsQuery } from "../../../../src/domain/calls/views/CallStats.ts"
import { CallKind } from "../../../../src/domain/calls/state/CallKind.ts"
import { CallStatistics } from "../../../../src/domain/ports/calls/CallStatistics.ts"
import { nameKinds } from "../../../../src/layers/postgres/calls/CallKinds.ts"
import { addUp } from "../../../../src/layers/postgres/calls/CallSums.ts"
import * as PgCallStatistics from "../../../../src/layers/postgres/calls/CallStatistics.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { depth } from "../../../support/Depth.ts"
import { fastClock } from "../../../support/FastTime.ts"
import { newWorkspace } from "../../../support/ManyCalls.ts"
import { bytesOf, Choices } from "../../../properties/model/Choices.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { NumberId, WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { numberId, workspaceId } from "../../../support/Ids.ts"

/** The pool is opened after the database has its time zone. */
const inZone = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.TestDatabase
    const sql = yield* PgClient.PgClient
    yield* sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), 'Europe/Berlin'); END $$`
    return Database.layer({ url })
  })
).pipe(Layer.provide(TestDatabase.layer))

const database = PgCallStatistics.layer.pipe(Layer.provideMerge(inZone))

interface Placed {
  readonly id: string
  readonly at: number
  readonly number_id: NumberId | null
  readonly country: string | null
  readonly direction: string
  readonly kind: CallKind
  status: string
  answered: boolean
  seconds: number
  cost_minor: number
}

const numbers = [null, numberId(randomUUID()), numberId(randomUUID())]
/** Far off, so that what is made in the background by the world's clock has no part in it. */
const begins = [
  "2125-01-31T22:30:00Z",
  "2125-03-24T22:00:00Z",
  "2125-10-27T21:00:00Z",
  "2125-12-31T22:00:00Z",
  "2124-02-28T22:00:00Z"
]
const groups: ReadonlyArray<StatsGroup> = ["day", "number", "country", "status", "direction", "kind"]
const live = (call: Placed) => call.status === "ringing" || call.status === "answered"

const write = (sql: PgClient.PgClient, workspace_id: WorkspaceId, call: Placed) =>
  sql`INSERT INTO calls ${sql.insert({
    id: call.id,
    workspace_id,
    session_id: call.id,
    number_id: call.number_id,
    version: 1,
    state: JSON.stringify({ facts: { kind: call.kind } }),
    status: call.status,
    direction: call.direction,
    from_e164: "a",
    to_e164: "b",
    country: call.country,
    created_at: new Date(call.at),
    answered_at: call.answered ? new Date(call.at) : null,
    duration_seconds: live(call) ? null : call.seconds,
    billed_seconds: live(call) ? null : call.seconds,
    cost_minor: live(call) ? null : call.cost_minor
  })} ON CONFLICT (id) DO UPDATE SET status = excluded.status, answered_at = excluded.answered_at,
    duration_seconds = excluded.duration_seconds, billed_seconds = excluded.billed_seconds, cost_minor = excluded.cost_minor`

const keyOf = (call: Placed, group: StatsGroup): string | null =>
  ({
    day: dayText(dayOf(call.at)),
    number: call.number_id,
    country: call.country,
    status: call.status,
    direction: call.direction,
    kind: call.kind
  })[group]

const counted = (
  calls: ReadonlyArray<Placed>,
  { group_by, number_id, range }: StatsQuery
): Readonly<Record<string, ReadonlyArray<number>>> => {
  const sums: Record<string, [number, number, number, number, number]> = {}
  for (const call of calls) {
    if (
      dayOf(call.at) < range.from_day ||
      dayOf(call.at) > range.to_day ||
      (number_id !== undefined && call.number_id !== number_id)
    )
      continue
    const sum = (sums[`${keyOf(call, group_by)} ${call.status}`] ??= [0, 0, 0, 0, 0])
    const over = live(call) ? 0 : 1
    for (const [n, value] of [
      1,
      call.answered ? 1 : 0,
      over * call.seconds,
      over * call.seconds,
      over * call.cost_minor
    ].entries())
      sum[n]! += value
  }
  return sums
}

const history = Effect.fnUntraced(function* (seed: number) {
  const sql = yield* PgClient.PgClient
  const statistics = yield* CallStatistics
  const choices = new Choices(bytesOf(seed, 600))
  const one = <A>(options: ReadonlyArray<A>): A => choices.of(options)
  const workspace_id = yield* newWorkspace
  const calls: Array<Placed> = []
  const begin = Date.parse(begins[seed % begins.length]!)
  let now = begin
  const end = (call: Placed) => {
    call.status = call.answered ? "completed" : one(["busy", "no_answer", "failed", "canceled"])
    if (call.answered) [call.seconds, call.cost_minor] = [1 + choices.below(600), choices.below(50) * 100]
  }
  for (let step = 0; step < 14; step++) {
    now += one([1, 60_000, 3_599_999, 3_600_000, 7_200_000, 20_000_000])
    for (let n = choices.below(4); n > 0; n--) {
      const answered = choices.below(2) === 1
      const call: Placed = {
        id: randomUUID(),
        at: one([now, Math.floor(now / 86_400_000) * 86_400_000 + (now % 2)]),
        number_id: one(numbers),
        country: one([null, "KE", "UG"]),
        direction: one(["outbound", "inbound"]),
        kind: one(CallKind.literals),
        status: answered ? "answered" : "ringing",
        answered,
        seconds: 0,
        cost_minor: 0
      }
      // What is placed is on disk within ten minutes: nothing is put where sums are made already.
      const placed = call.at < now - 500_000 ? { ...call, at: now } : call
      if (choices.below(2) === 1) end(placed)
      calls.push(placed)
      yield* write(sql, workspaceId(workspace_id), placed)
    }
    for (const call of calls.filter(live)) {
      if (choices.below(3) > 0) continue
      end(call)
      yield* write(sql, workspaceId(workspace_id), call)
    }
    // Now and then the sums are as a version made them that did not know kinds. Their days are counted again.
    if (choices.below(4) === 0) yield* forgetKinds(sql, workspaceId(workspace_id))
    if (choices.below(2) === 1) yield* nameKinds(sql)
    if (choices.below(2) === 1)
      yield* Effect.provideService(addUp(sql), Clock.Clock, fastClock({ speed: 0, epoch_ms: now }))
    const from_day = dayOf(begin) - 1 + choices.below(3)
    const number_id = one([undefined, numbers[1]!])
    const query: StatsQuery = {
      workspace_id: workspaceId(workspace_id),
      group_by: one((yield* areKnown(sql, workspaceId(workspace_id))) ? groups : groups.filter((it) => it !== "kind")),
      range: { from_day, to_day: from_day + choices.below(4) },
      ...(number_id !== undefined && { number_id: number_id })
    }
    const found = yield* statistics.rows(query)
    const shown = Object.fromEntries(
      found.map((row) => [
        `${row.key} ${row.status}`,
        [row.calls, row.answered, row.duration_seconds, row.billed_seconds, row.cost_minor]
      ])
    )
    assert.deepStrictEqual(shown, counted(calls, query), `seed ${seed}, step ${step}`)
  }
  const [sealed] = yield* sql`SELECT FROM call_stats_sealed WHERE workspace_id = ${workspace_id}`
  return { calls: calls.length, sealed: sealed !== undefined }
})

/** Makes the sums of a workspace those of before: one row where there are several kinds. */
const forgetKinds = (sql: PgClient.PgClient, workspace_id: WorkspaceId) => sql`
  WITH gone AS (DELETE FROM call_stats WHERE workspace_id = ${workspace_id} RETURNING *)
  INSERT INTO call_stats (workspace_id, day, number_id, country, status, direction, calls, answered, duration_seconds,
    billed_seconds, cost_minor)
  SELECT workspace_id, day, number_id, country, status, direction, sum(calls), sum(answered), sum(duration_seconds),
    sum(billed_seconds), sum(cost_minor)
  FROM gone GROUP BY workspace_id, day, number_id, country, status, direction`

const areKnown = (sql: PgClient.PgClient, workspace_id: WorkspaceId) =>
  Effect.map(
    sql`SELECT FROM call_stats WHERE workspace_id = ${workspace_id} AND kind IS NULL LIMIT 1`,
    (found) => found.length === 0
  )

const histories = depth(15, 60)

layer(database, { excludeTestServices: true })("statistics", (it) => {
  it.effect(
    `of ${histories} random histories equal a plain count of their calls`,
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        assert.deepStrictEqual(yield* sql`SHOW timezone`, [{ TimeZone: "Europe/Berlin" }])
        const all = yield* Effect.forEach(
          Array.from({ length: histories }, (_, seed) => seed),
          history
        )
        assert.isAbove(
          all.reduce((sum, { calls }) => sum + calls, 0),
          10 * histories
        )
        assert.isAbove(all.filter(({ sealed }) => sealed).length, histories / 2)
      }),
    120_000
  )
})
