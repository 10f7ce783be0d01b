import { Effect, Layer } from "effect"
import {
  decideGateway,
  evolveGateway,
  type GatewayEvent,
  type GatewayState,
  type GatewayWork,
  initialGateway,
  noticesOf,
  planGateway
} from "../../domain/pbx/Gateway.ts"
import { GatewayCommands, GatewayNotice } from "../../domain/pbx/GatewayCommand.ts"
import { restoreGateway, stateOfGateway } from "../../domain/pbx/StoredGateway.ts"
import { sizeOf } from "../../domain/pbx/Outbox.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { TenantResync } from "./TenantResync.ts"

/** A PBX gateway. Its actor id is the gateway_id. */
export const GatewayActor = actor<GatewayState, GatewayCommands, GatewayEvent, GatewayWork, GatewayNotice>({
  type: "Gateway",
  commands: GatewayCommands,
  initial: () => initialGateway(0),
  restore: restoreGateway,
  decide: decideGateway,
  evolve: evolveGateway,
  plan: planGateway,
  record: ({ after }) => ({ workspace_id: null, state: stateOfGateway(after), columns: {} }),
  // A change of a gateway has one event at most, so `before` is the state that the event met.
  notices: ({ before, events }) => events.flatMap((event) => noticesOf(before, event)),
  notice: GatewayNotice,
  // One that has been connected stays in memory, because only the actor knows since when it has been away.
  passivates: (state) => state.epoch === 0 && sizeOf(state.outbox) === 0
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { resync } = yield* TenantResync
    yield* system.register(GatewayActor, ({ epoch }, self) =>
      Effect.asVoid(
        retryWithBackoff(Effect.andThen(resync(self.id, epoch), self.tell({ _tag: "FinishResync", epoch })))
      )
    )
  })
)
