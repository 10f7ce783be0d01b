// Tells a subscription which attempts have ended. While it stores some, further ones are collected: a busy subscription
// then decides about many at a time, and its row is written once for all of them.
import { Effect, type Scope } from "effect"
import type { FinishedAttempt } from "../../domain/webhooks/DeliveryRecord.ts"
import type { Subscription } from "../../domain/webhooks/Subscription.ts"
import type { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import { isTraced } from "../../domain/Traced.ts"
import type { Self } from "../runtime/Definition.ts"

type Actor = Self<Subscription, SubscriptionCommands>

/** What came in while the subscription stores earlier ones: at most a window of deliveries. */
interface Collected {
  readonly self: Actor
  attempts: Array<FinishedAttempt>
}

const tell = (self: Actor, attempts: ReadonlyArray<FinishedAttempt>): Effect.Effect<void> =>
  // If it cannot be stored, the subscription is read again, and makes the attempts again.
  Effect.ignoreCause(self.tell({ _tag: "AttemptsFinished", attempts }))

/**
 * Returns what reports an attempt. It does not wait until the attempt is stored. What is collected when the scope ends
 * is told then.
 */
export const makeFinishedAttempts: Effect.Effect<
  (self: Actor, attempt: FinishedAttempt) => Effect.Effect<void>,
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const storing = new Map<string, Collected>()

  const tellInTurn = (collected: Collected): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { attempts, self } = collected
      if (attempts.length === 0) {
        storing.delete(self.id)
        return Effect.void
      }
      collected.attempts = []
      return Effect.andThen(tell(self, attempts), tellInTurn(collected))
    })

  // The journal writes what it has received, so nobody waits here, for example for a database that is gone.
  yield* Effect.addFinalizer(() =>
    Effect.forEach([...storing.values()], ({ attempts, self }) =>
      Effect.forkDetach(tell(self, attempts), { startImmediately: true })
    )
  )

  return (self, attempt) =>
    Effect.withFiber((fiber) => {
      // In a trace, each is a child of its own attempt.
      if (isTraced(fiber)) return tell(self, [attempt])
      const collected = storing.get(self.id)
      if (collected !== undefined) {
        collected.attempts.push(attempt)
        return Effect.void
      }
      const first: Collected = { self, attempts: [attempt] }
      storing.set(self.id, first)
      return Effect.forkIn(tellInTurn(first), scope, { startImmediately: true })
    })
})
