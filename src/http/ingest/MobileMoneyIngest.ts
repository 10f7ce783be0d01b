// What the mobile-money provider announces. It wants an answer within eight seconds, and repeats itself seldom.
import { Clock, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PaymentNotices } from "../../actors/ingest/PaymentNotices.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { MobileMoneyWebhookAuth } from "../../domain/ports/MobileMoneyWebhookAuth.ts"
import { paymentNews, promptNews } from "../../domain/topups/DarajaDocuments.ts"
import { served } from "../middleware/Answers.ts"
import { readDocument } from "../request/RequestDocument.ts"

/** Answers of the provider's own kind, always 200. */
const result = (ResultCode: string, ResultDesc: string) => HttpServerResponse.jsonUnsafe({ ResultCode, ResultDesc })
const accepted = result("0", "Accepted")
const invalidAccount = result("C2B00012", "Invalid Account Number")
const otherError = result("C2B00016", "Other Error")

const decided_within = "6 seconds"

/** To whoever has no business here, nothing is here. */
const admitted = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  const door = yield* MobileMoneyWebhookAuth
  if (!door.admits(params["secret"] ?? "", Option.getOrNull(request.remoteAddress))) return yield* new NotFound()
  return { params, document: yield* readDocument(request), now: yield* Clock.currentTimeMillis }
})

/** What cannot be read will not be readable the next time. */
const unreadable = (what: string) =>
  Effect.as(Effect.logWarning(`The provider posted ${what} that cannot be read`), accepted)

const stk = Effect.gen(function* () {
  const { document, now, params } = yield* admitted
  const news = promptNews(document, now)
  if (Option.isNone(news)) return yield* unreadable("a prompt's result")
  yield* (yield* PaymentNotices).promptEnded((params["topup_id"] ?? "").toLowerCase(), news.value)
  return accepted
})

const confirmation = Effect.gen(function* () {
  const { document, now } = yield* admitted
  const news = paymentNews(document, now)
  if (Option.isNone(news)) return yield* unreadable("a payment")
  yield* (yield* PaymentNotices).paidIn(news.value)
  return accepted
})

/** Where it cannot be known in time whose the money would be, it is not taken. */
const validation = Effect.gen(function* () {
  const { document, now } = yield* admitted
  const news = paymentNews(document, now)
  if (Option.isNone(news)) return invalidAccount
  const accepts = (yield* PaymentNotices).accepts(news.value.account_ref)
  return yield* accepts.pipe(
    Effect.timeout(decided_within),
    Effect.match({ onFailure: () => otherError, onSuccess: (yes) => (yes ? accepted : invalidAccount) })
  )
})

/** The doors of the mobile-money provider, to be served beside the customer API. */
export const MobileMoneyRoutes = Layer.mergeAll(
  HttpRouter.add("POST", "/v1/ingest/mobilemoney/stk/:secret/:topup_id", served(stk)),
  HttpRouter.add("POST", "/v1/ingest/mobilemoney/c2b/validation/:secret", served(validation)),
  HttpRouter.add("POST", "/v1/ingest/mobilemoney/c2b/confirmation/:secret", served(confirmation))
)
