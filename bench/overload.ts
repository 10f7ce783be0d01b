// Three and five times the load that the engine can carry: what it still does, how quickly it refuses the rest, when it
// is as before, and whether the books are exact. A unit of load is a call: placed over HTTP, answered and hung up.
import { PgClient } from "@effect/sql-pg"
import { Console, Effect, Layer, type Redacted } from "effect"
import { type ChildProcess, fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { checkInvariants } from "../src/layers/postgres/checks/Invariants.ts"
import * as Database from "../src/layers/postgres/database/Database.ts"
import type { Offer, Offered } from "./OfferClient.ts"
import { folder, liftLimits, program, type Program } from "./Program.ts"
import type { BenchRow } from "./Row.ts"

export interface OverloadOptions {
  readonly url: Redacted.Redacted
  /** How long the sustainable load is looked for at each rate, and how long more than that is offered. */
  readonly step_ms: number
  readonly overload_ms: number
  readonly times: ReadonlyArray<number>
  /** By what the rate is multiplied while the sustainable load is looked for. */
  readonly growth: number
}

/** As they are if nobody sets them. */
const settings = { MAX_REQUESTS: "1000", MAX_EVENT_LOOP_DELAY_MS: "50" }
const firstRate = 200
/** A rate is sustainable if all of it is accepted, and answered as soon as this. */
const sustained_p99_ms = 500
const normal = { within_ms: 250, in_a_row: 5 }

const offerOf = ({ demo, port }: Program, per_second: number, duration_ms: number): Offer => ({
  port,
  path: "/v1/calls/originate",
  token: demo.api_key,
  body: JSON.stringify({ to: "+254711000000", from: demo.number.number, actions: [{ hangup: {} }] }),
  per_second,
  duration_ms
})

/** Runs on the last processor alone, so that the engine has another one for itself. */
const offerClient = Effect.acquireRelease(
  Effect.sync(() => {
    const child = fork(join(import.meta.dirname, "OfferClient.ts"), { execArgv: [] })
    const last = availableParallelism() - 1
    if (last > 0) spawnSync("taskset", ["-cp", String(last), String(child.pid)])
    return child
  }),
  (child) => Effect.sync(() => child.kill())
)

const offer = (child: ChildProcess, order: Offer): Effect.Effect<Offered> =>
  Effect.promise(async () => {
    child.send(order)
    const [answer] = (await once(child, "message")) as [Offered | { readonly error: string }]
    if ("error" in answer) throw new Error(answer.error)
    return answer
  })

/** Gives the workspace money through the books, which are checked at the end. */
const credit = ({ demo, port }: Program) =>
  Effect.promise(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/admin/wallets/${demo.workspace_id}/adjustments`, {
      method: "POST",
      headers: { cookie: `session=${demo.operator_session}`, "content-type": "application/json" },
      body: JSON.stringify({
        kind: "manual_credit",
        amount_minor: 100_000_000_000,
        currency: "KES",
        note: "For the calls of a benchmark",
        reference: "bench"
      })
    })
    if (answer.status !== 201) throw new Error(`The wallet was not credited: ${await answer.text()}`)
  })

const acceptedOf = ({ statuses }: Offered): number => statuses["201"] ?? 0
/** Those that are answered too late do not count. */
const perSecond = ({ in_time }: Offered, duration_ms: number): number => (in_time["201"] ?? 0) / (duration_ms / 1_000)

const unfinished = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ readonly open: number }>`SELECT
    (SELECT count(*) FROM calls WHERE status IN ('ringing', 'answered'))::int
    + (SELECT count(*) FROM holds WHERE status = 'open')::int AS open`
  return row?.open ?? 0
})

const settle = Effect.gen(function* () {
  for (let tries = 0; tries < 600 && (yield* unfinished) > 0; tries++) yield* Effect.sleep("100 millis")
})

/**
 * Raises the rate until it is not sustained twice in a row, so that one pause of the machine does not end it. Returns
 * the most calls a second that were accepted in time.
 */
const findPeak = Effect.fnUntraced(function* (
  child: ChildProcess,
  engine: Program,
  { growth, step_ms }: Pick<OverloadOptions, "growth" | "step_ms">
) {
  let peak = 0
  let missed = 0
  for (let per_second = firstRate; missed < 2; per_second = Math.round(per_second * growth)) {
    const load = yield* offer(child, offerOf(engine, per_second, step_ms))
    const accepted = perSecond(load, step_ms)
    yield* Console.log(
      `  looking: ${per_second}/s, ${accepted.toFixed(0)}/s accepted, p99 ${(load.p99_ms_of["201"] ?? 0).toFixed(0)} ms`
    )
    const isSustained = acceptedOf(load) === load.sent && (load.p99_ms_of["201"] ?? 0) <= sustained_p99_ms
    missed = isSustained ? 0 : missed + 1
    peak = Math.max(peak, accepted)
    yield* settle
  }
  return peak
})

/** Places one call. Returns how long that took, or infinity if it was refused. */
const tryOnce = (engine: Program) =>
  Effect.promise(async () => {
    const { body, path, token } = offerOf(engine, 1, 0)
    const began = performance.now()
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const answer = await fetch(`http://127.0.0.1:${engine.port}${path}`, { method: "POST", headers, body })
    await answer.text()
    return answer.status === 201 ? performance.now() - began : Number.POSITIVE_INFINITY
  })

