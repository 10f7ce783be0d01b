import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Conferences } from "../../actors/conferences/Conferences.ts"
import type { CallId, ConferenceId } from "../../domain/BrandedIds.ts"
import { placedAnswer } from "../../domain/calls/decide/KeptResponses.ts"
import { endedAnswer } from "../../domain/conferences/KeptAnswers.ts"
import { ConferenceReads } from "../../domain/ports/calls/ConferenceReads.ts"
import { Api } from "../api/Api.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"
import { group } from "../request/RequestServices.ts"

interface Request<Params> {
  readonly params: Params
}

/** The conference, or the participant, that a request names. */
const named = <Params extends { readonly id: ConferenceId; readonly call_id?: CallId }>({ params }: Request<Params>) =>
  Effect.map(CurrentPrincipal, ({ workspace_id }) => ({ workspace_id, ...params }))

export const ConferencesHandlers = group(
  Api,
  "conferences",
  Effect.fnUntraced(function* (handlers) {
    const conferences = yield* Conferences
    const reads = yield* ConferenceReads
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "conferences", workspace_id, ...filter },
          read: (after, limit) => reads.list(workspace_id, filter, after, limit),
          sort: (conference) => Date.parse(conference.created_at)
        })
      }),
      get: Effect.fnUntraced(function* (request) {
        return yield* conferences.get(yield* named(request))
      }),
      dialIn: Effect.fnUntraced(function* (request) {
        const { request: idempotency } = yield* IdempotencyContext
        const record = yield* conferences.dialIn(yield* named(request), request.payload, idempotency)
        const { body, headers, status } = placedAnswer(record)
        return HttpServerResponse.text(body, { status, headers, contentType: "application/json" })
      }),
      change: Effect.fnUntraced(function* (request) {
        return yield* conferences.change(yield* named(request), request.payload)
      }),
      remove: Effect.fnUntraced(function* (request) {
        yield* conferences.remove(yield* named(request), yield* requestOrigin)
      }),
      announce: Effect.fnUntraced(function* (request) {
        const { request: idempotency } = yield* IdempotencyContext
        yield* conferences.announce(yield* named(request), request.payload, idempotency)
      }),
      end: Effect.fnUntraced(function* (request) {
        const { body, headers, status } = endedAnswer(
          yield* conferences.end(yield* named(request), yield* requestContext)
        )
        return HttpServerResponse.text(body, { status, headers, contentType: "application/json" })
      })
    })
  })
)
