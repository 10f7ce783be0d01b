import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Wallets } from "../../actors/Wallets.ts"
import { Api } from "../Api.ts"
import { operatorOrigin } from "../RequestOrigin.ts"

export const AdminWalletsHandlers = HttpApiBuilder.group(Api, "admin_wallets", Effect.fnUntraced(function*(handlers) {
  const wallets = yield* Wallets
  return handlers.handleAll({
    adjust: Effect.fnUntraced(function*({ params, payload }) {
      return yield* wallets.adjust(params.workspace_id, payload, yield* operatorOrigin)
    })
  })
}))
