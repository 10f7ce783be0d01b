// What is kept for how long: monthly partitions of the logs, so that old months are dropped and not deleted, and the audit
// log. UTC, as everything stored.
import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

const logs = ["events", "deliveries"]

/** This month and the two that follow. */
const monthsAhead = 3

interface Partition {
  readonly name: string
  readonly statement: string
}

const monthStart = (now: number, months: number): Date => {
  const today = new Date(now)
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
}

const partitionsAt = (now: number): ReadonlyArray<Partition> =>
  Array.from(
    { length: monthsAhead },
    (_, month) => [monthStart(now, month), monthStart(now, month + 1)] as const
  ).flatMap(([from, to]) =>
    logs.map((log) => {
      const name = `${log}_${from.toISOString().slice(0, 7).replace("-", "_")}`
      const range = `FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`
      return { name, statement: `CREATE TABLE ${name} PARTITION OF ${log} FOR VALUES ${range}` }
    })
  )

/** Engines that start together create a partition once. "trunkpar" as a number. */
const lock = 0x7472_756e_6b70_6172n

/**
 * Creates the partitions that are missing. One that cannot be created, because the default partition has rows of its
 * month, is reported and left out: the default partition goes on taking them.
 */
export const createPartitions: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const wanted = partitionsAt(yield* Clock.currentTimeMillis)
  const isMissing = Effect.fnUntraced(function* ({ name }: Partition) {
    const [row] = yield* sql<{ readonly missing: boolean }>`SELECT to_regclass(${name}) IS NULL AS missing`
    return row?.missing === true
  })
  const create = (partition: Partition) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${lock})`
          if (yield* isMissing(partition)) yield* sql.unsafe(partition.statement)
        })
      )
      .pipe(Effect.catch((error) => Effect.logWarning(`Partition ${partition.name} was not created`, error)))
  yield* Effect.forEach(yield* Effect.filter(wanted, isMissing), create, { discard: true })
})

/** For how long the audit log is kept (docs/audit.md). */
const audit_kept_ms = 400 * 86_400_000

/** What the audit log has kept long enough. The log itself refuses to lose anything younger. */
export const dropOldAudit: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`DELETE FROM audit_entries WHERE created_at < ${new Date(now - audit_kept_ms)}`
})

/** Before the engine writes, and every day. Nothing of it ever stops the engine. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const attempt = Effect.andThen(createPartitions, dropOldAudit).pipe(
      Effect.catch((error) => Effect.logWarning("Partitions and old logs were not looked after", error))
    )
    yield* attempt
    yield* Effect.forkScoped(attempt.pipe(Effect.delay("1 day"), Effect.repeat(Schedule.forever)))
  })
)
