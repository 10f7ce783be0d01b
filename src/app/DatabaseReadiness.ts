// Whether the engine can serve: it asks its database and its actors.
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ActorSystem } from "../actors/runtime/ActorSystem.ts"
import { Readiness } from "../http/server/Readiness.ts"
import { makeSharedRuns } from "../layers/postgres/cache/SharedRuns.ts"

/** The row that is written to see whether the database takes writes. No batch has this id. */
const readinessId = "00000000-0000-0000-0000-000000000000"

/** Ready while the database takes writes and the actors answer. */
export const ready = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const system = yield* ActorSystem
    const write = Effect.flatMap(
      Clock.currentTimeMillis,
      (
        now
      ) => sql`INSERT INTO journal_batches (id, status, written_at) VALUES (${readinessId}, 'void', ${new Date(now)})
        ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`
    )
    const check = write.pipe(
      Effect.andThen(system.resident),
      Effect.timeout("2 seconds"),
      Effect.match({ onFailure: () => false, onSuccess: () => true })
    )
    const shared = yield* makeSharedRuns<boolean, never>()
    let known = { at: Number.NEGATIVE_INFINITY, ready: false }
    // Anybody may ask, so the database is asked once a second at most.
    return Readiness.of({
      check: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - known.at < 1_000
          ? Effect.succeed(known.ready)
          : shared(
              "",
              Effect.tap(check, (ready) => Effect.sync(() => (known = { at: now, ready })))
            )
      )
    })
  })
)
