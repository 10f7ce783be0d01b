// What begins once every kind of actor is registered.
import { Effect, Layer } from "effect"
import * as FollowClock from "../calls/FollowClock.ts"
import { sweepOverdueDeliveries } from "../maintenance/SweepOverdueDeliveries.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** Follows what happened to the clock, activates stored actors, and looks for overdue deliveries. */
export const startActors = Layer.merge(
  Layer.effectDiscard(
    Effect.flatMap(ActorSystem, ({ start }) =>
      FollowClock.followWhileDown.pipe(Effect.andThen(start), Effect.andThen(sweepOverdueDeliveries))
    )
  ),
  FollowClock.layer
)
