// Postings a second on one shared wallet and on a thousand, through their actors and the journal, compared with the
// same rows in one transaction each, as an application without actors would write them. Then the cost of a hold while
// many dials ring.
import { WalletCommands } from "../src/domain/wallet/WalletCommand.ts"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { ActorSystem } from "../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../src/actors/runtime/LocalSystem.ts"
import * as PerformWallet from "../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../src/actors/wallet/WalletOwner.ts"
import { systemOrigin } from "../src/domain/access/Origin.ts"
import * as SystemIds from "../src/layers/ids/SystemIds.ts"
import * as PgCharges from "../src/layers/postgres/reads/Charges.ts"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { checkInvariants } from "../src/layers/postgres/checks/Invariants.ts"
import * as PostgresJournal from "../src/layers/postgres/journal/Journal.ts"
import { migrate } from "../src/layers/postgres/migrations/Migrations.ts"
import { dial, openDialsBench } from "./OpenDials.ts"
import { type BenchRow, median } from "./Row.ts"
import type { WorkspaceId } from "../src/domain/BrandedIds.ts"
import { workspaceId } from "../test/support/Ids.ts"

const many = 1_000
/** Number of concurrent callers. */
const lanes = 256
const connections = 32
const money_minor = 1_000_000_000_000
/** Dials that ring in one wallet when an engine reads it. */
const ringing = 5_000

/** Ordered by time, like the engine's. */
const uuid = (): string => {
  const time = Date.now().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const movement = () => ({
  entry_id: uuid(),
  amount_minor: 1,
  reference_type: "number",
  reference_id: uuid(),
  description: "Bench",
  origin: systemOrigin
})

/** An open wallet with enough money. */
const open = (ids: ReadonlyArray<WorkspaceId>) =>
  Effect.flatMap(ActorSystem, (system) =>
    Effect.forEach(
      ids,
      (id) =>
        Effect.andThen(
          system.ask(WalletCommands.Open, id, { currency: "KES" }),
          system.ask(WalletCommands.Credit, id, { kind: "topup", ...movement(), amount_minor: money_minor })
        ),
      { concurrency: 64, discard: true }
    )
  )

const throughActors = (ids: ReadonlyArray<WorkspaceId>, duration_ms: number) =>
  Effect.flatMap(ActorSystem, (system) =>
    perSecond(lanes, duration_ms, (n) =>
      system.ask(WalletCommands.Debit, ids[n % ids.length]!, {
        kind: "number_rental",
        may_overdraw: false,
        ...movement()
      })
    )
  )

const inTransactions = (ids: ReadonlyArray<WorkspaceId>, duration_ms: number) =>
  Effect.flatMap(PgClient.PgClient, (sql) =>
    perSecond(connections, duration_ms, (n) => {
      const id = ids[n % ids.length]!
      const { description, entry_id, reference_id, reference_type } = movement()
      return sql.withTransaction(
        Effect.gen(function* () {
          const [wallet] = yield* sql<{ readonly balance_minor: bigint }>`
          UPDATE wallets SET version = version + 1, balance_minor = balance_minor - 1, updated_at = now()
          WHERE workspace_id = ${id} AND balance_minor - held_minor >= 1 RETURNING balance_minor`
          yield* sql`
          INSERT INTO ledger_entries (id, workspace_id, kind, amount_minor, balance_after_minor, currency, reference_type, reference_id,
            description, created_at, actor, metadata)
          VALUES (${entry_id}, ${id}, 'number_rental', -1, ${wallet!.balance_minor}, 'KES', ${reference_type}, ${reference_id}, ${description}, now(),
            '{"type":"system"}', '{}')`
          yield* sql`INSERT INTO ledger_lines VALUES (${entry_id}, ${`workspace:${id}:cash`}, -1), (${entry_id}, 'revenue:rental', 1)`
        })
      )
    })
  )

/** So many dials ring in an open wallet with money. Its workspace is stored: so many legs are alerted and audited. */
const ring = (id: WorkspaceId, dials: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const workspace = {
      id,
      gateway_id: "default",
      name: id,
      tenant_pbx_id: id,
      voice_secret: "",
      created_at: new Date()
    }
    yield* sql`INSERT INTO workspaces ${sql.insert(workspace)}`
    const system = yield* ActorSystem
    yield* Effect.forEach(
      Array.from({ length: dials }, () => dial(uuid())),
      (hold) => system.ask(WalletCommands.PlaceHold, id, hold),
      { concurrency: 256, discard: true }
    )
  })

