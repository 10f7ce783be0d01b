import { Clock, Effect } from "effect"
import { SubscriptionReads } from "../../domain/ports/SubscriptionReads.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { SubscriptionActor } from "../webhooks/SubscriptionActor.ts"

/** How long a delivery may be overdue before its subscription is asked about it. */
const grace_ms = 5_000

/**
 * Wakes subscriptions that have overdue deliveries, now and every 30 seconds: should a wake-up have been lost with a
 * process that died between a fan-out and the alarm, no delivery stays behind.
 */
export const sweepOverdueDeliveries = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* SubscriptionReads
  const round = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const overdue = yield* reads.overdue(now - grace_ms)
    yield* Effect.forEach(overdue, (id) => Effect.ignore(system.ask(SubscriptionActor, id, { _tag: "Poke" })), {
      discard: true,
      concurrency: 16
    })
  })
  yield* round.pipe(
    Effect.catch(({ cause }) => Effect.logWarning("Overdue deliveries could not be looked for; they are again", cause)),
    Effect.andThen(Effect.sleep("30 seconds")),
    Effect.forever,
    Effect.forkScoped
  )
})
