import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type ProviderFacts, type ProviderRecord, providerPasswordBound } from "../../../domain/numbers/Provider.ts"
import type { AuditRow, IdempotencyRow } from "../../../domain/journal/Rows.ts"
import { ProviderStore } from "../../../domain/ports/numbers/ProviderStore.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { Vault } from "../../../domain/ports/engine/Vault.ts"
import { notCommitted, writeAnswer } from "../database/AnswerWrites.ts"
import { writeAudit } from "../database/AuditWrites.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

interface Row extends Pick<ProviderRecord, "id" | "name" | "status" | "max_channels" | "max_cps"> {
  readonly host: string
  readonly port: number
  readonly transport: ProviderRecord["sip"]["transport"]
  readonly username: string | null
  readonly password_set: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const recordOf = ({
  created_at,
  host,
  password_set,
  port,
  transport,
  updated_at,
  username,
  ...row
}: Row): ProviderRecord => ({
  ...row,
  sip: { host, port, transport, username, password_set },
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

export const layer = Layer.effect(
  ProviderStore,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const vault = yield* Vault
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const whole = <A, E>(change: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      sql.withTransaction(change).pipe(Effect.provideService(SqlClient.SqlClient, sql))
    const columns = sql.literal(
      "id, name, status, host, port, transport, username, password IS NOT NULL AS password_set, max_channels, max_cps, created_at, updated_at"
    )
    const sealed = (id: string, { password, ...facts }: ProviderFacts) => ({
      ...facts,
      ...(password !== undefined && {
        password: password === null ? null : vault.seal(password, providerPasswordBound(id))
      })
    })

    const write = (
      row: ReturnType<typeof sql<Row>>,
      audit: (after: ProviderRecord) => AuditRow,
      answer: (after: ProviderRecord) => IdempotencyRow | undefined = () => undefined
    ) =>
      whole(
        Effect.gen(function* () {
          const record = recordOf(expectPresent((yield* row)[0], "The written row"))
          yield* writeAudit(audit(record))
          yield* writeAnswer(answer(record))
          return record
        })
      ).pipe(Effect.mapError(notCommitted))

    return ProviderStore.of({
      create: (id, facts, audit, answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const at = new Date(now)
          const row = { ...sealed(id, facts), id, status: "active", created_at: at, updated_at: at }
          return write(sql<Row>`INSERT INTO number_providers ${sql.insert(row)} RETURNING ${columns}`, audit, answer)
        }),
      change: ({ id }, facts, audit) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          write(
            sql<Row>`UPDATE number_providers SET ${sql.update({ ...sealed(id, facts), updated_at: new Date(now) })}
            WHERE id = ${id} RETURNING ${columns}`,
            audit
          )
        ),
      retire: (id, audit) =>
        whole(
          Effect.gen(function* () {
            yield* sql`SELECT FROM number_providers WHERE id = ${id} FOR UPDATE`
            const series = yield* sql`SELECT FROM number_series WHERE provider_id = ${id} AND status = 'active' LIMIT 1`
            if (series.length > 0) return false
            yield* sql`UPDATE number_providers SET status = 'retired', updated_at = ${new Date(audit.created_at)} WHERE id = ${id}`
            yield* writeAudit(audit)
            return true
          })
        ).pipe(Effect.mapError(notCommitted)),
      find: (id) =>
        sql<Row>`SELECT ${columns} FROM number_providers WHERE id = ${id}`.pipe(
          Effect.map(([row]) => row && recordOf(row)),
          failed
        ),
      list: sql<Row>`SELECT ${columns} FROM number_providers ORDER BY created_at DESC, id DESC`.pipe(
        Effect.map((rows) => rows.map(recordOf)),
        failed
      )
    })
  })
)
