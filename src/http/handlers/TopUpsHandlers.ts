import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { startedAnswer } from "../../actors/topups/TopUpActor.ts"
import { TopUps } from "../../actors/topups/TopUps.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { maskedPhone, type TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { isLive } from "../../domain/kit/Sandbox.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"

const masked = (record: TopUpRecord): TopUpRecord =>
  record.phone_e164 === null ? record : { ...record, phone_e164: maskedPhone(record.phone_e164) }

export const TopUpsHandlers = group(
  Api,
  "topups",
  Effect.fnUntraced(function* (handlers) {
    const limits = yield* RateLimits
    const reads = yield* TopUpReads
    const topups = yield* TopUps
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const principal = yield* CurrentPrincipal
        const { workspace_id } = principal
        if (principal.kind === "session" || !principal.unlimited) yield* limits.count("topups", workspace_id)
        const { request: idempotency } = yield* IdempotencyContext
        const record = yield* topups.start({
          workspace_id,
          request: payload,
          origin: yield* requestOrigin,
          idempotency
        })
        const { body, headers, status } = startedAnswer(record)
        return HttpServerResponse.text(body, { status, headers, contentType: "application/json" })
      }),
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "topups", workspace_id, ...filter },
          read: (after, limit) =>
            Effect.map(reads.list(workspace_id, filter, after, limit), (rows) =>
              rows.map((record) => ({ ...masked(record), id: record.topup_id }))
            ),
          sort: (topup) => Date.parse(topup.created_at)
        })
      }),
      reference: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return { mobilemoney_account_ref: yield* topups.reference(workspace_id), livemode: isLive(workspace_id) }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* topups.get(workspace_id, params.id)
      })
    })
  })
)
