import { Effect } from "effect"
import { Gateways } from "../../actors/pbx/Gateways.ts"
import { Workspaces } from "../../actors/workspace/Workspaces.ts"
import { Api } from "../api/Api.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { group } from "../request/RequestServices.ts"

export const AdminGatewaysHandlers = group(
  Api,
  "admin_gateways",
  Effect.fnUntraced(function* (handlers) {
    const gateways = yield* Gateways
    const workspaces = yield* Workspaces
    return handlers.handleAll({
      list: () => gateways.list(),
      assign: Effect.fnUntraced(function* ({ params, payload: { gateway_id } }) {
        const { id } = yield* workspaces.assignGateway(params.id, gateway_id, yield* operatorOrigin)
        return { workspace_id: id, gateway_id }
      })
    })
  })
)
