// Answers of the database kept in memory for as long as nothing has changed under them.
import { Clock, Deferred, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"

/** The last defence, should a change go unheard. */
const max_age_ms = 60_000
/** What is not there is remembered as well, and callers choose what to ask for: so there is an end to it. */
const max_entries = 100_000

interface Entry<A> {
  readonly value: A
  readonly expires_at: number
}

export interface ReadThroughCache<A> {
  readonly get: (key: string) => Effect.Effect<A, SqlError.SqlError>
  readonly forget: (key: string) => void
  readonly forgetAll: () => void
}

/**
 * Who asks while the answer is on its way waits for that one, and is answered in turn. An answer of `load` is kept only
 * if nothing was forgotten while it was on its way: it may be from before the change. When `load` fails and an older
 * answer is there, that is given.
 */
export const readThroughCache = <A>(
  trusted: () => boolean,
  load: (key: string) => Effect.Effect<A, SqlError.SqlError>
): ReadThroughCache<A> => {
  const entries = new Map<string, Entry<A>>()
  const underway = new Map<string, Deferred.Deferred<A, SqlError.SqlError>>()
  let revision = 0

  const keep = (key: string, value: A, now: number): void => {
    if (entries.size >= max_entries) entries.clear()
    entries.set(key, { value, expires_at: now + max_age_ms })
  }

  const loaded = (key: string, now: number) =>
    Effect.suspend(() => {
      const started = revision
      return Effect.matchEffect(forEverybody(load(key)), {
        onSuccess: (value) => {
          if (started === revision && trusted()) keep(key, value, now)
          return Effect.succeed(value)
        },
        onFailure: (error): Effect.Effect<A, SqlError.SqlError> => {
          const older = entries.get(key)
          return older === undefined ? Effect.fail(error) : Effect.succeed(older.value)
        }
      })
    })

  /** On a fiber of its own: whoever asked first may go away. */
  const shared = (key: string, now: number): Effect.Effect<A, SqlError.SqlError> =>
    Effect.suspend(() => {
      const asked = underway.get(key)
      if (asked !== undefined) return Deferred.await(asked)
      const answer = Deferred.makeUnsafe<A, SqlError.SqlError>()
      underway.set(key, answer)
      const asking = Effect.onExit(loaded(key, now), (exit) =>
        Effect.sync(() => {
          if (underway.get(key) === answer) underway.delete(key)
          Deferred.doneUnsafe(answer, exit)
        })
      )
      return Effect.andThen(Effect.forkDetach(asking, { startImmediately: true }), Deferred.await(answer))
    })

  return {
    get: (key) =>
      Clock.clockWith((clock): Effect.Effect<A, SqlError.SqlError> => {
        const now = clock.currentTimeMillisUnsafe()
        const entry = entries.get(key)
        return entry !== undefined && entry.expires_at > now && trusted()
          ? Effect.succeed(entry.value)
          : shared(key, now)
      }),
    forget: (key) => {
      revision++
      entries.delete(key)
      underway.delete(key)
    },
    forgetAll: () => {
      revision++
      entries.clear()
      underway.clear()
    }
  }
}
