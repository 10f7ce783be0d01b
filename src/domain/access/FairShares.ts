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
  /**
   * How long somebody waited, in milliseconds: the longest of those that were let in since the last question. Who
   * waited for its own share to become free does not count: it says nothing about the others.
   */
  readonly takeLongestWait: () => number
}

interface Waiting {
  readonly who: string
  readonly turn: Deferred.Deferred<void>
  readonly since: number
  /** Whether it waits for others, and not for its own share. */
  readonly isShort: boolean
}

export interface FairSharesOptions extends ShareLimits {
  /** How long one may wait for a place. */
  readonly wait_ms: number
}

export const makeFairShares = (limits: FairSharesOptions): FairShares => {
  const share = new FairShare<Waiting>(limits)
  let longest_ms = 0

  const leave = (who: string): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const next = share.leave(who)
      if (next === undefined) return Effect.void
      if (next.isShort) longest_ms = Math.max(longest_ms, clock.currentTimeMillisUnsafe() - next.since)
      return Effect.asVoid(Deferred.succeed(next.turn, undefined))
    })

  const wait = (who: string, item: Waiting) =>
    Deferred.await(item.turn).pipe(
      Effect.timeoutOrElse({
        duration: limits.wait_ms,
        orElse: () => Effect.fail<NoShare>({ who, reason: "waited_too_long" })
      }),
      // It may have been let in at the very moment at which it gave up.
      Effect.onError(() => Effect.suspend(() => (share.withdraw(who, item) ? Effect.void : leave(who))))
    )

  const enter = (who: string) =>
    Effect.clockWith((clock): Effect.Effect<void, NoShare> => {
      const isShort = limits.each >= limits.total || share.usedBy(who) < limits.each
      const item = { who, turn: Deferred.makeUnsafe<void>(), since: clock.currentTimeMillisUnsafe(), isShort }
      switch (share.enter(who, item)) {
        case "entered":
          return Effect.void
        case "refused":
          return Effect.fail({ who, reason: "queue_full" })
        case "waiting":
          return wait(who, item)
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
    inQueue: () => share.inQueue,
    takeLongestWait: () => {
      const longest = longest_ms
      longest_ms = 0
      return longest
    }
  }
}
