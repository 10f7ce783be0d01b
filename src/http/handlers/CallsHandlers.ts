import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Calls } from "../../actors/calls/Calls.ts"
import type { TranscriptTurn } from "../../domain/calls/state/Transcript.ts"
import { Legs } from "../../actors/calls/Legs.ts"
import type { OriginateRequest } from "../../domain/calls/verbs/OriginateRequest.ts"
import type { UpdateCallRequest } from "../../domain/calls/verbs/UpdateCallRequest.ts"
import { destinationCheck } from "../../domain/calls/policy/DestinationCheck.ts"
import { placedAnswer, terminatedAnswer, updatedAnswer } from "../../domain/calls/decide/KeptResponses.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { pageLimit } from "../../domain/paging/Page.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CallStream } from "../stream/CallStream.ts"
import { CurrentPrincipal, StillAdmitted } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"
import type { CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"

/** Events that `GET /v1/calls/{id}` shows with the call. */
const embedded_events = 200
const embedded_turns = 1_000

const json = ({
  status,
  body,
  headers
}: {
  readonly status: number
  readonly body: string
  readonly headers: Record<string, string>
}) => HttpServerResponse.text(body, { status, headers, contentType: "application/json" })

const sequenceOf = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined

interface OfCall {
  readonly params: { readonly id: CallRef }
}

const makeWrites = (calls: Calls["Service"]) => ({
  originate: Effect.fnUntraced(function* ({ payload }: { readonly payload: OriginateRequest }) {
    const { workspace_id } = yield* CurrentPrincipal
    const { request } = yield* IdempotencyContext
    return json(placedAnswer(yield* calls.originate(workspace_id, payload, request)))
  }),
  terminate: Effect.fnUntraced(function* ({
    params,
    payload
  }: OfCall & { readonly payload: { readonly reason?: string } | null }) {
    const { workspace_id } = yield* CurrentPrincipal
    const { request: idempotency } = yield* IdempotencyContext
    const reason = payload?.reason
    const { termination, ...record } = yield* calls.terminate(workspace_id, params.id, {
      origin: yield* requestOrigin,
      ...(reason !== undefined && { reason }),
      ...(idempotency && { idempotency })
    })
    return json(terminatedAnswer(record, termination))
  }),
  update: Effect.fnUntraced(function* ({ params, payload }: OfCall & { readonly payload: UpdateCallRequest }) {
    const { workspace_id } = yield* CurrentPrincipal
    const { request } = yield* IdempotencyContext
    return json(updatedAnswer(yield* calls.update(workspace_id, params.id, payload, request)))
  })
})

export const CallsHandlers = group(
  Api,
  "calls",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* Calls
    const legs = yield* Legs
    const reads = yield* CallReads
    const wallets = yield* WalletReads
    const streams = yield* CallStream

    const find = (workspace_id: WorkspaceId, ref: CallRef) =>
      Effect.gen(function* () {
        const record = yield* reads.find(workspace_id, ref)
        return record ?? (yield* new CallNotFound())
      })

    return handlers.handleAll({
      ...makeWrites(calls),
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "calls", workspace_id, ...filter },
          read: (after, limit) => reads.list(workspace_id, filter, after, limit),
          sort: (call) => Date.parse(call.created_at)
        })
      }),
      destinationCheck: Effect.fnUntraced(function* ({ query: { from, to } }) {
        const { workspace_id } = yield* CurrentPrincipal
        const quote = yield* legs.quote(workspace_id, from, to)
        const balance = yield* wallets.balance(workspace_id)
        return balance === undefined ? yield* new WalletNotFound() : destinationCheck(quote, balance.available_minor)
      }),
      get: Effect.fnUntraced(function* ({ params, query }) {
        const { workspace_id } = yield* CurrentPrincipal
        const record = yield* find(workspace_id, params.id)
        const events = yield* reads.latestEvents(workspace_id, record.id, embedded_events + 1, "lifecycle")
        const call = {
          ...record,
          events: events.slice(-embedded_events),
          events_has_more: events.length > embedded_events
        }
        if (query.transcript !== "1") return call
        const turns = yield* reads.latestEvents(workspace_id, record.id, embedded_turns + 1, "turns")
        return {
          ...call,
          transcript: turns.slice(-embedded_turns).map(({ payload }) => payload as TranscriptTurn),
          transcript_has_more: turns.length > embedded_turns
        }
      }),
      events: Effect.fnUntraced(function* ({ params, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        yield* Effect.fromResult(pageLimit(query.limit))
        const { id } = yield* find(workspace_id, params.id)
        const what = query.transcript === "1" ? "all" : "lifecycle"
        return yield* listPage({
          request,
          paging: query,
          query: { list: "call_events", workspace_id, call_id: id, what },
          read: (after, limit) => reads.events(workspace_id, id, after?.at ?? 0, limit, what),
          sort: (event) => event.sequence
        })
      }),
      stream: Effect.fnUntraced(function* ({ headers, params }) {
        const [principal, admitted] = [yield* CurrentPrincipal, yield* StillAdmitted]
        return yield* streams.open({ principal, admitted, ref: params.id, seen: sequenceOf(headers["last-event-id"]) })
      })
    })
  })
)
