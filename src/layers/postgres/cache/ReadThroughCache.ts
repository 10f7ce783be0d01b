// A cache in front of the database. Entries stay until they are invalidated, expire or make room. Effect's Cache has no
// older value for a read that fails, and would serve what it has while no invalidations arrive.
import { Clock, Deferred, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"

/** Bounds how long a missed change notification can matter. */
const max_age_ms = 60_000
/** Misses are cached too, and callers choose the keys, so the size is bounded. */
const max_entries = 100_000

interface Entry<A> {
  readonly value: A
  readonly expires_at: number
}

export interface ReadThroughCache<A> {
  readonly get: (key: string) => Effect.Effect<A, SqlError.SqlError>
  /** Whether `get` answers without a load. */
  readonly has: (key: string, now: number) => boolean
  readonly forget: (key: string) => void
  readonly forgetAll: () => void
}

/** Adds an entry; beyond `capacity`, the oldest make room: a Map lists its keys in the order of their addition. */
const keep = <A>(entries: Map<string, A>, capacity: number, key: string, entry: A): void => {
  entries.delete(key)
  entries.set(key, entry)
  for (const oldest of entries.keys()) {
    if (entries.size <= capacity) return
    entries.delete(oldest)
  }
}

/**
 * `load` reads one key. Concurrent reads of a key share one load. A loaded value is cached only if nothing was
 * invalidated while the load ran, because it may predate the change. If `load` fails and an older value is cached,
 * `get` returns the older value. `trusted` says whether invalidations arrive; while it is false nothing is cached.
 * Beyond `capacity` entries, the one that was loaded longest ago makes room.
 */
export const readThroughCache = <A>(
  trusted: () => boolean,
  load: (key: string) => Effect.Effect<A, SqlError.SqlError>,
  capacity = max_entries
): ReadThroughCache<A> => {
  const entries = new Map<string, Entry<A>>()
  const underway = new Map<string, Deferred.Deferred<A, SqlError.SqlError>>()
  let revision = 0

  const loaded = (key: string, now: number) =>
    Effect.suspend(() => {
      const started = revision
      return Effect.matchEffect(forEverybody(load(key)), {
        onSuccess: (value) => {
          if (started === revision && trusted()) keep(entries, capacity, key, { value, expires_at: now + max_age_ms })
          return Effect.succeed(value)
        },
        onFailure: (error): Effect.Effect<A, SqlError.SqlError> => {
          const older = entries.get(key)
          return older === undefined ? Effect.fail(error) : Effect.succeed(older.value)
        }
      })
    })

  /** Loads on a separate fiber, so that interrupting the first reader does not fail the others. */
  const shared = (key: string, now: number): Effect.Effect<A, SqlError.SqlError> =>
    Effect.suspend(() => {
      const running = underway.get(key)
      if (running !== undefined) return Deferred.await(running)
      const answer = Deferred.makeUnsafe<A, SqlError.SqlError>()
      underway.set(key, answer)
      const loading = Effect.onExit(loaded(key, now), (exit) =>
        Effect.sync(() => {
          if (underway.get(key) === answer) underway.delete(key)
          Deferred.doneUnsafe(answer, exit)
        })
      )
      return Effect.andThen(Effect.forkDetach(loading, { startImmediately: true }), Deferred.await(answer))
    })

  const usable = (key: string, now: number): Entry<A> | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && entry.expires_at > now && trusted() ? entry : undefined
  }

  return {
    get: (key) =>
      Clock.clockWith((clock): Effect.Effect<A, SqlError.SqlError> => {
        const now = clock.currentTimeMillisUnsafe()
        const entry = usable(key, now)
        return entry === undefined ? shared(key, now) : Effect.succeed(entry.value)
      }),
    has: (key, now) => usable(key, now) !== undefined,
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
