// What calls leave behind in memory when they are over: ten thousand calls after ten thousand, on the real journal.
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Legs } from "../src/actors/calls/Legs.ts"
import { ActorSystem } from "../src/actors/runtime/ActorSystem.ts"
import type { VoiceAction } from "../src/domain/calls/verbs/VoiceAction.ts"
import { CallbackFailure } from "../src/domain/ports/calls/VoiceCallback.ts"
import { type Phone, talkative } from "../src/layers/pbx/simulator/Phones.ts"
import { PbxSimulator } from "../src/layers/pbx/simulator/PbxSimulator.ts"
import { cycleEngine, fund, legOf, type Tenant, tenants } from "./CycleEngine.ts"
import { used } from "./Heap.ts"
import type { BenchRow } from "./Row.ts"
import type { CallbackRequest } from "../src/domain/calls/state/CallbackAttempt.ts"

const phones: ReadonlyArray<Phone> = [
  talkative(150, 400),
  { steps: [{ kind: "refuses", after_ms: 30, sip_code: 486, q850: 17, source: "callee" }] },
  talkative(200, 1_500),
  { steps: [{ kind: "rings", after_ms: 10 }] },
  { steps: [{ kind: "refuses", after_ms: 20, sip_code: 503, q850: 38, source: "carrier" }] },
  talkative(120, 10),
  { steps: [{ kind: "rings", after_ms: 10 }], answers_cancel: true }
]

const next = "https://app.test/next"
const numbers = (first: number) =>
  Array.from({ length: 4 }, (_, index) => `+2547220000${10 + ((first + index * 3) % 90)}`)

const scripts: ReadonlyArray<ReadonlyArray<VoiceAction> | "fails"> = [
  [{ dial: { numbers: numbers(1), timeout: 1, action_url: next } }],
  [{ say: { text: "Hello." } }, { hangup: {} }],
  [{ dial: { numbers: numbers(2), timeout: 1, first_answer_wins: false } }, { say: { text: "Bye." } }],
  "fails",
  [{ gather: { num_digits: 4, timeout: 1, action_url: next } }],
  [{ dial: { numbers: numbers(5), timeout: 1, sequential: true } }],
  []
]

/** The outcome of a call by its index: the same in every run. */
const of = <A>(list: ReadonlyArray<A>, to: string): A => list[Number(to.slice(-2)) % list.length]!

const answer = ({ body }: CallbackRequest) => {
  const { reason, to } = JSON.parse(body) as { readonly reason: string; readonly to: string }
  const script = reason === "answered" ? of(scripts, to) : []
  return script === "fails"
    ? Effect.fail(new CallbackFailure({ cause: "callback_failed", detail: "HTTP 500" }))
    : Effect.succeed(script)
}

const underWay = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ readonly calls: bigint; readonly holds: bigint }>`
    SELECT (SELECT count(*) FROM calls WHERE status IN ('ringing', 'answered')) AS calls, (SELECT count(*) FROM holds WHERE status = 'open') AS holds`
  return { calls: Number(row!.calls), holds: Number(row!.holds) }
})

/** Waits until nothing runs and idle actors have left memory. */
const drained = Effect.gen(function* () {
  const system = yield* ActorSystem
  const pbx = yield* PbxSimulator
  for (let second = 0; second < 180; second++) {
    const left = yield* Effect.all({ actors: system.resident, lines: pbx.live_sessions, rows: underWay })
    if (left.actors <= 1 && left.lines.length === 0 && left.rows.calls === 0 && left.rows.holds === 0) return
    yield* Effect.sleep("1 second")
  }
})

const run = (all: ReadonlyArray<Tenant>, calls: number) =>
  Effect.gen(function* () {
    const legs = yield* Legs
    const place = (index: number) =>
      Effect.ignore(
        legs.place({ ...legOf(all[index % all.length]!), to: `+2547220000${10 + (index % 90)}`, timeout_seconds: 2 })
      )
    yield* Effect.forEach(
      Array.from({ length: calls }, (_, index) => index),
      place,
      { concurrency: 64, discard: true }
    )
    yield* drained
    return yield* used
  })

export const drainBench = (options: { readonly calls: number; readonly warm_up: number }) =>
  Effect.gen(function* () {
    const all = tenants(20)
    return yield* Effect.gen(function* () {
      yield* fund(all)
      // The memory of ended sessions and acknowledged commands is bounded, and only full after the warm-up.
      const before = yield* run(all, options.warm_up)
      const after = yield* run(all, options.calls)
      const sql = yield* PgClient.PgClient
      const ends = yield* sql<{
        readonly status: string
        readonly calls: bigint
      }>`SELECT status, count(*) AS calls FROM calls GROUP BY 1 ORDER BY 1`
      const left = yield* underWay
      const rows: ReadonlyArray<BenchRow> = [
        ...ends.map(({ calls, status }) => ({
          name: `of ${options.warm_up} and ${options.calls} calls and their legs, ${status}`,
          value: Number(calls),
          unit: "calls"
        })),
        {
          name: "actors in memory afterwards, including the gateway",
          value: yield* Effect.flatMap(ActorSystem, ({ resident }) => resident),
          unit: "actors",
          goal: { most: 1 }
        },
        {
          name: "sessions of the PBX afterwards",
          value: (yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions)).length,
          unit: "lines",
          goal: { most: 0 }
        },
        {
          name: "live calls and open holds afterwards",
          value: left.calls + left.holds,
          unit: "rows",
          goal: { most: 0 }
        },
        { name: "heap before them", value: before / 2 ** 20, unit: "MiB" },
        { name: "heap after them, relative to before", value: (after / before - 1) * 100, unit: "%", goal: { most: 5 } }
      ]
      return rows
    }).pipe(Effect.provide(cycleEngine({ tenants: all, phones: (to) => of(phones, to), callback: answer })))
  })
