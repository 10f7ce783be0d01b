// The stored state of a gateway: only the number of its connections.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import { type GatewayState, initialGateway } from "./Gateway.ts"

export const gatewayState = storedState({ schema: Schema.Struct({ epoch: Schema.Int }), upgrades: [] })

export const stateOfGateway = ({ epoch }: GatewayState): string => gatewayState.write({ epoch })

export const restoreGateway = gatewayState.restore(({ epoch }): GatewayState => initialGateway(epoch))
