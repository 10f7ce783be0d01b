import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiKeyScopeDenied } from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { CardProviderUnavailable, MobileMoneyUnavailable, TopUpLimitExceeded } from "../../domain/errors/TopUpErrors.ts"
import {
  CurrencyUnsupported,
  WalletCardMissing,
  WalletCurrencyMismatch,
  WalletInvalidAmount,
  WalletNotFound,
  WalletTopUpBelowMinimum
} from "../../domain/errors/WalletErrors.ts"
import { AutoTopUpRecord, AutoTopUpRequest } from "../../domain/wallet/AutoTopUpRecord.ts"
import { HoldRecord } from "../../domain/wallet/HoldRecord.ts"
import { StatementEntry, StatementKind } from "../../domain/wallet/StatementEntry.ts"
import { WalletBalance, WalletPatch } from "../../domain/wallet/WalletBalance.ts"
import { FilterInstant, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const balance = HttpApiEndpoint.get("balance", "/v1/wallet/balance", {
  success: WalletBalance,
  error: responses(WalletNotFound)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the balance",
      description: "The balance, the amount held for calls in progress, and the amount available to spend."
    })
  )

const statements = HttpApiEndpoint.get("statements", "/v1/wallet/statements", {
  query: {
    ...paging,
    kind: Schema.optionalKey(StatementKind),
    from: Schema.optionalKey(FilterInstant),
    to: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(StatementEntry),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List ledger entries",
      description: "Newest first. Each entry has a reference to its cause and the balance after it."
    })
  )

const holds = HttpApiEndpoint.get("holds", "/v1/wallet/holds", {
  query: paging,
  success: ListOf(HoldRecord),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List open holds",
      description: "The amounts held for calls in progress, newest first."
    })
  )

const patch = HttpApiEndpoint.patch("patch", "/v1/wallet", {
  payload: WalletPatch,
  success: WalletBalance,
  error: responses(BadRequest, WalletNotFound, WalletInvalidAmount)
})
  .annotate(EndpointPolicy, { scope: "wallet.write" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set the low-balance threshold",
      description: "The event `wallet.low_balance` is sent once each time the balance falls below the threshold."
    })
  )
  .middleware(JsonWrite)

const autoTopUp = HttpApiEndpoint.get("autoTopUp", "/v1/wallet/auto-topup", {
  success: AutoTopUpRecord,
  error: responses(WalletNotFound)
})
  .annotate(EndpointPolicy, { scope: "wallet.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the automatic top-ups",
      description: "Their settings, the saved card, and what they have charged in this month. They are off by default."
    })
  )

const setAutoTopUp = HttpApiEndpoint.put("setAutoTopUp", "/v1/wallet/auto-topup", {
  payload: AutoTopUpRequest,
  success: AutoTopUpRecord,
  error: responses(
    BadRequest,
    WalletNotFound,
    WalletCardMissing,
    ApiKeyScopeDenied,
    CurrencyUnsupported,
    WalletCurrencyMismatch,
    MobileMoneyUnavailable,
    CardProviderUnavailable,
    WalletInvalidAmount,
    WalletTopUpBelowMinimum,
    TopUpLimitExceeded
  )
})
  .annotate(EndpointPolicy, { scope: "wallet.write" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set the automatic top-ups",
      description:
        "While less than the threshold is available, the saved card is charged: one top-up at a time, and in a month " +
        "never more than the ceiling. To enable them needs a card that a top-up has saved. Only signed-in admins " +
        "can raise the ceiling. Admins get a mail about each change."
    })
  )
  .middleware(JsonWrite)

const removeCard = HttpApiEndpoint.delete("removeCard", "/v1/wallet/card", {
  success: AutoTopUpRecord,
  error: responses(WalletNotFound)
})
  .annotate(EndpointPolicy, { scope: "wallet.write" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Remove the saved card",
      description: "It is charged no more. Automatic top-ups are turned off."
    })
  )

export class WalletApi extends HttpApiGroup.make("wallet")
  .add(balance, patch, statements, holds, autoTopUp, setAutoTopUp, removeCard)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Wallet", description: "The workspace's prepaid balance." })) {}
