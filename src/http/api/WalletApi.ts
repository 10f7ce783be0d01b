import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { StatementEntry, StatementKind } from "../../domain/wallet/StatementEntry.ts"
import { WalletBalance } from "../../domain/wallet/WalletBalance.ts"
import { FilterInstant, ListOf, paging } from "../Lists.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const balance = HttpApiEndpoint.get("balance", "/v1/wallet/balance", {
  success: WalletBalance,
  error: responses(WalletNotFound)
}).annotate(Rules, { scope: "wallet.read" }).annotateMerge(OpenApi.annotations({
  summary: "Read the balance",
  description: "What the wallet holds, what is set aside for calls under way, and what can be spent."
}))

const statements = HttpApiEndpoint.get("statements", "/v1/wallet/statements", {
  query: {
    ...paging,
    kind: Schema.optionalKey(StatementKind),
    from: Schema.optionalKey(FilterInstant),
    to: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(StatementEntry),
  error: responses(BadRequest, InvalidCursor)
}).annotate(Rules, { scope: "wallet.read" }).annotateMerge(OpenApi.annotations({
  summary: "List the movements of the wallet",
  description: "Newest first. Each entry names what it is about and the balance after it."
}))

export class WalletApi extends HttpApiGroup.make("wallet")
  .add(balance, statements)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Wallet", description: "The workspace's prepaid money." }))
{}
