// Lists and sums over a million stored calls of one workspace, spread over sixty days.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { CallEvent } from "../src/domain/calls/state/CallEvent.ts"
import { absentCall, type Call } from "../src/domain/calls/state/Call.ts"
import { evolveCall } from "../src/domain/calls/decide/EvolveCall.ts"
import type { CallFacts } from "../src/domain/calls/state/CallFacts.ts"
import { type DayRange, dayOf } from "../src/domain/calls/views/CallStats.ts"
import { CallReads } from "../src/domain/ports/calls/CallReads.ts"
import { CurrentTenant } from "../src/domain/access/CurrentTenant.ts"
import { CallStatistics } from "../src/domain/ports/calls/CallStatistics.ts"
import * as PgCallReads from "../src/layers/postgres/calls/CallReads.ts"
import { makeBlocks } from "../src/layers/postgres/calls/CallBlocks.ts"
import { addUp } from "../src/layers/postgres/calls/CallSums.ts"
import * as PgCallStatistics from "../src/layers/postgres/calls/CallStatistics.ts"
import { type BenchRow, percentile } from "./Row.ts"
import { workspaceId } from "../test/support/Ids.ts"
import { toCallId, toGatewayId, toNumberId, toSessionId } from "../src/domain/BrandedIds.ts"
import type { CallFilter } from "../src/domain/calls/views/CallFilter.ts"

const workspace_id = workspaceId("00000000-0000-8000-8000-0000000000be")
const number_id = toNumberId("00000000-0000-8000-8000-0000000000bf")
const other_number_id = toNumberId("00000000-0000-8000-8000-0000000000b0")
const days = 60
/** Two numbers of the workspace, and two destinations, each called from only one of the numbers. */
const [a, b, x, y] = ["+254700000001", "+254700000002", "+254711000001", "+254711000002"]

const facts: CallFacts = {
  session_id: toSessionId("HD_session"),
  workspace_id,
  tenant_pbx_id: "bench",
  gateway_id: toGatewayId("default"),
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
  { _tag: "RemoteRinging", at: at + 100, step: "ringing" },
  { _tag: "Answered", at: at + 1_000, question: null, detect_until: null },
  {
    _tag: "HungUp",
    at: at + 31_000,
    confirmed: true,
    ending: { status: "completed", cause: "normal_clearing", source: "callee", sip_code: 200, q850_cause: 16 }
  },
  { _tag: "Settled", at: at + 31_000, cost_minor: 300 }
]
const stored: Call = story.reduce(evolveCall, absentCall(toCallId("00000000-0000-7000-8000-000000000000")))

/**
 * Half of the calls come in. Numbers A and B have never called the same, nor been called by the same: what is asked of
 * them together is nowhere.
 */
