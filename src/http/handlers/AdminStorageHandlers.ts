import { Clock, Effect } from "effect"
import { StorageTiers } from "../../actors/storage/StorageTiers.ts"
import { auditRow } from "../../domain/access/Origin.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { StoragePrices } from "../../domain/ports/calls/StoragePrices.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"

export const AdminStorageHandlers = group(
  Api,
  "admin_storage",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    const table = yield* StoragePrices
    const tiers = yield* StorageTiers
    const all = Effect.map(table.list, (prices) => ({ prices }))
    return handlers.handleAll({
      setPrices: Effect.fnUntraced(function* ({ payload: { prices } }) {
        yield* table.set(
          prices,
          auditRow(yield* operatorOrigin, {
            workspace_id: null,
            action_kind: "rate.changed",
            target: { type: "storage_prices", id: [...new Set(prices.map(({ currency }) => currency))].join(",") },
            after: prices,
            at: yield* Clock.currentTimeMillis
          })
        )
        return yield* all
      }),
      listPrices: () => all,
      assign: Effect.fnUntraced(function* ({ params, payload }) {
        if ((yield* directory.workspace(params.id)) === undefined)
          return yield* new NotFound({ message: "There is no such workspace." })
        return yield* tiers.assign(params.id, payload.tier_mb, yield* operatorOrigin)
      })
    })
  })
)
