// SIP calls: the engine, a real Asterisk, and SIPp as the carrier, all on this machine. It needs what
// scripts/e2e/install fetches, and is skipped without it.
import { PgClient } from "@effect/sql-pg"
import { Console, Effect, Layer, type Redacted } from "effect"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { makePbxFor, type Pbx } from "../test/e2e/support/Pbx.ts"
import { type Caller, makePbxLoad } from "./PbxLoad.ts"
import { childrenOf, cpuSeconds, memoryMib, nameOf, openFiles, serverOf } from "./Processes.ts"
import { enrich, folder, program } from "./Program.ts"
import { type BenchRow, percentile } from "./Row.ts"

const port = 18_083
const asterisk_binary = join(import.meta.dirname, "../.cache/pbx/asterisk/root/usr/sbin/asterisk")

interface Options {
  readonly url: Redacted.Redacted
  /** Calls a second, one after the other. */
  readonly rates: ReadonlyArray<number>
  readonly seconds: number
}

const inDatabase = <A, E>(url: Redacted.Redacted, ask: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(PgClient.PgClient, ask).pipe(
    Effect.provide(Layer.fresh(Database.layer({ url, connections: 1 }))),
    Effect.orDie
  )

const countsOf = (url: Redacted.Redacted) =>
  inDatabase(url, (sql) =>
    Effect.map(
      sql<{ readonly over: number; readonly live: number; readonly holds: number }>`SELECT
      count(*) FILTER (WHERE status = 'completed')::int AS over, count(*) FILTER (WHERE status IN ('ringing', 'answered'))::int AS live,
      (SELECT count(*) FROM holds WHERE status = 'open')::int AS holds FROM calls`,
      ([row]) => row!
    )
  )

/** Number of calls by how they ended. */
const ends = (url: Redacted.Redacted) =>
  inDatabase(url, (sql) =>
    Effect.map(
      sql<{
        readonly how: string
      }>`SELECT count(*) || ' ' || concat_ws(' ', kind, payload ->> 'hangup_cause', payload ->> 'sip_code') AS how
      FROM events WHERE kind IN ('call.completed', 'call.failed', 'call.busy', 'call.no_answer', 'call.canceled', 'call.callback_failed')
      GROUP BY kind, payload ->> 'hangup_cause', payload ->> 'sip_code'`,
      (rows) => rows.map(({ how }) => how).join("; ")
    )
  )

/** Live calls, and the channels that Asterisk has for them. */
const stuck = (url: Redacted.Redacted, pbx: Pbx) =>
  Effect.gen(function* () {
    const calls = yield* inDatabase(
      url,
      (sql) =>
        sql`SELECT session_id, status, now() - created_at AS age FROM calls WHERE status IN ('ringing', 'answered') LIMIT 5`
    )
    const channels = yield* pbx.asterisk.channels
    const { holds, live } = yield* countsOf(url)
    const shown = JSON.stringify({ live, holds, calls, channels: channels.length, some: channels.slice(0, 5) })
    return yield* Effect.die(new Error(`Not everything came to its end: ${shown}`))
  })

/** Waits until each call has ended and is charged, and Asterisk has no channel left. */
const drained = (url: Redacted.Redacted, pbx: Pbx) =>
  Effect.all([countsOf(url), pbx.asterisk.channels]).pipe(
    Effect.delay("200 millis"),
    Effect.repeat({ until: ([{ holds, live }, { length }]) => live + holds + length === 0 }),
    Effect.map(([counts]) => counts),
    Effect.timeoutOrElse({ duration: "120 seconds", orElse: () => stuck(url, pbx) })
  )

const pidsOf = Effect.fnUntraced(function* (url: Redacted.Redacted, pbx: Pbx, engine: number) {
  const asterisk = Number(yield* Effect.promise(() => readFile(join(pbx.folder, "asterisk/pid"), "utf8")))
  const [{ pid }] = yield* inDatabase(
    url,
    (sql) => sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
  ) as Effect.Effect<[{ readonly pid: number }]>
  return {
    engine: [engine],
    PostgreSQL: serverOf(pid),
    Asterisk: [asterisk],
    SIPp: childrenOf(process.pid).filter((child) => nameOf(child) === "sipp"),
    "the load": [process.pid]
  }
})

/** Asterisk, its carrier, and an engine. */
const makeWorld = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const pbx = yield* makePbxFor({ legs: 2_000 })
  const load = yield* makePbxLoad(pbx.asterisk.settings["ARI_URL"]!)
  const data_dir = yield* folder
  const settings = { ...pbx.asterisk.settings, ARI_URL: load.ari_url, LOG_LEVEL: "error" }
  yield* Effect.scoped(program(url, data_dir, port, { settings }))
  yield* enrich(url)
  const { demo, pid } = yield* program(url, data_dir, port, { settings })
  const caller: Caller = { port, api_key: demo.api_key, from: demo.number.number }
  yield* load.run(caller, 20, 3)
  yield* drained(url, pbx)
  return { pbx, load, caller, engine: pid, pids: yield* pidsOf(url, pbx, pid) }
})
type World = Effect.Success<ReturnType<typeof makeWorld>>

