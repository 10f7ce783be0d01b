// Runs effects within a fair share of a resource.
import { Deferred, Effect, Scope } from "effect"
import { FairShare, type ShareLimits } from "./FairShare.ts"

/** The share of a holder is used up, and so is its queue; or it has waited too long. */
export interface NoShare {
  readonly who: string
  readonly reason: "queue_full" | "waited_too_long"
}

export interface FairShares {
  /** Takes a place until the scope closes. Fails with what `refuse` makes if there is none for the holder. */
  readonly place: (who: string) => Effect.Effect<void, NoShare, Scope.Scope>
  /** Runs the effect in a place. */
  readonly run: <A, E, R>(who: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NoShare, R>
  readonly inUse: () => number
  readonly inQueue: () => number
}

export interface FairSharesOptions extends ShareLimits {
  /** How long one may wait for a place. */
  readonly wait_ms: number
}

export const makeFairShares = (limits: FairSharesOptions): FairShares => {
  const share = new FairShare<Deferred.Deferred<void>>(limits)

  const leave = (who: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const next = share.leave(who)
      return next === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(next, undefined))
    })

  const wait = (who: string, turn: Deferred.Deferred<void>) =>
    Deferred.await(turn).pipe(
      Effect.timeoutOrElse({
        duration: limits.wait_ms,
        orElse: () => Effect.fail<NoShare>({ who, reason: "waited_too_long" })
      }),
      // It may have been let in at the very moment at which it gave up.
      Effect.onError(() => Effect.suspend(() => (share.withdraw(who, turn) ? Effect.void : leave(who))))
    )

  const enter = (who: string) =>
    Effect.suspend((): Effect.Effect<void, NoShare> => {
      const turn = Deferred.makeUnsafe<void>()
      switch (share.enter(who, turn)) {
        case "entered":
          return Effect.void
        case "refused":
          return Effect.fail({ who, reason: "queue_full" })
        case "waiting":
          return wait(who, turn)
      }
    })

  return {
    place: (who) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          restore(enter(who)),
          Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, leave(who)))
        )
      ),
    run: (who, effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(restore(enter(who)), Effect.ensuring(restore(effect), leave(who)))
      ),
    inUse: () => share.inUse,
    inQueue: () => share.inQueue
  }
}
