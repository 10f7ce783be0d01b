import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import { Api } from "../Api.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { page } from "../Lists.ts"

export const WalletHandlers = HttpApiBuilder.group(Api, "wallet", Effect.fnUntraced(function*(handlers) {
  const wallets = yield* WalletReads
  return handlers.handleAll({
    balance: Effect.fnUntraced(function*() {
      const { workspace_id } = yield* CurrentPrincipal
      const balance = yield* wallets.balance(workspace_id)
      return balance ?? (yield* new WalletNotFound())
    }),
    statements: Effect.fnUntraced(function*({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* page({
        request,
        paging: query,
        query: { list: "statements", workspace_id, ...filter },
        read: (after, limit) => wallets.statements(workspace_id, filter, after, limit),
        sort: (entry) => Date.parse(entry.created_at)
      })
    })
  })
}))