const waits = (name: string, values: ReadonlyArray<number>): ReadonlyArray<BenchRow> =>
  [0.5, 0.95, 0.99].map((share) => ({
    name: `… ${name}, p${share * 100}`,
    value: percentile(values, share),
    unit: "ms"
  }))

const atRate = ({ caller, load, pbx, pids }: World, url: Redacted.Redacted, rate: number, seconds: number) =>
  Effect.gen(function* () {
    const before = yield* countsOf(url)
    const cpu = Object.entries(pids).map(([name, of]) => ({ name, of, spent: cpuSeconds(of) }))
    const calls = yield* load.run(caller, rate, seconds)
    const { over } = yield* drained(url, pbx)
    const shares = cpu.map(({ name, of, spent }) => ({
      name: `… CPU of ${name}`,
      value: ((cpuSeconds(of) - spent) * 1_000) / calls.length,
      unit: "ms a call"
    }))
    const unasked = calls.filter(({ questioned }) => questioned === undefined).length
    const lost = Math.max(unasked, calls.length - (over - before.over))
    if (lost > 0) yield* Console.log(`  pbx: not every call was carried through: ${yield* ends(url)}`)
    const heard = load.steps()
    const rows: ReadonlyArray<BenchRow> = [
      {
        name: `${rate} calls a second by SIP for ${seconds} s: failed`,
        value: lost,
        unit: "calls",
        goal: { most: 0 }
      },
      ...waits(
        "from the request to Asterisk being asked",
        heard.map(({ invited = Number.NaN, requested }) => invited - requested)
      ),
      ...waits(
        "from the answer being told to the callback",
        heard.map(({ answered = Number.NaN, questioned = Number.NaN }) => questioned - answered)
      ),
      ...shares
    ]
    return rows
  })

const isThere = Effect.sync(() => existsSync(asterisk_binary))
const leftOut = Effect.as(
  Console.log("  pbx: left out, because there is no Asterisk here: scripts/e2e/install fetches one"),
  [] as ReadonlyArray<BenchRow>
)

const whereThereIsOne = <E, R>(bench: Effect.Effect<ReadonlyArray<BenchRow>, E, R>) =>
  Effect.flatMap(isThere, (there) => (there ? bench : leftOut))

export const pbxBench = ({ rates, seconds, url }: Options) =>
  whereThereIsOne(
    Effect.scoped(
      Effect.gen(function* () {
        const world = yield* makeWorld(url)
        const rows = yield* Effect.forEach(rates, (rate) => atRate(world, url, rate, seconds))
        const memory = (name: "engine" | "Asterisk"): BenchRow => ({
          name: `memory of ${name} after that`,
          value: memoryMib(world.pids[name][0]!),
          unit: "MiB"
        })
        return [...rows.flat(), memory("engine"), memory("Asterisk")]
      })
    )
  )

/** Many calls, and what they leave behind: files, memory, channels. */
export const soakBench = ({ rates: [rate = 50], seconds, url }: Options) =>
  whereThereIsOne(
    Effect.scoped(
      Effect.gen(function* () {
        const world = yield* makeWorld(url)
        const [asterisk, engine] = [world.pids.Asterisk[0]!, world.pids.engine[0]!]
        const files = () => [openFiles(engine), openFiles(asterisk)] as const
        const before = files()
        const rounds = yield* Effect.forEach([1, 2, 3, 4], (round) =>
          Effect.map(atRate(world, url, rate, seconds / 4), ([lost]): ReadonlyArray<BenchRow> => [
            {
              ...lost!,
              name: `calls ${((round - 1) * rate * seconds) / 4} to ${(round * rate * seconds) / 4}, ${rate} a second: lost`
            },
            { name: "… memory of the engine", value: memoryMib(engine), unit: "MiB" },
            { name: "… memory of Asterisk", value: memoryMib(asterisk), unit: "MiB" }
          ])
        )
        yield* Effect.sleep("15 seconds")
        const after = files()
        return [
          ...rounds.flat(),
          { name: "files of the engine that stay open", value: after[0] - before[0], unit: "" },
          { name: "files of Asterisk that stay open", value: after[1] - before[1], unit: "" }
        ]
      })
    )
  )
