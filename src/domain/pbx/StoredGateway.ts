// The stored state of a gateway: the number of its connections, and what it said that it can do.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import { knownCapabilities } from "./Capabilities.ts"
import { type GatewayState, initialGateway } from "./Gateway.ts"

const StoredGateway = Schema.Struct({ epoch: Schema.Int, capabilities: Schema.Array(Schema.String) })

export const gatewayState = storedState({
  schema: StoredGateway,
  upgrades: [(stored) => ({ capabilities: [], ...stored })]
})

export const stateOfGateway = ({ capabilities, epoch }: GatewayState): string =>
  gatewayState.write({ epoch, capabilities })

export const restoreGateway = gatewayState.restore(({ capabilities, epoch }): GatewayState =>
  initialGateway(epoch, knownCapabilities(capabilities))
)
