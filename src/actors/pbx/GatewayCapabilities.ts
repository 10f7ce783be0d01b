// What the gateways can do, for the calls that they carry.
import { Clock, Effect } from "effect"
import type { GatewayId } from "../../domain/BrandedIds.ts"
import type { Capability } from "../../domain/pbx/Capabilities.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** How long an answer is believed, so that not every call asks. */
const believed_ms = 5_000

interface Known {
  readonly until: number
  readonly capabilities: ReadonlyArray<Capability>
}

/** The member of a call's facts. A gateway that cannot be asked counts as one that can do nothing more. */
export const makeGatewayCapabilities = Effect.map(ActorSystem, (system) => {
  const known = new Map<GatewayId, Known>()
  return Effect.fnUntraced(function* (gateway_id: GatewayId) {
    const now = yield* Clock.currentTimeMillis
    const earlier = known.get(gateway_id)
    const capabilities =
      earlier !== undefined && now < earlier.until
        ? earlier.capabilities
        : yield* Effect.orElseSucceed(
            system.ask(GatewayCommands.GetCapabilities, gateway_id, {}),
            (): ReadonlyArray<Capability> => []
          )
    if (capabilities.length === 0) return {}
    if (capabilities !== earlier?.capabilities) known.set(gateway_id, { until: now + believed_ms, capabilities })
    return { capabilities }
  })
})
export type GatewayCapabilities = Effect.Success<typeof makeGatewayCapabilities>
