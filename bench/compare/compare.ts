// `npm run bench -- --compare REF`: this checkout against another one, as whole programs, loaded in turn in short
// windows on one PostgreSQL. `--gate` is its short form, which CI runs (docs/performance.md).
import { PgClient } from "@effect/sql-pg"
import { Console, Effect, Layer, type Redacted } from "effect"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import { startEphemeral } from "../../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { loadClient } from "../Loading.ts"
import { type Checkout, checkoutOf, NoSuchCommit, thisCheckout } from "./Checkout.ts"
import { makeCustomer } from "./Customer.ts"
import { startEngine } from "./Engine.ts"
import { operationsFor, type Sizes } from "./Operations.ts"
import { type Finding, limit, linesOf, some } from "./Report.ts"
import { type Lengths, measure } from "./Rounds.ts"

type Name = keyof ReturnType<typeof operationsFor>
const all: ReadonlyArray<Name> = ["cycle", "originate", "paced", "delivery", "stream"]
const ofGate: ReadonlyArray<Name> = ["cycle", "originate", "delivery", "stream"]

const long: Sizes & Lengths = { originates: 1_000, cycles: 500, events: 100, streams: 500, rounds: 16, longest_ms: 0 }
const short: Sizes & Lengths = { originates: 500, cycles: 250, events: 50, streams: 100, rounds: 8, longest_ms: 30_000 }

export interface CompareOptions {
  /** A folder, commit, branch or tag. */
  readonly ref: string
  /** Judges, with short windows. */
  readonly gate: boolean
  /** Operations. Default: all. */
  readonly chosen: ReadonlyArray<string>
  /** A folder for a CPU profile of each engine. */
  readonly profiles?: string
}

/** What would fall into some windows only: checkpoints, the whole pages that the WAL has after each, and vacuums. */
const calm = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const settings = { checkpoint_timeout: "1h", max_wal_size: "16GB", full_page_writes: "off", autovacuum: "off" }
  for (const [name, value] of Object.entries(settings)) yield* sql.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`)
  yield* sql`SELECT pg_reload_conf()`
})

interface Run {
  readonly url: Redacted.Redacted
  readonly other: Checkout
  readonly options: CompareOptions
  readonly names: ReadonlyArray<Name>
  /** Names the databases of this run. */
  readonly run: number
}

/** Starts an engine of each checkout, and compares these operations. */
const compareWith = ({ names, options: { gate, profiles }, other, run, url }: Run) =>
  Effect.scoped(
    Effect.gen(function* () {
      const node = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profiles)}`]
      const client = yield* loadClient
      const customer = yield* makeCustomer
      const start = (name: string, checkout: Checkout) => startEngine({ url, name: `${name}_${run}`, checkout, node })
      const engines = { before: yield* start("before", other), now: yield* start("now", thisCheckout) }
      const sizes = gate ? short : long
      const operations = operationsFor({ client, customer }, sizes)
      const found: Array<readonly [Name, ReadonlyArray<Finding>]> = []
      for (const name of names) {
        const findings = yield* measure(operations[name], engines, sizes)
        yield* Console.log(linesOf(findings, gate).join("\n"))
        found.push([name, findings])
      }
      return found
    })
  )

/** False if an operation is dearer. New processes confirm that, because each compiles its code in its own way. */
const judged = (run: Run) =>
  Effect.gen(function* () {
    const found = yield* compareWith(run)
    if (!run.options.gate) return true
    const dearer = found.filter(([, findings]) => some(findings, "dearer")).map(([name]) => name)
    if (found.some(([, findings]) => some(findings, "undecided"))) {
      yield* Console.log("  undecided: the machine was too busy to tell. That fails nothing; measure again elsewhere.")
    }
    if (dearer.length === 0) return true
    yield* Console.log("  once more, with new processes:")
    const again = yield* compareWith({ ...run, names: dearer, run: run.run + 1 })
    const still = again.filter(([, findings]) => some(findings, "dearer")).map(([name]) => name)
    if (still.length === 0) yield* Console.log("  not confirmed: passed")
    return still.length === 0
  })

/** The exit status of the comparison. */
export const compare = (options: CompareOptions) =>
  Effect.gen(function* () {
    const unknown = options.chosen.filter((name) => !all.some((known) => known === name))
    if (unknown.length > 0) {
      yield* Console.error(`There is no operation ${unknown.join(", ")}. There are: ${all.join(", ")}`)
      return 1
    }
    const names =
      options.chosen.length === 0 ? (options.gate ? ofGate : all) : all.filter((name) => options.chosen.includes(name))
    const other = yield* checkoutOf(options.ref)
    yield* Console.log(`  from ${other.name} to this checkout; ratio with the 95 % interval of its median`)
    const { url } = yield* startEphemeral("disk")
    const database = Layer.fresh(Database.layer({ url, connections: 2 }))
    const passed = yield* Effect.provide(Effect.andThen(calm, judged({ url, other, options, names, run: 1 })), database)
    if (!passed) yield* Console.error(`failed: more than ${Math.round((limit - 1) * 100)} % dearer than ${other.name}`)
    return passed ? 0 : 1
  }).pipe(
    Effect.scoped,
    Effect.catchIf(
      (error) => error instanceof NoSuchCommit,
      ({ message }) =>
        Effect.as(Console.error(`${options.gate ? "gate: left out. " : ""}${message}`), options.gate ? 0 : 1)
    )
  )

/** The commit with which the gate compares. */
export const baseline = async (): Promise<string> =>
  (await readFile(join(import.meta.dirname, "../baseline"), "utf8")).trim()
