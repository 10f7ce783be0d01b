// The journal on PostgreSQL: one writer with its own connection, and reads through the pool.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer } from "effect"
import { Journal } from "../../../domain/ports/engine/Journal.ts"
import { JournalBacklog } from "../../../domain/ports/engine/JournalBacklog.ts"
import { makeReads } from "./JournalReads.ts"
import type { SessionFailure } from "./JournalSession.ts"
import { JournalWriter } from "./JournalWriter.ts"
import { openSession } from "./PgJournalSession.ts"

/**
 * Entries appended before the layer closes are still written; later ones are refused. Batches of a shape have their own
 * statement from number `often` on.
 */
export const layerWith = (often: number): Layer.Layer<Journal | JournalBacklog, SessionFailure, PgClient.PgClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const session = yield* openSession(sql.config, often)
      const writer = new JournalWriter(session, yield* Effect.clockWith(Effect.succeed))
      const fiber = yield* Effect.forkScoped(writer.run)
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          writer.close()
          return Fiber.await(fiber)
        })
      )
      const { append, appendTied, backlog, onFanOut, wait } = writer
      return Context.make(Journal, { append, appendTied, onFanOut, ...(yield* makeReads(sql)) }).pipe(
        Context.add(JournalBacklog, { read: backlog, wait })
      )
    })
  )

/** Planning a statement costs as much as some batches, so that rare shapes have none. */
export const layer = layerWith(8)
