import { Effect, Schema } from "effect"
import {
  decideGateway,
  evolveGateway,
  type GatewayEvent,
  type GatewayState,
  initialGateway,
  noticesOf,
  planGateway
} from "../domain/pbx/Gateway.ts"
import { GatewayCommand, GatewayNotice, GatewayReply } from "../domain/pbx/GatewayCommand.ts"
import { sizeOf } from "../domain/pbx/Outbox.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import type { Change, Definition } from "./runtime/Definition.ts"

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
  never,
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

/** The actor's work is its deadlines alone. */
export const registerGateways: Effect.Effect<void, never, ActorSystem> = Effect.flatMap(
  ActorSystem,
  (system) => system.register(GatewayActor, (work) => work)
)
