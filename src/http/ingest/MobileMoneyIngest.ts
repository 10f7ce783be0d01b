// Serves the routes that the mobile-money provider posts to. The provider's layer declares them.
import { Clock, Effect, type Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PaymentNotices } from "../../actors/ingest/PaymentNotices.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { MobileMoneyNotices, type NoticeRoute } from "../../domain/ports/money/MobileMoneyNotices.ts"
import { withErrorEnvelope } from "../request/AnswerFailure.ts"
import { readDocument } from "../request/RequestDocument.ts"
import type { KnownRoute } from "../request/PathIndex.ts"
import { mobileMoneyIngestPath, type NoticeResponse } from "../../domain/topups/PostedNotice.ts"
import type { PaymentInquiry } from "../../domain/topups/PaymentNotice.ts"

const method = "POST"
const pathOf = ({ path }: NoticeRoute) => `${mobileMoneyIngestPath}${path}` as const

/** For the answers to requests with another method. */
export const knownRoutes = (routes: ReadonlyArray<NoticeRoute>): ReadonlyArray<KnownRoute> =>
  routes.map((route) => ({ method, path: pathOf(route) }))

const respond = ({ body, status }: NoticeResponse) => HttpServerResponse.jsonUnsafe(body, { status })

/** A request without the right secret, or from another address, gets 404 like any unknown path. */
const readPosted = Effect.fnUntraced(function* (admits: MobileMoneyNotices["Service"]["admits"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  if (!admits(params["secret"] ?? "", Option.getOrNull(request.remoteAddress))) return yield* new NotFound()
  return { params, document: yield* readDocument(request), now: yield* Clock.currentTimeMillis }
})

/** The provider takes the payment only if the engine confirms in time that a wallet would receive it. */
const decide = (
  { decide_within_ms, responses }: NoticeRoute,
  { account_ref, currency }: PaymentInquiry,
  notices: PaymentNotices["Service"]
) =>
  notices.accepts(account_ref, currency).pipe(
    Effect.timeout(decide_within_ms),
    Effect.match({
      onFailure: () => responses.undecided,
      onSuccess: (accepts) => (accepts ? responses.accepted : responses.refused)
    })
  )

const handler = (route: NoticeRoute, { admits }: MobileMoneyNotices["Service"], notices: PaymentNotices["Service"]) =>
  Effect.gen(function* () {
    const notice = route.read(yield* readPosted(admits))
    if (notice === undefined) {
      yield* Effect.logWarning(`The mobile-money provider posted an unreadable document to ${pathOf(route)}`)
      return respond(route.responses.unreadable)
    }
    if (notice._tag === "Inquiry") return respond(yield* decide(route, notice, notices))
    yield* notices.take(notice)
    return respond(route.responses.accepted)
  })

/** The routes of the deployment's provider. They are served beside the customer API. */
export const MobileMoneyRoutes: Layer.Layer<never, never, MobileMoneyNotices | PaymentNotices | HttpRouter.HttpRouter> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const provider = yield* MobileMoneyNotices
      const notices = yield* PaymentNotices
      for (const route of provider.routes)
        yield* router.add(method, pathOf(route), withErrorEnvelope(handler(route, provider, notices)))
    })
  )
