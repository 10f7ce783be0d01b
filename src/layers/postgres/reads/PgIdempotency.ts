// Stored responses of requests that carried an Idempotency-Key.
import { hash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { IdempotentRequest, KeptAnswer } from "../../../domain/idempotency/IdempotentRequest.ts"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { Idempotency } from "../../../domain/ports/access/Idempotency.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { notCommitted, writeAnswer } from "../database/AnswerWrites.ts"
import { batchedReads } from "../cache/BatchedReads.ts"

const max_batch = 256
const kept_ms = 24 * 3_600_000
/** Rows that one DELETE removes, so that no statement takes long. */
const sweepRows = 5_000
const sweep_pause = "10 minutes"

const lookup = `
SELECT q.n::int AS n, k.fingerprint, k.status, k.body, k.headers
FROM unnest($1::text[]::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS q (workspace_id, method, route, key, n)
JOIN idempotency_keys k USING (workspace_id, method, route, key)`

const columns = ["workspace_id", "method", "route", "key"] as const

type Question = Omit<IdempotentRequest, "fingerprint">

interface FoundRow extends KeptAnswer {
  /** Index of the question that it answers, from 1. */
  readonly n: number
}

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const find = yield* batchedReads({ max_batch, lanes: 1 }, (batch: ReadonlyArray<Question>) =>
      sql
        .unsafe<FoundRow>(
          lookup,
          columns.map((column) => batch.map((row) => row[column]))
        )
        .pipe(
          Effect.map((rows) => {
            const found = new Map(rows.map(({ n, ...kept }) => [n, kept]))
            return batch.map((_, index): KeptAnswer | undefined => found.get(index + 1))
          }),
          Effect.mapError((cause) => new ReadFailed({ cause }))
        )
    )

    const sweep = Effect.gen(function* () {
      const before = new Date((yield* Clock.currentTimeMillis) - kept_ms)
      let deleted = sweepRows
      while (deleted === sweepRows) {
        const rows = yield* sql`
          DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${sweepRows}
          )) RETURNING 1`
        deleted = rows.length
      }
    })
    yield* sweep.pipe(
      Effect.catch((error) =>
        Effect.logWarning("Deleting expired idempotency responses failed; retrying later", error.message)
      ),
      Effect.repeat(Schedule.spaced(sweep_pause)),
      Effect.forkScoped
    )

    return Idempotency.of({
      fingerprint: (text) => hash("sha256", text, "hex"),
      find,
      keep: (request, answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (created_at) =>
          forEverybody(writeAnswer({ ...request, ...answer, created_at })).pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.mapError(notCommitted)
          )
        )
    })
  })
)
