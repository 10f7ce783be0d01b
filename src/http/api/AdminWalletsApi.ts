import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CurrencyUnsupported,
  WalletAdjustmentInvalidKind,
  WalletCurrencyMismatch,
  WalletInsufficientFunds,
  WalletInvalidAmount,
  WalletNotFound
} from "../../domain/errors/WalletErrors.ts"
import {
  BadRequest,
  IdempotencyConflict,
  IdempotencyKeyInvalid,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { TopUpLimit, TopUpLimitsRequest } from "../../domain/topups/TopUpLimit.ts"
import { ReleaseRequest, ReversalRequest, SuspendedPayment } from "../../domain/topups/OperatorRequests.ts"
import { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { AdjustmentRequest } from "../../domain/wallet/Adjustment.ts"
import { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { TopUpId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { writes } from "../request/EndpointRow.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const adjustmentKey = {
  "idempotency-key": Schema.optionalKey(Schema.String).annotate({
    description:
      "1 to 255 printable ASCII characters. " +
      "Repeating an adjustment of this wallet with the same key has no further effect. Keys do not expire."
  })
}

const Limits = Schema.Struct({ limits: Schema.Array(TopUpLimit) }).annotate({ identifier: "TopUpLimits" })

const endpoint = operatorEndpoints()
const adjusting = writes("POST", JsonOnly, {}, adjustmentKey)

export class AdminWalletsApi extends HttpApiGroup.make("admin_wallets")
  .add(
    adjusting("adjust", "/v1/admin/wallets/:workspace_id/adjustments", {
      summary: "Adjust a wallet",
      description:
        "Credits or debits a wallet manually. The customer sees the entry and its note; the audit log has the operator.",
      params: { workspace_id: idOf(WorkspaceId) },
      payload: AdjustmentRequest,
      success: StatementEntry.pipe(HttpApiSchema.status(201)),
      errors: [
        IdempotencyKeyInvalid,
        IdempotencyConflict,
        WalletInsufficientFunds,
        WalletNotFound,
        WalletAdjustmentInvalidKind,
        WalletCurrencyMismatch,
        WalletInvalidAmount,
        CurrencyUnsupported
      ]
    }),
    endpoint.post("reverse", "/v1/admin/topups/:id/reverse", {
      summary: "Reverse a top-up",
      description:
        "Debits a top-up that the provider has charged back. The balance may become negative. " +
        "A repeated request has no further effect.",
      params: { id: idOf(TopUpId) },
      payload: ReversalRequest,
      success: TopUpRecord,
      errors: [TopUpNotFound]
    }),
    endpoint.list("payIns", "/v1/admin/payins", {
      summary: "List payments in suspense",
      description: "Mobile-money payments whose reference matches no workspace, newest first.",
      query: {},
      success: SuspendedPayment
    }),
    endpoint.post("release", "/v1/admin/payins/:receipt/release", {
      summary: "Assign a payment in suspense to a workspace",
      description: "Credits the wallet and records the payment as a manual top-up.",
      params: { receipt: Schema.String.check(Schema.isMaxLength(20)) },
      payload: ReleaseRequest,
      success: TopUpRecord,
      errors: [TopUpNotFound, WalletNotFound, WalletCurrencyMismatch]
    }),
    endpoint.post("setLimits", "/v1/admin/topup-limits", {
      summary: "Set top-up limits",
      description:
        "Sets all given limits or none. Returns the limits of every currency. They apply to top-ups started afterwards.",
      payload: TopUpLimitsRequest,
      success: Limits,
      errors: [BadRequest, ServiceUnavailable]
    }),
    endpoint.get("listLimits", "/v1/admin/topup-limits", {
      summary: "List top-up limits",
      description: "Sorted by currency.",
      success: Limits
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: wallets", description: "For operators of the platform." })) {}
