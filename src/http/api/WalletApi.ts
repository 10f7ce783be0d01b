import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiKeyScopeDenied } from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
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
import { FilterInstant } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { scope: "wallet.read" }, write: { scope: "wallet.write" } })

export class WalletApi extends HttpApiGroup.make("wallet")
  .add(
    endpoint.get("balance", "/v1/wallet/balance", {
      summary: "Read the balance",
      description: "The balance, the amount held for calls in progress, and the amount available to spend.",
      success: WalletBalance,
      errors: [WalletNotFound]
    }),
    endpoint.patch("patch", "/v1/wallet", {
      summary: "Set the low-balance threshold",
      description: "The event `wallet.low_balance` is sent once each time the balance falls below the threshold.",
      payload: WalletPatch,
      success: WalletBalance,
      errors: [BadRequest, WalletNotFound, WalletInvalidAmount]
    }),
    endpoint.list("statements", "/v1/wallet/statements", {
      summary: "List ledger entries",
      description: "Newest first. Each entry has a reference to its cause and the balance after it.",
      query: {
        kind: Schema.optionalKey(StatementKind),
        from: Schema.optionalKey(FilterInstant),
        to: Schema.optionalKey(FilterInstant)
      },
      success: StatementEntry
    }),
    endpoint.list("holds", "/v1/wallet/holds", {
      summary: "List open holds",
      description: "The amounts held for calls in progress, newest first.",
      query: {},
      success: HoldRecord
    }),
    endpoint.get("autoTopUp", "/v1/wallet/auto-topup", {
      summary: "Read the automatic top-ups",
      description: "Their settings, the saved card, and what they have charged in this month. They are off by default.",
      success: AutoTopUpRecord,
      errors: [WalletNotFound]
    }),
    endpoint.put("setAutoTopUp", "/v1/wallet/auto-topup", {
      summary: "Set the automatic top-ups",
      description:
        "While less than the threshold is available, the saved card is charged: one top-up at a time, and in a month " +
        "never more than the ceiling. To enable them needs a card that a top-up has saved. Only signed-in admins " +
        "can raise the ceiling. Admins get a mail about each change.",
      payload: AutoTopUpRequest,
      success: AutoTopUpRecord,
      errors: [
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
      ]
    }),
    endpoint.remove("removeCard", "/v1/wallet/card", {
      summary: "Remove the saved card",
      description: "It is charged no more. Automatic top-ups are turned off.",
      success: AutoTopUpRecord,
      errors: [WalletNotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Wallet", description: "The workspace's prepaid balance." })) {}