/** Reads the wallet in a new engine: how long its answer takes, and how long the event loop stands still meanwhile. */
const readAgain = (id: WorkspaceId, dials: number) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const began = performance.now()
    delay.enable()
    yield* system.ask(WalletCommands.ShowAutoTopUp, id, {})
    yield* Effect.sleep("5 millis")
    delay.disable()
    const taken_ms = performance.now() - began - 5
    return [
      { name: `the first answer of a wallet while ${dials} dials ring`, value: taken_ms, unit: "ms" },
      { name: "its longest block of the event loop", value: delay.max / 1e6, unit: "ms", goal: { most: 50 } }
    ] satisfies ReadonlyArray<BenchRow>
  })

/** How often `one` runs per second with this concurrency. */
const perSecond = <E, R>(at_once: number, duration_ms: number, one: (n: number) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    let count = 0
    const lane = Effect.gen(function* () {
      while (performance.now() - start < duration_ms) yield* one(count++)
    })
    yield* Effect.forEach(Array.from({ length: at_once }), () => lane, { concurrency: "unbounded", discard: true })
    return count / ((performance.now() - start) / 1_000)
  })

export interface WalletBenchOptions {
  readonly url: Redacted.Redacted
  readonly duration_ms: number
  readonly rounds: number
}

export const walletBench = ({ duration_ms, rounds, url }: WalletBenchOptions) =>
  Effect.gen(function* () {
    yield* migrate()
    const ids = Array.from({ length: many }, () => workspaceId(uuid()))
    const engine = PerformWallet.layer
      .pipe(Layer.provide(WalletOwner.none))
      .pipe(
        Layer.provideMerge(LocalSystem.layer),
        Layer.provide([PostgresJournal.layer, PgCharges.layer, SystemIds.layer])
      )
    const rates = new Map<string, Array<number>>()
    const measure = <E, R>(name: string, run: Effect.Effect<number, E, R>) =>
      Effect.map(run, (rate) => void rates.set(name, [...(rates.get(name) ?? []), rate]))
    const actors = (name: string, of: ReadonlyArray<WorkspaceId>) => measure(name, throughActors(of, duration_ms))
    yield* Effect.provide(open(ids), engine)
    for (let round = 0; round < rounds; round++) {
      yield* Effect.provide(actors("postings to one wallet", ids.slice(0, 1)), Layer.fresh(engine))
      yield* Effect.provide(actors(`postings to ${many} wallets`, ids), Layer.fresh(engine))
    }
    const busy = ids.slice(1, 2)
    yield* Effect.provide(
      Effect.forEach(busy, (id) => ring(id, ringing)),
      Layer.fresh(engine)
    )
    const read = yield* Effect.forEach(busy, (id) => Effect.provide(readAgain(id, ringing), Layer.fresh(engine)))
    const breaches = (yield* checkInvariants).filter(({ count }) => count > 0)
    if (breaches.length > 0) return yield* Effect.die(new Error(`The books are broken: ${JSON.stringify(breaches)}`))
    for (let round = 0; round < rounds; round++) {
      yield* measure("one wallet, a transaction each", inTransactions(ids.slice(0, 1), duration_ms))
      yield* measure(`${many} wallets, a transaction each`, inTransactions(ids, duration_ms))
    }
    const rows = [...rates].map(([name, values]): BenchRow => ({ name, value: median(values), unit: "/s" }))
    const valueOf = (index: number) => rows[index]!.value
    return [
      ...rows,
      { name: "one hot wallet, relative to one transaction each", value: valueOf(0) / valueOf(2), unit: "times" },
      { name: "many wallets, relative to one transaction each", value: valueOf(1) / valueOf(3), unit: "times" },
      { name: "one hot wallet, relative to many", value: valueOf(0) / valueOf(1), unit: "x" },
      ...openDialsBench({ uuid, duration_ms }, workspaceId(uuid())),
      ...read.flat()
    ] satisfies ReadonlyArray<BenchRow>
  }).pipe(Effect.provide(Layer.fresh(Database.layer({ url, connections }))))
