// Writes when a key or a session was last used, at most a minute late and in one statement. No request waits for it.
import { Clock, Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"

const writeInterval = "1 minute"
/** How long a stop waits for the last write. */
const stopTimeout = "1 second"

/**
 * `update` stores the times; `times[i]` belongs to `ids[i]`. Returns a function that records that an id was used now.
 * `what` names the ids in log lines.
 */
export const makeLastUse = Effect.fnUntraced(function* (
  what: string,
  update: (ids: ReadonlyArray<string>, times: ReadonlyArray<Date>) => Effect.Effect<unknown, SqlError.SqlError>
) {
  const clock = yield* Clock.Clock
  let used = new Map<string, number>()

  /** Times that could not be written are written with the next batch. */
  const write = Effect.suspend(() => {
    if (used.size === 0) return Effect.void
    const writing = used
    used = new Map()
    return update(
      [...writing.keys()],
      Array.from(writing.values(), (at) => new Date(at))
    ).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          used = new Map([...writing, ...used])
        })
      ),
      Effect.catch((error) =>
        Effect.logWarning(`Writing the last use of ${what} failed; retrying with the next batch`, error)
      )
    )
  })

  yield* Effect.addFinalizer(() => Effect.timeoutOption(write, stopTimeout))
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(write, Schedule.spaced(writeInterval)), writeInterval))
  return (id: string): void => void used.set(id, clock.currentTimeMillisUnsafe())
})
