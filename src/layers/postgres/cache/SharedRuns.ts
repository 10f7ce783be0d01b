import { Effect, Fiber, type Scope } from "effect"

/** Joins requests with the same key: what one of them has started is the answer to all, also if that one goes away. */
export const makeSharedRuns = <A, E>() =>
  Effect.map(Effect.scope, (scope: Scope.Scope) => {
    const running = new Map<string, Fiber.Fiber<A, E>>()
    return (key: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const found = running.get(key)
        if (found !== undefined) return Fiber.join(found)
        const once = Effect.ensuring(
          effect,
          Effect.sync(() => running.delete(key))
        )
        return Effect.flatMap(Effect.forkIn(once, scope), (fiber) => {
          running.set(key, fiber)
          return Fiber.join(fiber)
        })
      })
  })
