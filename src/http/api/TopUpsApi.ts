import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, RateLimited } from "../../domain/errors/GeneralErrors.ts"
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
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { TopUpId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

const PayInReference = Schema.Struct({
  mobilemoney_account_ref: Schema.String.annotate({ description: "It never changes." }),
  livemode: Schema.Boolean.annotate({ description: "`false` for the reference of the sandbox." })
}).annotate({ identifier: "PayInReference" })

const endpoint = customerEndpoints({ read: { scope: "wallet.read" }, write: { scope: "wallet.write", role: "member" } })

export class TopUpsApi extends HttpApiGroup.make("topups")
  .add(
    endpoint.post("create", "/v1/topups", {
      summary: "Start a top-up",
      description:
        "Prompts the payer. Responds with status `pending` once the provider has accepted the prompt. To follow the " +
        "top-up, use webhooks or read it. The wallet is credited when the payment is confirmed.",
      payload: TopUpRequest,
      success: HttpApiSchema.WithHeaders(TopUpRecord, {
        location: Schema.String.annotate({ description: "The path of the top-up." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [
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
      ]
    }),
    endpoint.list("list", "/v1/topups", {
      summary: "List top-ups",
      description: "Newest first, including manual payments. Phone numbers are masked.",
      query: { status: Schema.optionalKey(TopUpStatus) },
      success: TopUpRecord
    }),
    endpoint.get("get", "/v1/topups/:id", {
      summary: "Read a top-up",
      description: "Its current state.",
      params: { id: idOf(TopUpId) },
      success: TopUpRecord,
      errors: [TopUpNotFound]
    }),
    endpoint.get("reference", "/v1/wallet/payin-reference", {
      summary: "Read the reference for payments by hand",
      description: "What payers enter as the account reference when they pay without a prompt.",
      success: PayInReference,
      errors: [WalletNotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Top-ups", description: "Payments into the wallet." })) {}
