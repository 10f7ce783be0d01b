// The entry point of the card provider: its notices, and the page to which payers return.
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CardPaymentNotices } from "../../actors/ingest/CardPaymentNotices.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { CardNotices } from "../../domain/ports/money/CardNotices.ts"
import { cardIngestPath, cardReturnPath } from "../../domain/topups/CardNotice.ts"
import { withErrorEnvelope } from "../request/AnswerFailure.ts"
import { unreadable } from "../request/RequestDocument.ts"

/** The provider repeats a notice that is not answered with 200. It is answered once the notice is on disk. */
const take = ({ read }: CardNotices["Service"], notices: CardPaymentNotices["Service"]) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = new Uint8Array(yield* Effect.mapError(request.arrayBuffer, unreadable))
    const notice = yield* Effect.mapError(
      read({ headers: request.headers, body }),
      (cause) => new ServiceUnavailable({ message: "The card provider could not be asked about its notice.", cause })
    )
    if (notice._tag === "Forged")
      return yield* new BadRequest({ message: "The notice has no valid and recent signature." })
    if (notice._tag === "Changed") yield* notices.take(notice)
    return HttpServerResponse.jsonUnsafe({ received: true })
  })

const returned = HttpServerResponse.text("Thank you. You can close this page.\n")

/** Routes for the card provider and for payers, beside the customer API. */
export const CardRoutes: Layer.Layer<never, never, CardNotices | CardPaymentNotices | HttpRouter.HttpRouter> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const provider = yield* CardNotices
      const notices = yield* CardPaymentNotices
      yield* router.add("POST", cardIngestPath, withErrorEnvelope(take(provider, notices)))
      yield* router.add("GET", cardReturnPath, returned)
    })
  )
