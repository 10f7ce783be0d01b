import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import {
  CardProviderUnavailable,
  MobileMoneyUnavailable,
  TopUpLimitExceeded,
  TopUpNotFound,
  TopUpProviderFailed,
  TopUpPushInProgress
} from "../../domain/errors/TopUpErrors.ts"
import {
  CurrencyUnsupported,
  WalletCurrencyMismatch,
  WalletInvalidAmount,
  WalletNotFound,
  WalletTopUpBelowMinimum
} from "../../domain/errors/WalletErrors.ts"
import { TopUpRecord, TopUpRequest, TopUpStatus } from "../../domain/topups/TopUpRecord.ts"
import { idOf } from "../request/CallRef.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { TopUpId } from "../../domain/BrandedIds.ts"

const create = HttpApiEndpoint.post("create", "/v1/topups", {
  headers: idempotencyHeader,
  payload: TopUpRequest,
  success: HttpApiSchema.WithHeaders(TopUpRecord, {
    location: Schema.String.annotate({ description: "The path of the top-up." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(
    BadRequest,
    WalletNotFound,
    TopUpPushInProgress,
    CurrencyUnsupported,
    WalletCurrencyMismatch,
    MobileMoneyUnavailable,
    CardProviderUnavailable,
    WalletInvalidAmount,
    WalletTopUpBelowMinimum,
    TopUpLimitExceeded,
    RateLimited,
    TopUpProviderFailed
  )
})
  .annotate(EndpointPolicy, { scope: "wallet.write", role: "member" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Start a top-up",
      description:
        "Prompts the payer. Responds with status `pending` once the provider has accepted the prompt. To follow the " +
        "top-up, use webhooks or read it. The wallet is credited when the payment is confirmed."
    })
  )
  .middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/topups", {
  query: { ...paging, status: Schema.optionalKey(TopUpStatus) },
  success: ListOf(TopUpRecord),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List top-ups",
      description: "Newest first, including manual payments. Phone numbers are masked."
    })
  )

const get = HttpApiEndpoint.get("get", "/v1/topups/:id", {
  params: { id: idOf(TopUpId) },
  success: TopUpRecord,
  error: responses(TopUpNotFound)
})
  .annotate(EndpointPolicy, { scope: "wallet.read", whenIdMalformed: TopUpNotFound })
  .annotateMerge(OpenApi.annotations({ summary: "Read a top-up", description: "Its current state." }))

const PayInReference = Schema.Struct({
  mobilemoney_account_ref: Schema.String.annotate({ description: "It never changes." }),
  livemode: Schema.Boolean.annotate({ description: "`false` for the reference of the sandbox." })
}).annotate({ identifier: "PayInReference" })

const reference = HttpApiEndpoint.get("reference", "/v1/wallet/payin-reference", {
  success: PayInReference,
  error: responses(WalletNotFound)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the reference for payments by hand",
      description: "What payers enter as the account reference when they pay without a prompt."
    })
  )

export class TopUpsApi extends HttpApiGroup.make("topups")
  .add(create, list, get, reference)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Top-ups", description: "Payments into the wallet." })) {}
