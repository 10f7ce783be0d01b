import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createdBody, createdLocation } from "../../actors/SealedAnswer.ts"
import { Webhooks } from "../../actors/Webhooks.ts"
import { Api } from "../Api.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { page } from "../Lists.ts"
import { KeptUnder } from "../middleware/JsonWrite.ts"

export const WebhooksHandlers = HttpApiBuilder.group(Api, "webhooks", Effect.fnUntraced(function*(handlers) {
  const webhooks = yield* Webhooks
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { request } = yield* KeptUnder
      const { record, secret } = yield* webhooks.create(workspace_id, payload, request)
      return HttpServerResponse.text(createdBody(record, secret), {
        status: 201,
        contentType: "application/json",
        headers: { location: createdLocation(record) }
      })
    }),
    list: Effect.fnUntraced(function*() {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* webhooks.list(workspace_id)
    }),
    get: Effect.fnUntraced(function*({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* webhooks.get(workspace_id, params.id)
    }),
    deliveries: Effect.fnUntraced(function*({ params, query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* page({
        request,
        paging: query,
        query: { list: "deliveries", workspace_id, subscription_id: params.id, ...filter },
        read: (after, limit) => webhooks.deliveries(workspace_id, params.id, filter, { ...(after && { after }), limit }),
        sort: (delivery) => Date.parse(delivery.created_at)
      })
    })
  })
}))
