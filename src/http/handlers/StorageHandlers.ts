import { Effect } from "effect"
import { StorageTiers } from "../../actors/storage/StorageTiers.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"

export const StorageHandlers = group(
  Api,
  "storage",
  Effect.fnUntraced(function* (handlers) {
    const tiers = yield* StorageTiers
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* tiers.show(workspace_id)
      }),
      change: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* tiers.change(workspace_id, payload.tier_gb, yield* requestOrigin)
      }),
      drop: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* tiers.returnToFree(workspace_id, yield* requestOrigin)
      })
    })
  })
)