const fill = (calls: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT set_config('statement_timeout', '0', true)`
        yield* sql.unsafe(
          `INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at, answered_at, cost_minor, country, duration_seconds, billed_seconds)
        SELECT id, $1, 'HD_' || n, CASE WHEN n % 4 < 2 THEN $2::uuid ELSE $4::uuid END, 5,
          (jsonb_set(jsonb_set($3::text::jsonb, '{id}', to_jsonb(id)), '{facts,created_at}', to_jsonb(extract(epoch FROM at) * 1000)))::text::json,
          status, CASE WHEN n % 2 = 0 THEN 'outbound' ELSE 'inbound' END,
          CASE WHEN n % 4 = 0 THEN '${a}' WHEN n % 4 = 2 THEN '${b}' ELSE '+2567' || lpad((n % 50000)::text, 8, '0') END,
          CASE WHEN n % 4 = 1 THEN '${a}' WHEN n % 4 = 3 THEN '${b}' WHEN n % 8 = 0 THEN '${x}' WHEN n % 8 = 2 THEN '${y}'
            ELSE '+2547' || lpad((n % 50000)::text, 8, '0') END,
          CASE WHEN n % 4 = 0 THEN 'campaign' ELSE 'ref-' || n END, at,
          CASE WHEN status IN ('busy', 'canceled') THEN NULL ELSE at END, CASE status WHEN 'answered' THEN NULL WHEN 'completed' THEN 300 ELSE 0 END,
          CASE WHEN n % 5 = 0 THEN 'UG' ELSE 'KE' END, CASE WHEN status = 'completed' THEN 30 END, CASE WHEN status = 'completed' THEN 30 END
        FROM (
          SELECT n, gen_random_uuid() AS id, date_trunc('milliseconds', now() - interval '1 second' * (n * ${(days * 86_400) / calls})) AS at,
            CASE WHEN n <= 10 THEN 'answered' WHEN n % 10 = 1 THEN 'busy' WHEN n = ${calls} / 2 THEN 'canceled' ELSE 'completed' END AS status
          FROM generate_series(1, ${calls}) n
        ) c`,
          [workspace_id, number_id, JSON.stringify(stored), other_number_id]
        )
        yield* sql`INSERT INTO workspaces ${sql.insert({
          id: workspace_id,
          name: "Bench",
          tenant_pbx_id: "bench",
          gateway_id: "default",
          voice_secret: "",
          created_at: new Date()
        })}`
        yield* sql`INSERT INTO alarms (actor_type, actor_id, due_at) SELECT 'Call', id::text, now() FROM calls WHERE status = 'answered'`
        yield* sql`ANALYZE calls`
        yield* sql`ANALYZE alarms`
      })
    )
  })

const times = <E, R>(rounds: number, read: (round: number) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    yield* read(0)
    return yield* Effect.forEach(
      Array.from({ length: rounds }, (_, round) => round),
      (round) =>
        Effect.gen(function* () {
          const begun = performance.now()
          yield* read(round)
          return performance.now() - begun
        })
    )
  })

const p99 = (name: string, taken: ReadonlyArray<number>, most?: number): BenchRow => ({
  name,
  value: percentile(taken, 0.99),
  unit: "ms",
  ...(most !== undefined && { goal: { most } })
})

const filters: ReadonlyArray<readonly [string, CallFilter]> = [
  ["anywhere", {}],
  ["of one number", { number_id }],
  ["of one status", { status: "busy" }],
  ["under way", { status: "answered" }],
  ["to one destination", { to: "+254700000076" }],
  ["of one reference", { client_reference: "ref-77" }],
  ["of a status that one call has", { status: "canceled" }],
  ["of a status that none has", { status: "failed" }],
  ["of a number that none has", { number_id: toNumberId(workspace_id) }],
  ["from A to Y, each frequent, never together", { from: a, to: y }],
  ["from A of B, each frequent, never together", { from: a, number_id: other_number_id }],
  [
    "by five values that never come together",
    { from: a, to: x, number_id, client_reference: "campaign", status: "busy" }
  ],
  [
    "inward and busy of a campaign of calls outward",
    { direction: "inbound", status: "busy", client_reference: "campaign" }
  ]
]

const measure = (options: { readonly calls: number; readonly rounds: number }) =>
  Effect.gen(function* () {
    yield* fill(options.calls)
    const reads = yield* CallReads
    const { rows } = yield* CallStatistics
    const sql = yield* PgClient.PgClient
    const now = Date.now()
    const asTenant = Effect.provideService(CurrentTenant, workspace_id)
    const page = (filter: CallFilter) => (round: number) =>
      asTenant(
        reads.list(
          workspace_id,
          filter,
          round === 0 ? undefined : { at: now - ((round * 7_919) % (days - 1)) * 86_400_000, id: number_id },
          50
        )
      )
    const list = (name: string, filter: CallFilter) =>
      Effect.map(times(options.rounds, page(filter)), (taken) => p99(name, taken, 20))
    const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const begun = performance.now()
        yield* effect
        return performance.now() - begun
      })
    const range: DayRange = { from_day: dayOf(now) - 29, to_day: dayOf(now) }
    const blocks_ms = yield* timed(makeBlocks(sql))
    yield* sql`ANALYZE call_places`
    const sums_ms = yield* timed(addUp(sql))
    const first_ms = yield* timed(rows({ workspace_id, range, group_by: "day" }))
    const thousands = `${options.calls / 1_000}k calls`
    const lists = yield* Effect.forEach(filters, ([name, filter], n) =>
      list(n === 0 ? `page of 50 of ${thousands}, ${name}, p99` : `… ${name}, p99`, filter)
    )
    const stats = yield* times(options.rounds, (round) =>
      rows({ workspace_id, range, group_by: round % 2 === 0 ? "day" : "country" })
    )
    const result: ReadonlyArray<BenchRow> = [
      ...lists,
      { name: "putting all calls into blocks, in the background", value: blocks_ms, unit: "ms" },
      { name: `summing up ${days} days, in the background`, value: sums_ms, unit: "ms" },
      { name: "statistics of 30 days, first request", value: first_ms, unit: "ms" },
      p99("… again, today live, p99", stats, 20)
    ]
    return result
  })

export const readsBench = (options: { readonly calls: number; readonly rounds: number }) =>
  Effect.provide(measure(options), Layer.mergeAll(PgCallReads.layer, PgCallStatistics.layer))
