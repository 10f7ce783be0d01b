// What begins once every kind of actor is registered.
import { Effect, Layer } from "effect"
import * as FollowClock from "../calls/FollowClock.ts"
import { sweepOverdueDeliveries } from "../maintenance/SweepOverdueDeliveries.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** Activates stored actors, looks for overdue deliveries, and follows what happens to the clock. */
export const startActors = Layer.merge(
  Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => Effect.andThen(start, sweepOverdueDeliveries))),
  FollowClock.layer
)
