// `npm run bench`: all benchmarks in one run, on a temporary PostgreSQL. `--json FILE` writes the raw results,
// `--beside FILE` shows the figures of an earlier `--json` beside those of this run, with the ratio of this run to
// them, and names (runtime, journal, cycles, http, memory, drain, reads, neighbours, streams, feed, wallet, webhooks,
// overload, pbx) select parts. soak, ten thousand SIP calls, runs only if it is named. `--quick` proves in about a
// minute that every part works: one short round, no goals. `--seconds N` says how long overload lasts, which the goals
// then judge. The exit status is 1 if a part crashes; the last line names it.
// `--compare REF` and `--gate` run no part, but compare this checkout with another one: see compare/compare.ts.
import { Cause, Console, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { PgClient } from "@effect/sql-pg"
import { readFile, writeFile } from "node:fs/promises"
import { cpus, totalmem } from "node:os"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { migrate } from "../src/layers/postgres/migrations/Migrations.ts"
import { baseline, compare } from "./compare/compare.ts"
import { cyclesBench } from "./cycles.ts"
import { httpBench } from "./http.ts"
import { journalBench } from "./journal.ts"
import { memoryBench } from "./memory.ts"
import { neighboursBench } from "./neighbours.ts"
import { runtimeBench } from "./runtime.ts"
import { drainBench } from "./drain.ts"
import { feedBench } from "./feed.ts"
import { overloadBench } from "./overload.ts"
import { pbxBench, soakBench } from "./pbx.ts"
import { readsBench } from "./reads.ts"
import { streamsBench } from "./streams.ts"
import { type BenchRow, verdictOf } from "./Row.ts"
import { walletBench } from "./wallet.ts"
import { webhooksBench } from "./webhooks.ts"

const words = process.argv.slice(2)
const valueOf = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined)
const json = valueOf("--json")
const earlier_file = valueOf("--beside")
const quick = words.includes("--quick")
const seconds = Number(valueOf("--seconds") ?? 60)
const values = ["--json", "--beside", "--compare", "--profiles", "--seconds"].map(valueOf)
const chosen = words.filter((word) => !word.startsWith("--") && !values.includes(word))
const wanted = (part: string) => (chosen.length === 0 ? part !== "soak" : chosen.includes(part))

/** How much is measured. The quick form only proves that every part works: its figures are judged by no goal. */
const sizes = quick
  ? {
      duration_ms: 200,
      rounds: 1,
      pause_ms: 0,
      settle_ms: 200,
      waiting: [1, 64],
      at_once: [1, 64],
      live_calls: 500,
      drain: { calls: 100, warm_up: 100 },
      streams: 100,
      neighbours_ms: 4_000,
      reads: { calls: 5_000, rounds: 10 },
      deliveries: 500,
      overload: { step_ms: 500, overload_ms: 4_000, times: [3], growth: 2 },
      pbx: { rates: [20], seconds: 1 },
      soak: { rates: [20], seconds: 4 }
    }
  : {
      duration_ms: 5_000,
      rounds: 3,
      pause_ms: 8_000,
      settle_ms: 3_000,
      waiting: [1, 16, 64, 256, 1_024],
      at_once: [1, 64, 256, 1_024],
      live_calls: 20_000,
      drain: { calls: 10_000, warm_up: 20_000 },
      streams: 10_000,
      neighbours_ms: 28_000,
      reads: { calls: 1_000_000, rounds: 300 },
      deliveries: 20_000,
      overload: { step_ms: Math.min(5_000, seconds * 250), overload_ms: seconds * 1_000, times: [3, 5], growth: 1.25 },
      pbx: { rates: [50, 100], seconds: 30 },
      soak: { rates: [50], seconds: 200 }
    }
const { at_once, deliveries, duration_ms, live_calls, neighbours_ms, pause_ms, rounds, settle_ms, streams, waiting } =
  sizes

