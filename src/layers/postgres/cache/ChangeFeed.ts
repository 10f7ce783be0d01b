// Hears what changes in the database under what is kept in memory of it: one LISTEN connection for a process.
import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Queue, Schedule } from "effect"
import type { SqlError } from "effect/sql"

const channel = "trunkline_changes"

/** How soon a lost connection is tried again. */
const again = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

export interface Listener {
  /** From here on changes are heard; those before may have been missed. */
  readonly connected: Effect.Effect<void, SqlError.SqlError>
  /** `what` is a word and its arguments: `workspace <id>`, `pbx <tenant>`, `number <workspace> <e164>`, `rates`, `revoked <key>`. */
  readonly changed: (what: string, ...of: ReadonlyArray<string>) => void
}

export class ChangeFeed extends Context.Service<
  ChangeFeed,
  {
    /** While it is false, nothing in memory can be trusted to be fresh. */
    readonly listening: () => boolean
    /** Runs `connected` once now, and after each new connection before anything else is heard. */
    readonly subscribe: (listener: Listener) => Effect.Effect<void, SqlError.SqlError>
  }
>()("trunkline/layers/postgres/ChangeFeed") {
  static readonly layer: Layer.Layer<ChangeFeed, never, PgClient.PgClient> = Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const listeners: Array<Listener> = []
      const first = yield* Deferred.make<void>()
      let listening = false

      const hear = Effect.gen(function* () {
        const notifications = yield* sql.listen(channel)
        for (const { connected } of listeners) yield* connected
        listening = true
        yield* Deferred.succeed(first, undefined)
        while (true) {
          const { payload } = yield* Queue.take(notifications)
          const [what = "", ...of] = payload.split(" ")
          for (const { changed } of listeners) changed(what, ...of)
        }
      }).pipe(
        Effect.scoped,
        Effect.ensuring(
          Effect.sync(() => {
            listening = false
          })
        ),
        Effect.tapError((error) =>
          Effect.logWarning("Changes in the database are not heard until it is back", error.message)
        ),
        Effect.retry(again)
      )

      yield* Effect.forkScoped(hear)
      yield* Deferred.await(first)
      return ChangeFeed.of({
        listening: () => listening,
        subscribe: (listener) =>
          Effect.suspend(() => {
            listeners.push(listener)
            return listener.connected
          })
      })
    })
  )
}
