// Tells the in-memory caches of this process which rows changed. Uses one LISTEN connection (PostgreSQL NOTIFY).
import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Queue, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import type { SqlError } from "effect/sql"

const channel = "trunkline_changes"

/** Kind of a notice that only says how far the feed has come. */
const mark = "mark"
/** If a mark does not come back within this time, its sender goes on. */
const patience = "1 second"

/** Delay before a lost connection is opened again. */
const reconnectSchedule = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

export interface Listener {
  /** The connection is up. Changes that happened before may have been missed. */
  readonly connected: Effect.Effect<void, SqlError.SqlError>
  /**
   * A row changed. `what` names the kind and `of` its arguments: `workspace <id>`, `pbx <tenant>`,
   * `number <workspace> <e164>`, `rates`, `revoked <key>`.
   */
  readonly changed: (what: string, ...of: ReadonlyArray<string>) => void
}

export class ChangeFeed extends Context.Service<
  ChangeFeed,
  {
    /** False while the connection is down: cached values may be stale. */
    readonly listening: () => boolean
    /** Runs `connected` now, and again after each reconnection before any change is delivered. */
    readonly subscribe: (listener: Listener) => Effect.Effect<void, SqlError.SqlError>
    /** Returns once the changes that were committed before are delivered, or after a second. */
    readonly caughtUp: Effect.Effect<void>
  }
>()("trunkline/layers/postgres/ChangeFeed") {
  static readonly layer: Layer.Layer<ChangeFeed, never, PgClient.PgClient> = Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const listeners: Array<Listener> = []
      const first = yield* Deferred.make<void>()
      const marks = new Map<string, Deferred.Deferred<void>>()
      let listening = false

      const listen = Effect.gen(function* () {
        const notifications = yield* sql.listen(channel)
        for (const { connected } of listeners) yield* connected
        listening = true
        yield* Deferred.succeed(first, undefined)
        while (true) {
          const { payload } = yield* Queue.take(notifications)
          const [what = "", ...of] = payload.split(" ")
          const marked = what === mark ? marks.get(of.join(" ")) : undefined
          if (marked !== undefined) yield* Deferred.succeed(marked, undefined)
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
          Effect.logWarning("Lost the connection that listens for changes; reconnecting", error.message)
        ),
        Effect.retry(reconnectSchedule)
      )

      yield* Effect.forkScoped(listen)
      yield* Deferred.await(first)
      return ChangeFeed.of({
        listening: () => listening,
        subscribe: (listener) =>
          Effect.suspend(() => {
            listeners.push(listener)
            return listener.connected
          }),
        // PostgreSQL delivers notifications in the order of the commits, so those before the mark have come with it.
        caughtUp: Effect.gen(function* () {
          if (!listening) return
          const id = randomUUID()
          const marked = yield* Deferred.make<void>()
          marks.set(id, marked)
          yield* Effect.andThen(sql.notify(channel, `${mark} ${id}`), Deferred.await(marked)).pipe(
            Effect.timeout(patience),
            Effect.ignore,
            Effect.ensuring(Effect.sync(() => marks.delete(id)))
          )
        })
      })
    })
  )
}
