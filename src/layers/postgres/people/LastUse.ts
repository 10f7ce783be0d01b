// When things were last used, at most a minute late: no request waits for it, and what is busy costs no more than what is idle.
import { Clock, Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"

const interval = "1 minute"
/** How long a stop waits for a database that does not answer. */
const patience = "1 second"

/** `update` writes the times, each of which stands beside its id. The result notes that an id is being used. */
export const makeLastUse = Effect.fnUntraced(function* (
  what: string,
  update: (ids: ReadonlyArray<string>, times: ReadonlyArray<Date>) => Effect.Effect<unknown, SqlError.SqlError>
) {
  const clock = yield* Clock.Clock
  let used = new Map<string, number>()

  /** What is not written, be it that the engine stops in the middle, is written with what comes next. */
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
      Effect.catch((error) => Effect.logWarning(`The last use of ${what} was not written`, error))
    )
  })

  yield* Effect.addFinalizer(() => Effect.timeoutOption(write, patience))
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(write, Schedule.spaced(interval)), interval))
  return (id: string): void => void used.set(id, clock.currentTimeMillisUnsafe())
})
