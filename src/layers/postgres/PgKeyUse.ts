// `api_keys.last_used_at`, at most a minute late: no request waits for it, and a busy key costs no more than an idle one.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { KeyUse } from "../../domain/ports/KeyUse.ts"

const interval = "1 minute"
/** How long a stop waits for a database that does not answer. */
const patience = "1 second"

export const layer = Layer.effect(
  KeyUse,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const clock = yield* Clock.Clock
    let used = new Map<string, number>()

    const update = (uses: ReadonlyMap<string, number>) => {
      const ids = [...uses.keys()]
      const times = Array.from(uses.values(), (at) => new Date(at))
      return sql`
        UPDATE api_keys SET last_used_at = greatest(last_used_at, u.at)
        FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE api_keys.id = u.id`
    }
    /** What is not written, be it that the engine stops in the middle, is written with what comes next. */
    const write = Effect.suspend(() => {
      if (used.size === 0) return Effect.void
      const writing = used
      used = new Map()
      return update(writing).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            used = new Map([...writing, ...used])
          })),
        Effect.catch((error) => Effect.logWarning("The last use of API keys was not written", error))
      )
    })

    yield* Effect.addFinalizer(() => Effect.timeoutOption(write, patience))
    yield* Effect.forkScoped(Effect.delay(Effect.repeat(write, Schedule.spaced(interval)), interval))
    return KeyUse.of({ used: (key_id) => void used.set(key_id, clock.currentTimeMillisUnsafe()) })
  })
)
