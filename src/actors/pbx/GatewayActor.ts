import { Context, Effect, Schema } from "effect"
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
import { GatewayCommand, GatewayNotice, GatewayReply } from "../../domain/pbx/GatewayCommand.ts"
import { sizeOf } from "../../domain/pbx/Outbox.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Change, Definition } from "../runtime/Definition.ts"

const Kept = Schema.fromJsonString(Schema.Struct({ epoch: Schema.Int }))

/** A change of a gateway has one event, so `before` is what that event met. */
const notices = ({ before, events }: Change<GatewayState, GatewayEvent>) =>
  events.flatMap((event) => noticesOf(before, event))

/** A PBX gateway, by its gateway_id. */
export const GatewayActor: Definition<
  GatewayState,
  GatewayCommand,
  GatewayEvent,
  GatewayReply,
  GatewayWork,
  GatewayNotice
> = {
  type: "Gateway",
  initial: () => initialGateway(0),
  restore: (stored) => initialGateway(Schema.decodeUnknownSync(Kept)(stored.state).epoch),
  decide: decideGateway,
  evolve: evolveGateway,
  plan: planGateway,
  record: ({ after }) => ({ workspace_id: null, state: JSON.stringify({ epoch: after.epoch }), columns: {} }),
  notices,
  passivates: (state) => state.connection_id === null && sizeOf(state.outbox) === 0,
  wire: { command: GatewayCommand, reply: GatewayReply, notice: GatewayNotice }
}

/** What is to be done before it is forgotten that a gateway has come back. Without it there is nothing. */
export class GatewayReturns extends Context.Reference<
  (gateway_id: string, epoch: number) => Effect.Effect<void, Failure | NotCommitted | ReadFailed>
>("trunkline/actors/GatewayReturns", { defaultValue: () => () => Effect.void }) {}

export const registerGateways: Effect.Effect<void, never, ActorSystem> = Effect.gen(function* () {
  const system = yield* ActorSystem
  const tellTenants = yield* GatewayReturns
  yield* system.register(GatewayActor, ({ epoch }, self) =>
    Effect.asVoid(retryWithBackoff(Effect.andThen(tellTenants(self.id, epoch), self.tell({ _tag: "Returned", epoch }))))
  )
})
