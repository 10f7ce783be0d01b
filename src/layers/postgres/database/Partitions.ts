// Retention. The logs have monthly partitions (UTC), so that an old month is dropped at once. Old audit rows are
// deleted.
import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

const logs = ["events", "deliveries", "call_trail"]

/** Partitions exist for this month and the next two. */
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

/** Advisory lock ("trunkpar" as a number), so that engines that start together create a partition once. */
const partitionLock = 0x7472_756e_6b70_6172n

/**
 * Creates missing partitions. A partition cannot be created while the default partition holds rows of its month. Then
 * a warning is logged, and the default partition keeps taking those rows.
 */
export const createPartitions: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const partitions = partitionsAt(yield* Clock.currentTimeMillis)
  const isMissing = Effect.fnUntraced(function* ({ name }: Partition) {
    const [row] = yield* sql<{ readonly missing: boolean }>`SELECT to_regclass(${name}) IS NULL AS missing`
    return row?.missing === true
  })
  const create = (partition: Partition) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${partitionLock})`
          if (yield* isMissing(partition)) yield* sql.unsafe(partition.statement)
        })
      )
      .pipe(
        Effect.catch((error) =>
          Effect.logWarning(
            `Creating the partition ${partition.name} failed; the default partition takes its rows`,
            error
          )
        )
      )
  yield* Effect.forEach(yield* Effect.filter(partitions, isMissing), create, { discard: true })
})

/** Retention of the audit log (docs/audit.md). */
const auditRetention_ms = 400 * 86_400_000

/** Deletes audit rows past their retention. A trigger refuses to delete younger rows. */
export const dropOldAudit: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`DELETE FROM audit_entries WHERE created_at < ${new Date(now - auditRetention_ms)}`
})

/** Runs once at the start and then daily. A failure is logged and never stops the engine. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const attempt = Effect.andThen(createPartitions, dropOldAudit).pipe(
      Effect.catch((error) =>
        Effect.logWarning("Creating partitions or deleting old audit rows failed; retrying in a day", error)
      )
    )
    yield* attempt
    yield* Effect.forkScoped(attempt.pipe(Effect.delay("1 day"), Effect.repeat(Schedule.forever)))
  })
)
