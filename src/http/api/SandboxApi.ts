import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TestModeRequired } from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).annotate({
  description: "Minor units."
})

const Credited = Schema.Struct({ balance_minor: Schema.Int, currency: Currency }).annotate({
  identifier: "SandboxCredit"
})

const endpoint = customerEndpoints({ write: { scope: "wallet.write", role: "member" } })

export class SandboxApi extends HttpApiGroup.make("sandbox")
  .add(
    endpoint.post("credit", "/v1/sandbox/credits", {
      summary: "Credit the sandbox",
      description:
        "Adds money to the wallet of the sandbox for nothing, until the balance is enough for 10,000 minutes. Test mode only.",
      payload: Schema.Struct({ amount_minor: Amount }).annotate({ identifier: "SandboxCreditRequest" }),
      success: Credited.pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, WalletNotFound, WalletInvalidAmount, TestModeRequired]
    }),
    endpoint.post("payIn", "/v1/sandbox/payins", {
      summary: "Pay into the sandbox by hand",
      description:
        "Simulates a payment by mobile money to the account reference of the sandbox. Responds with the top-up that it becomes. Test mode only.",
      payload: Schema.Struct({
        amount_minor: Amount,
        account_ref: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(64))).annotate({
          description: "The reference as the payer writes it. Default: that of the sandbox."
        })
      }).annotate({ identifier: "SandboxPayInRequest" }),
      success: TopUpRecord.pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, WalletNotFound, WalletInvalidAmount, TestModeRequired, ServiceUnavailable]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox", description: "Play money for test mode." })) {}