const isQuiet = ({ port }: Program) =>
  Effect.promise(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    return ((await answer.json()) as { readonly shedding?: string }).shedding === "nothing"
  })

/** How long it takes until nothing is refused and some calls in a row are accepted quickly. */
const recovery = Effect.fnUntraced(function* (engine: Program) {
  const began = performance.now()
  let since = began
  for (let good = 0; good < normal.in_a_row && performance.now() - began < 60_000; yield* Effect.sleep("20 millis")) {
    const wasGood = (yield* tryOnce(engine)) < normal.within_ms && (yield* isQuiet(engine))
    if (!wasGood) since = performance.now()
    good = wasGood ? good + 1 : 0
  }
  return since - began
})

const completed = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{
    readonly count: number
  }>`SELECT count(*)::int AS count FROM calls WHERE status = 'completed'`
  return row?.count ?? 0
})

const overloaded = Effect.fnUntraced(function* (
  child: ChildProcess,
  engine: Program,
  { duration_ms, peak, times }: { readonly duration_ms: number; readonly peak: number; readonly times: number }
) {
  const before = yield* completed
  const load = yield* offer(child, offerOf(engine, peak * times, duration_ms))
  const done = ((yield* completed) - before) / (duration_ms / 1_000)
  const recovery_ms = yield* recovery(engine)
  yield* settle
  yield* Console.log(`  ${times} times: ${JSON.stringify(load)}`)
  const others = Object.entries(load.statuses).filter(([status]) => status !== "201" && status !== "503")
  const accepted = perSecond(load, duration_ms)
  const rows: ReadonlyArray<BenchRow> = [
    {
      name: `calls accepted at ${times} times the sustainable load`,
      value: accepted,
      unit: "/s",
      goal: { least: 0.8 * peak }
    },
    { name: "… of the sustainable load", value: (100 * accepted) / peak, unit: "%", goal: { least: 80 } },
    { name: "… calls that ended during it", value: done, unit: "/s", goal: { least: 0.8 * peak } },
    { name: "… p99 of the accepted", value: load.p99_ms_of["201"] ?? 0, unit: "ms" },
    { name: "… p99 of the refusals", value: load.p99_ms_of["503"] ?? 0, unit: "ms", goal: { most: 50 } },
    { name: "… p99 of the refusals after the first two seconds", value: load.later_p99_ms_of["503"] ?? 0, unit: "ms" },
    {
      name: "… other answers, and connections that were closed",
      value: others.length + load.closed,
      unit: "",
      goal: { most: 0 }
    },
    { name: "… p99 of how late the client sent", value: load.late_p99_ms, unit: "ms" },
    { name: "… p99 of how late its event loop was", value: load.loop_p99_ms, unit: "ms" },
    { name: "… requests that were due, but not sent", value: load.unsent, unit: "" },
    { name: "… normal again after", value: recovery_ms, unit: "ms", goal: { most: 5_000 } }
  ]
  return rows
})

export const overloadBench = (options: OverloadOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data_dir = yield* folder
      const port = 18_085
      yield* Effect.scoped(program(options.url, data_dir, port))
      yield* Effect.provide(liftLimits, Layer.fresh(Database.layer({ url: options.url })))
      const engine = yield* program(options.url, data_dir, port, { settings })
      yield* credit(engine)
      const child = yield* offerClient
      const measure = Effect.gen(function* () {
        // The first calls are slower: their code is not compiled yet.
        yield* offer(child, offerOf(engine, firstRate, options.step_ms))
        yield* settle
        const peak = yield* findPeak(child, engine, options)
        const rows: Array<BenchRow> = [
          { name: "sustainable load: calls placed, answered and hung up", value: peak, unit: "/s" }
        ]
        for (const times of options.times)
          rows.push(...(yield* overloaded(child, engine, { duration_ms: options.overload_ms, peak, times })))
        const broken = (yield* checkInvariants).filter(({ count }) => count > 0)
        rows.push({ name: "broken rules of the books", value: broken.length, unit: "", goal: { most: 0 } })
        return rows
      })
      return yield* Effect.provide(measure, Layer.fresh(Database.layer({ url: options.url })))
    })
  )
