// A job that several callers request at the same time runs once, and all of them get its result.
import { Deferred, Effect, type Scope } from "effect"

export type Shared<A, E> = (key: string, job: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** A job that has begun runs to its end, even if nobody waits for it any more. */
export const makeShared = <A, E>(): Effect.Effect<Shared<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const running = new Map<string, Deferred.Deferred<A, E>>()
    return (key, job) =>
      Effect.suspend(() => {
        const known = running.get(key)
        if (known !== undefined) return Deferred.await(known)
        const result = Deferred.makeUnsafe<A, E>()
        running.set(key, result)
        const finishing = Effect.onExit(job, (exit) =>
          Effect.sync(() => {
            running.delete(key)
            Deferred.doneUnsafe(result, exit)
          })
        )
        return Effect.andThen(Effect.forkIn(Effect.exit(finishing), scope), Deferred.await(result))
      })
  })
