import { Clock, Effect } from "effect"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"

/** A delivery that has been due for longer counts as overdue. */
const grace_ms = 5_000
const interval = "30 seconds"

/**
 * Wakes subscriptions that have overdue deliveries, now and every 30 seconds. A process that dies between a fan-out and
 * the wake-up of its subscriptions loses the wake-ups; the sweep replaces them.
 */
export const sweepOverdueDeliveries = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* SubscriptionReads
  const sweep = traced("SweepOverdueDeliveries.sweep")(function* () {
    const now = yield* Clock.currentTimeMillis
    const overdue = yield* reads.overdue(now - grace_ms)
    yield* Effect.forEach(overdue, (id) => Effect.ignore(system.ask(SubscriptionCommands.Poke, id, {})), {
      discard: true,
      concurrency: 16
    })
  })
  yield* sweep().pipe(
    Effect.catch(({ cause }) => Effect.logWarning("Reading overdue deliveries failed; retrying", cause)),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
    Effect.forkScoped
  )
})
