// Lists and sums over a million stored calls of one workspace, spread over sixty days.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { CallEvent } from "../src/domain/calls/CallEvent.ts"
import { absentCall, type Call } from "../src/domain/calls/Call.ts"
import { evolveCall } from "../src/domain/calls/CallEvent.ts"
import type { CallFacts } from "../src/domain/calls/CallCommand.ts"
import { type DayRange, dayOf } from "../src/domain/calls/CallStats.ts"
import { CallReads } from "../src/domain/ports/CallReads.ts"
import { CallStatistics } from "../src/domain/ports/CallStatistics.ts"
import * as PgCallReads from "../src/layers/postgres/CallReads.ts"
import { addUp } from "../src/layers/postgres/CallSums.ts"
import * as PgCallStatistics from "../src/layers/postgres/CallStatistics.ts"
import { type BenchRow, percentile } from "./Row.ts"

const workspace_id = "00000000-0000-8000-8000-0000000000be"
const number_id = "00000000-0000-8000-8000-0000000000bf"
const days = 60

const facts: CallFacts = {
  session_id: "HD_session",
  workspace_id,
  tenant_pbx_id: "bench",
  gateway_id: "default",
  number_id,
  parent_call_id: null,
  parent_session_id: null,
  direction: "outbound",
  kind: "api",
  from: "+254700000001",
  to: "+254711000001",
  country: "KE",
  caller_id: "+254700000001",
  created_at: 1_700_000_000_000,
  currency: "KES",
  rate_per_min_minor: 300,
  matched_prefix: "254",
  timeout_seconds: 30,
  max_duration_seconds: 14_400,
  voice_callback_url: "https://app.example/voice",
  voice_fallback_url: null,
  metadata: { customer: "12345" },
  client_reference: null
}

const at = facts.created_at
const story: ReadonlyArray<CallEvent> = [
  { _tag: "Originated", facts },
  { _tag: "NetworkRang", at: at + 100, step: "ringing" },
  { _tag: "Answered", at: at + 1_000, question: null, detect_until: null },
  {
    _tag: "HungUp",
    at: at + 31_000,
    confirmed: true,
    ending: { status: "completed", cause: "normal_clearing", source: "callee", sip_code: 200, q850_cause: 16 }
  },
  { _tag: "Settled", at: at + 31_000, cost_minor: 300 }
]
const stored: Call = story.reduce(evolveCall, absentCall("00000000-0000-7000-8000-000000000000"))

/** One call in eight is of one of a few other numbers; one in ten is busy, and ten of all are under way. */
const fill = (calls: number) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`SELECT set_config('statement_timeout', '0', true)`
      yield* sql.unsafe(
        `INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at, answered_at, cost_minor, country, duration_seconds, billed_seconds)
        SELECT id, $1, 'HD_' || n, CASE WHEN n % 8 = 0 THEN ('00000000-0000-8000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid ELSE $2::uuid END, 5, $3::text::json, status,
          'outbound', '+254700000001', '+2547' || lpad((n % 50000)::text, 8, '0'), 'ref-' || n, at,
          CASE WHEN status = 'busy' THEN NULL ELSE at END, CASE WHEN status = 'answered' THEN NULL WHEN status = 'busy' THEN 0 ELSE 300 END,
          CASE WHEN n % 5 = 0 THEN 'UG' ELSE 'KE' END, CASE WHEN status = 'completed' THEN 30 END, CASE WHEN status = 'completed' THEN 30 END
        FROM (
          SELECT n, gen_random_uuid() AS id, now() - interval '1 second' * (n * ${(days * 86_400) / calls}) AS at,
            CASE WHEN n <= 10 THEN 'answered' WHEN n % 10 = 0 THEN 'busy' ELSE 'completed' END AS status
          FROM generate_series(1, ${calls}) n
        ) c`,
        [workspace_id, number_id, JSON.stringify(stored)]
      )
      yield* sql`INSERT INTO workspaces ${sql.insert({
        id: workspace_id, name: "Bench", tenant_pbx_id: "bench", gateway_id: "default", voice_secret: "", created_at: new Date()
      })}`
      yield* sql`INSERT INTO alarms (actor_type, actor_id, due_at) SELECT 'Call', id::text, now() FROM calls WHERE status = 'answered'`
      yield* sql`ANALYZE calls`
      yield* sql`ANALYZE alarms`
    }))
  })

const times = <E, R>(rounds: number, read: (round: number) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    yield* read(0)
    return yield* Effect.forEach(Array.from({ length: rounds }, (_, round) => round), (round) =>
      Effect.gen(function*() {
        const begun = performance.now()
        yield* read(round)
        return performance.now() - begun
      }))
  })

const p99 = (name: string, taken: ReadonlyArray<number>, most?: number): BenchRow => ({
  name,
  value: percentile(taken, 0.99),
  unit: "ms",
  ...(most !== undefined && { goal: { most } })
})

const measure = (options: { readonly calls: number; readonly rounds: number }) =>
  Effect.gen(function*() {
    yield* fill(options.calls)
    const reads = yield* CallReads
    const { rows } = yield* CallStatistics
    const now = Date.now()
    const page = (filter: Parameters<typeof reads.list>[1]) => (round: number) =>
      reads.list(workspace_id, filter, round === 0 ? undefined : { at: now - ((round * 7_919) % (days - 1)) * 86_400_000, id: number_id }, 50)
    const list = (name: string, filter: Parameters<typeof reads.list>[1]) =>
      Effect.map(times(options.rounds, page(filter)), (taken) => p99(name, taken, 20))
    const range: DayRange = { from_day: dayOf(now) - 29, to_day: dayOf(now) }
    const sums_begun = performance.now()
    yield* Effect.flatMap(PgClient.PgClient, addUp)
    const sums_ms = performance.now() - sums_begun
    const begun = performance.now()
    yield* rows({ workspace_id, range, group_by: "day" })
    const first_ms = performance.now() - begun
    const thousands = `${options.calls / 1_000}k calls`
    const lists = [
      yield* list(`page of 50 of ${thousands}, anywhere, p99`, {}),
      yield* list("… of one number, p99", { number_id }),
      yield* list("… of one status, p99", { status: "busy" }),
      yield* list("… under way, p99", { status: "answered" }),
      yield* list("… to one destination, p99", { to: "+254700000077" }),
      yield* list("… of one reference, p99", { client_reference: "ref-77" })
    ]
    const stats = yield* times(options.rounds, (round) => rows({ workspace_id, range, group_by: round % 2 === 0 ? "day" : "country" }))
    const result: ReadonlyArray<BenchRow> = [
      ...lists,
      { name: `${days} days added up, which nobody waits for`, value: sums_ms, unit: "ms" },
      { name: "statistics of 30 days, asked for the first time", value: first_ms, unit: "ms" },
      p99("… again, today live, p99", stats, 20)
    ]
    return result
  })

export const readsBench = (options: { readonly calls: number; readonly rounds: number }) =>
  Effect.provide(measure(options), Layer.mergeAll(PgCallReads.layer, PgCallStatistics.layer))
