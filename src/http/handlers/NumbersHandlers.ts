import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import { Api } from "../Api.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { page } from "../Lists.ts"

export const NumbersHandlers = HttpApiBuilder.group(Api, "numbers", Effect.fnUntraced(function*(handlers) {
  const numbers = yield* NumberReads
  return handlers.handleAll({
    list: Effect.fnUntraced(function*({ query, request }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* page({
        request,
        paging: query,
        query: { list: "numbers", workspace_id },
        read: (after, limit) => numbers.list(workspace_id, after, limit),
        sort: (number) => number.claimed_at === null ? 0 : Date.parse(number.claimed_at)
      })
    }),
    get: Effect.fnUntraced(function*({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      const number = yield* numbers.find(workspace_id, params.id)
      return number ?? (yield* new NumberNotFound())
    })
  })
}))