const machine = {
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform} ${process.arch}`
}

/** A separate database for each part, so that none finds the rows of another. */
const onFreshDatabase = <A, E, R>(
  url: Redacted.Redacted,
  name: string,
  part: (own: Redacted.Redacted) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.unsafe(`CREATE DATABASE bench_${name}`)
    const own = new URL(Redacted.value(url))
    own.pathname = `/bench_${name}`
    return yield* part(Redacted.make(own.href))
  }).pipe(Effect.provide(Layer.fresh(Database.layer({ url }))))

const migrated = <A, E, R>(url: Redacted.Redacted, part: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.andThen(migrate(), part), Layer.fresh(Database.layer({ url })))

const verdict = (row: BenchRow): string => (quick ? "" : verdictOf(row))

type Results = Readonly<Record<string, ReadonlyArray<BenchRow>>>

const figure = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 }).padStart(10)

/** The same figure of the other run: rows of one part may have the same name, and stand in the same order. */
const beside = (others: ReadonlyArray<BenchRow>, rows: ReadonlyArray<BenchRow>, index: number): string => {
  const { name, value } = rows[index]!
  const before = rows.slice(0, index).filter((row) => row.name === name).length
  const other = others.filter((row) => row.name === name)[before]
  return other === undefined ? "" : `${figure(other.value)} ${(value / other.value).toFixed(2)} x`
}

const show = (rows: ReadonlyArray<BenchRow>, others: ReadonlyArray<BenchRow> = []) =>
  Console.log(
    rows
      .map((row, index) =>
        [row.name.padEnd(58), figure(row.value), row.unit.padEnd(10), beside(others, rows, index), verdict(row)].join(
          " "
        )
      )
      .map((line) => `  ${line.trimEnd()}`)
      .join("\n")
  )

/** A part that takes longer hangs. */
const longest = quick ? "2 minutes" : "1 hour"

/** Fails with the error that a listener or a timer throws, so that its part ends and stops what it started. */
const thrownOutside = Effect.callback<never>((resume) => {
  const listener = (error: Error) => resume(Effect.die(error))
  process.on("uncaughtException", listener)
  return Effect.sync(() => process.off("uncaughtException", listener))
})

/** Does not wait for the end of a part that hangs, even if that cannot be interrupted. */
const guarded = <A, E, R>(part: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(part)
    return yield* Fiber.join(fiber).pipe(
      Effect.raceFirst(thrownOutside),
      Effect.timeout(longest),
      Effect.onError(() => Effect.forkDetach(Fiber.interrupt(fiber)))
    )
  })

const program = Effect.gen(function* () {
  yield* Console.log(
    `  ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.platform}, Node ${machine.node}; PostgreSQL beside it\n`
  )
  const { url } = yield* startEphemeral("disk")
  const parts = {
    runtime: runtimeBench({ duration_ms: duration_ms / 2 }),
    journal: onFreshDatabase(url, "journal", (own) => journalBench({ url: own, duration_ms, waiting })),
    cycles: onFreshDatabase(url, "cycles", (own) => migrated(own, cyclesBench({ at_once, duration_ms, rounds }))),
    http: onFreshDatabase(url, "http", (own) => httpBench({ url: own, duration_ms, rounds, pause_ms })),
    memory: onFreshDatabase(url, "memory", (own) => migrated(own, memoryBench({ calls: live_calls, settle_ms }))),
    drain: onFreshDatabase(url, "drain", (own) => migrated(own, drainBench(sizes.drain))),
    neighbours: onFreshDatabase(url, "neighbours", (own) => neighboursBench({ url: own, duration_ms: neighbours_ms })),
    streams: onFreshDatabase(url, "streams", (own) => streamsBench({ url: own, streams, settle_ms })),
    feed: onFreshDatabase(url, "feed", (own) => feedBench({ url: own, duration_ms })),
    reads: onFreshDatabase(url, "reads", (own) => migrated(own, readsBench(sizes.reads))),
    wallet: onFreshDatabase(url, "wallet", (own) => walletBench({ url: own, duration_ms, rounds })),
    webhooks: onFreshDatabase(url, "webhooks", (own) =>
      onFreshDatabase(url, "jobs", (rival_url) =>
        migrated(own, webhooksBench({ url: own, rival_url, deliveries, rounds, duration_ms: 2 * duration_ms }))
      )
    ),
    overload: onFreshDatabase(url, "overload", (own) => overloadBench({ url: own, ...sizes.overload })),
    pbx: onFreshDatabase(url, "pbx", (own) => pbxBench({ url: own, ...sizes.pbx })),
    soak: onFreshDatabase(url, "soak", (own) => soakBench({ url: own, ...sizes.soak }))
  }
  const earlier: Results =
    earlier_file === undefined
      ? {}
      : (JSON.parse(yield* Effect.promise(() => readFile(earlier_file, "utf8"))) as { readonly results: Results })
          .results
  const results: Record<string, ReadonlyArray<BenchRow>> = {}
  const crashed: Array<string> = []
  for (const [name, part] of Object.entries(parts)) {
    if (!wanted(name)) continue
    const began = performance.now()
    const exit = yield* Effect.exit(guarded(part))
    yield* Console.log(`${name}, ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    if (Exit.isSuccess(exit)) {
      results[name] = exit.value
      yield* show(results[name], earlier[name])
    } else {
      crashed.push(name)
      yield* Console.error(Cause.pretty(exit.cause))
    }
  }
  if (json !== undefined) {
    yield* Effect.promise(() =>
      writeFile(json, JSON.stringify({ machine, at: new Date().toISOString(), results }, undefined, 2))
    )
  }
  return crashed
})

const gate = words.includes("--gate")
const ref = valueOf("--compare") ?? (gate ? await baseline() : undefined)
if (ref !== undefined) {
  const profiles = valueOf("--profiles")
  process.exit(await Effect.runPromise(compare({ ref, gate, chosen, ...(profiles !== undefined && { profiles }) })))
}

const crashed = await Effect.runPromise(Effect.scoped(program))
if (crashed.length > 0) {
  console.error(`Crashed: ${crashed.join(", ")}`)
  process.exit(1)
}
