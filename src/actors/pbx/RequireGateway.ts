// No call begins on a gateway that is away: nobody would ring, and the caller would learn it after the ring timeout.
import { Clock, Effect } from "effect"
import type { GatewayId } from "../../domain/BrandedIds.ts"
import { CallGatewayUnavailable } from "../../domain/errors/CallErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import { isReachable } from "../../domain/pbx/GatewayPresence.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

/** How long a gateway that could be reached counts as reachable. It does so for longer after it went away. */
const believed_ms = 1_000

/** Fails, and logs it for the operators, if the gateway is not connected and not expected back in a moment. */
export const makeRequireGateway = (system: ActorSystem["Service"]) => {
  const reachableUntil = new Map<GatewayId, number>()
  return Effect.fnUntraced(function* (
    gateway_id: GatewayId
  ): Effect.fn.Return<void, CallGatewayUnavailable | NotCommitted> {
    const now = yield* Clock.currentTimeMillis
    if (now < (reachableUntil.get(gateway_id) ?? 0)) return
    const presence = yield* system.ask(GatewayCommands.GetPresence, gateway_id, {})
    if (isReachable(presence, now)) {
      reachableUntil.set(gateway_id, now + believed_ms)
      return
    }
    yield* Effect.logWarning(
      presence.epoch === 0
        ? `A call was refused: no gateway ${gateway_id} has ever connected.`
        : `A call was refused: gateway ${gateway_id} is not connected.`
    )
    return yield* new CallGatewayUnavailable()
  })
}
