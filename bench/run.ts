// `npm run bench`: all benchmarks in one run, on a temporary PostgreSQL. `--json FILE` writes the raw results,
// `--compare FILE` shows the figures of an earlier `--json` beside those of this run, with the ratio of this run to
// them, `--quick` takes a tenth of the time, and names (runtime, journal, cycles, http, memory, drain, reads, streams,
// feed, wallet, webhooks, pbx) select parts. soak, ten thousand SIP calls, runs only if it is named.
import { Console, Effect, Layer, Redacted } from "effect"
import { PgClient } from "@effect/sql-pg"
import { readFile, writeFile } from "node:fs/promises"
import { cpus, totalmem } from "node:os"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { migrate } from "../src/layers/postgres/migrations/Migrations.ts"
import { cyclesBench } from "./cycles.ts"
import { httpBench } from "./http.ts"
import { journalBench } from "./journal.ts"
import { memoryBench } from "./memory.ts"
import { runtimeBench } from "./runtime.ts"
import { drainBench } from "./drain.ts"
import { feedBench } from "./feed.ts"
import { pbxBench, soakBench } from "./pbx.ts"
import { readsBench } from "./reads.ts"
import { streamsBench } from "./streams.ts"
import type { BenchRow } from "./Row.ts"
import { walletBench } from "./wallet.ts"
import { webhooksBench } from "./webhooks.ts"

const words = process.argv.slice(2)
const valueOf = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined)
const json = valueOf("--json")
const compared = valueOf("--compare")
const quick = words.includes("--quick")
const chosen = words.filter((word) => !word.startsWith("--") && word !== json && word !== compared)
const wanted = (part: string) => (chosen.length === 0 ? part !== "soak" : chosen.includes(part))
const duration_ms = quick ? 1_000 : 5_000
const rounds = quick ? 1 : 3

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

const verdict = ({ goal, value }: BenchRow): string => {
  if (goal === undefined) return ""
  const reached = "least" in goal ? value >= goal.least : value <= goal.most
  return `${"least" in goal ? `at least ${goal.least}` : `at most ${goal.most}`}: ${reached ? "reached" : "MISSED"}`
}

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

const program = Effect.gen(function* () {
  yield* Console.log(
    `  ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.platform}, Node ${machine.node}; PostgreSQL beside it\n`
  )
  const { url } = yield* startEphemeral("disk")
  const parts = {
    runtime: runtimeBench({ duration_ms: duration_ms / 2 }),
    journal: onFreshDatabase(url, "journal", (own) => journalBench({ url: own, duration_ms })),
    cycles: onFreshDatabase(url, "cycles", (own) =>
      migrated(own, cyclesBench({ at_once: [1, 64, 256, 1_024], duration_ms, rounds }))
    ),
    http: onFreshDatabase(url, "http", (own) => httpBench({ url: own, duration_ms, rounds })),
    memory: onFreshDatabase(url, "memory", (own) => migrated(own, memoryBench({ calls: quick ? 2_000 : 20_000 }))),
    drain: onFreshDatabase(url, "drain", (own) =>
      migrated(own, drainBench(quick ? { calls: 2_000, warm_up: 2_000 } : { calls: 10_000, warm_up: 20_000 }))
    ),
    streams: onFreshDatabase(url, "streams", (own) => streamsBench({ url: own, streams: quick ? 1_000 : 10_000 })),
    feed: onFreshDatabase(url, "feed", (own) => feedBench({ url: own, duration_ms })),
    reads: onFreshDatabase(url, "reads", (own) =>
      migrated(own, readsBench({ calls: quick ? 100_000 : 1_000_000, rounds: quick ? 100 : 300 }))
    ),
    wallet: onFreshDatabase(url, "wallet", (own) => walletBench({ url: own, duration_ms, rounds })),
    webhooks: onFreshDatabase(url, "webhooks", (own) =>
      onFreshDatabase(url, "jobs", (rival_url) =>
        migrated(
          own,
          webhooksBench({
            url: own,
            rival_url,
            deliveries: quick ? 5_000 : 20_000,
            rounds,
            duration_ms: 2 * duration_ms
          })
        )
      )
    ),
    pbx: onFreshDatabase(url, "pbx", (own) => pbxBench({ url: own, rates: [50, 100], seconds: quick ? 3 : 30 })),
    soak: onFreshDatabase(url, "soak", (own) => soakBench({ url: own, rates: [50], seconds: quick ? 8 : 200 }))
  }
  const earlier: Results =
    compared === undefined
      ? {}
      : (JSON.parse(yield* Effect.promise(() => readFile(compared, "utf8"))) as { readonly results: Results }).results
  const results: Record<string, ReadonlyArray<BenchRow>> = {}
  for (const [name, part] of Object.entries(parts)) {
    if (!wanted(name)) continue
    results[name] = yield* part
    yield* show(results[name], earlier[name])
  }
  if (json !== undefined) {
    yield* Effect.promise(() =>
      writeFile(json, JSON.stringify({ machine, at: new Date().toISOString(), results }, undefined, 2))
    )
  }
})

await Effect.runPromise(Effect.scoped(program))
