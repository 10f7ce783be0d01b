import { Effect } from "effect"
import { AutoTopUps } from "../../actors/wallet/AutoTopUps.ts"
import { Wallets } from "../../actors/wallet/Wallets.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"

export const WalletHandlers = group(
  Api,
  "wallet",
  Effect.fnUntraced(function* (handlers) {
    const autoTopUps = yield* AutoTopUps
    const reads = yield* WalletReads
    const wallets = yield* Wallets
    return handlers.handleAll({
      balance: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        const balance = yield* reads.balance(workspace_id)
        return balance ?? (yield* new WalletNotFound())
      }),
      patch: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* wallets.setThreshold(workspace_id, payload, yield* requestOrigin)
      }),
      autoTopUp: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* autoTopUps.show(workspace_id)
      }),
      setAutoTopUp: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* autoTopUps.set(workspace_id, payload, yield* requestOrigin)
      }),
      removeCard: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* autoTopUps.removeCard(workspace_id, yield* requestOrigin)
      }),
      holds: Effect.fnUntraced(function* ({ query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "holds", workspace_id },
          read: (after, limit) => reads.holds(workspace_id, after, limit),
          sort: (hold) => Date.parse(hold.placed_at)
        })
      }),
      statements: Effect.fnUntraced(function* ({
        query: { limit: _limit, cursor: _cursor, ...filter },
        query,
        request
      }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "statements", workspace_id, ...filter },
          read: (after, limit) => reads.statements(workspace_id, filter, after, limit),
          sort: (entry) => Date.parse(entry.created_at)
        })
      })
    })
  })
)
