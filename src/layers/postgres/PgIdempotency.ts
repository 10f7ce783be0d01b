// Kept answers. Requests that ask at the same moment share one statement, as commits share one transaction.
import { hash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Clock, Deferred, Effect, Layer, Queue, Schedule } from "effect"
import { Idempotency, type KeptAnswer } from "../../domain/ports/Idempotency.ts"
import { ReadFailed } from "../../domain/ports/ReadFailed.ts"

const max_batch = 256
const kept_ms = 24 * 3_600_000
/** Rows deleted by one statement, which must not take long. */
const sweep_rows = 5_000
const sweep_pause = "10 minutes"

const lookup = `
SELECT q.n::int AS n, k.fingerprint, k.status, k.body, k.headers
FROM unnest($1::text[]::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS q (workspace_id, method, route, key, n)
JOIN idempotency_keys k USING (workspace_id, method, route, key)`

const columns = ["workspace_id", "method", "route", "key"] as const

interface Asked {
  readonly workspace_id: string
  readonly method: string
  readonly route: string
  readonly key: string
  readonly answer: Deferred.Deferred<KeptAnswer | undefined, ReadFailed>
}

interface FoundRow extends KeptAnswer {
  /** Which of the questions it answers, from 1. */
  readonly n: number
}

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const asked = yield* Queue.unbounded<Asked>()

    const answerAll = (batch: ReadonlyArray<Asked>) =>
      Effect.matchCauseEffect(sql.unsafe<FoundRow>(lookup, columns.map((column) => batch.map((row) => row[column]))), {
        onSuccess: (rows) => {
          const found = new Map(rows.map(({ n, ...kept }) => [n, kept]))
          return Effect.forEach(batch, ({ answer }, index) => Deferred.succeed(answer, found.get(index + 1)), { discard: true })
        },
        onFailure: (cause) =>
          Effect.forEach(batch, ({ answer }) => Deferred.fail(answer, new ReadFailed({ cause })), { discard: true })
      })
    yield* Queue.takeBetween(asked, 1, max_batch).pipe(Effect.flatMap(answerAll), Effect.forever, Effect.forkScoped)

    const sweep = Effect.gen(function*() {
      const before = new Date((yield* Clock.currentTimeMillis) - kept_ms)
      let deleted = sweep_rows
      while (deleted === sweep_rows) {
        const rows = yield* sql`
          DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${sweep_rows}
          )) RETURNING 1`
        deleted = rows.length
      }
    })
    yield* sweep.pipe(
      Effect.catch((error) => Effect.logWarning("Kept answers could not be swept; they will be", error.message)),
      Effect.repeat(Schedule.spaced(sweep_pause)),
      Effect.forkScoped
    )

    return Idempotency.of({
      fingerprint: (text) => hash("sha256", text, "hex"),
      find: ({ key, method, route, workspace_id }) =>
        Effect.gen(function*() {
          const answer = yield* Deferred.make<KeptAnswer | undefined, ReadFailed>()
          yield* Queue.offer(asked, { workspace_id, method, route, key, answer })
          return yield* Deferred.await(answer)
        })
    })
  })
)
