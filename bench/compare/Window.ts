// One window: what an engine and its database used while it was loaded.
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Load } from "../LoadClient.ts"
import { familyOf, ranFor_us } from "../Processes.ts"
import type { Engine } from "./Engine.ts"
import type { Figures } from "./Metrics.ts"

/** What comes after the last response, such as the acknowledgement of a command, is part of its cost. */
const afterwards = "50 millis"

const reading = (engine: Engine) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const engine_us = ranFor_us(familyOf(engine.pid))
    const { allocated_bytes } = yield* engine.heap("heap")
    const backends = yield* sql<{ readonly pid: number }>`
      SELECT pid FROM pg_stat_activity WHERE datname = ${engine.name} AND backend_type = 'client backend'`
    const postgres_us = ranFor_us(backends.map(({ pid }) => pid))
    // The position is exact at once; the statistics of WAL are not flushed within a window.
    const [wal] = yield* sql<{ readonly bytes: number }>`
      SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`
    return { engine_us, postgres_us, allocated_bytes, wal_bytes: wal!.bytes }
  })

/** The figures of a load with so many results, for each of them. */
export const windowOf = (engine: Engine, results: number, run: Effect.Effect<Load>) =>
  Effect.gen(function* () {
    const before = yield* reading(engine)
    const { p50_ms, p99_ms } = yield* run
    yield* engine.phones.heard
    yield* Effect.sleep(afterwards)
    const after = yield* reading(engine)
    return {
      "engine CPU": (after.engine_us - before.engine_us) / results,
      "PostgreSQL CPU": (after.postgres_us - before.postgres_us) / results,
      allocated: (after.allocated_bytes - before.allocated_bytes) / results / 1_024,
      WAL: (after.wal_bytes - before.wal_bytes) / results,
      p50: p50_ms,
      p99: p99_ms
    } satisfies Figures
  })
