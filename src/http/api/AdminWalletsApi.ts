import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
  InvalidCursor,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { TopUpLimit, TopUpLimitsRequest } from "../../domain/topups/TopUpLimit.ts"
import { ReleaseRequest, ReversalRequest, SuspendedPayment } from "../../domain/topups/OperatorRequests.ts"
import { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { AdjustmentRequest } from "../../domain/wallet/Adjustment.ts"
import { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import { idOf } from "../request/CallRef.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { TopUpId, WorkspaceId } from "../../domain/BrandedIds.ts"

const adjustmentKey = {
  "idempotency-key": Schema.optionalKey(Schema.String).annotate({
    description:
      "1 to 255 printable ASCII characters. " +
      "Repeating an adjustment of this wallet with the same key has no further effect. Keys do not expire."
  })
}

const adjust = HttpApiEndpoint.post("adjust", "/v1/admin/wallets/:workspace_id/adjustments", {
  params: { workspace_id: idOf(WorkspaceId) },
  headers: adjustmentKey,
  payload: AdjustmentRequest,
  success: StatementEntry.pipe(HttpApiSchema.status(201)),
  error: responses(
    IdempotencyKeyInvalid,
    IdempotencyConflict,
    WalletInsufficientFunds,
    WalletNotFound,
    WalletAdjustmentInvalidKind,
    WalletCurrencyMismatch,
    WalletInvalidAmount,
    CurrencyUnsupported
  )
})
  .annotate(EndpointPolicy, { whenIdMalformed: WalletNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Adjust a wallet",
      description:
        "Credits or debits a wallet manually. The customer sees the entry and its note; the audit log has the operator."
    })
  )
  .middleware(JsonOnly)

const reverse = HttpApiEndpoint.post("reverse", "/v1/admin/topups/:id/reverse", {
  params: { id: idOf(TopUpId) },
  payload: ReversalRequest,
  success: TopUpRecord,
  error: responses(TopUpNotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: TopUpNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Reverse a top-up",
      description:
        "Debits a top-up that the provider has charged back. The balance may become negative. " +
        "A repeated request has no further effect."
    })
  )
  .middleware(JsonOnly)

const payIns = HttpApiEndpoint.get("payIns", "/v1/admin/payins", {
  query: paging,
  success: ListOf(SuspendedPayment),
  error: responses(BadRequest, InvalidCursor)
}).annotateMerge(
  OpenApi.annotations({
    summary: "List payments in suspense",
    description: "Mobile-money payments whose reference matches no workspace, newest first."
  })
)

const release = HttpApiEndpoint.post("release", "/v1/admin/payins/:receipt/release", {
  params: { receipt: Schema.String.check(Schema.isMaxLength(20)) },
  payload: ReleaseRequest,
  success: TopUpRecord,
  error: responses(TopUpNotFound, WalletNotFound, WalletCurrencyMismatch)
})
  .annotate(EndpointPolicy, { whenIdMalformed: TopUpNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Assign a payment in suspense to a workspace",
      description: "Credits the wallet and records the payment as a manual top-up."
    })
  )
  .middleware(JsonOnly)

const Limits = Schema.Struct({ limits: Schema.Array(TopUpLimit) }).annotate({ identifier: "TopUpLimits" })

const setLimits = HttpApiEndpoint.post("setLimits", "/v1/admin/topup-limits", {
  payload: TopUpLimitsRequest,
  success: Limits,
  error: responses(BadRequest, ServiceUnavailable)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set top-up limits",
      description:
        "Sets all given limits or none. Returns the limits of every currency. They apply to top-ups started afterwards."
    })
  )
  .middleware(JsonOnly)

const listLimits = HttpApiEndpoint.get("listLimits", "/v1/admin/topup-limits", {
  success: Limits
}).annotateMerge(OpenApi.annotations({ summary: "List top-up limits", description: "Sorted by currency." }))

export class AdminWalletsApi extends HttpApiGroup.make("admin_wallets")
  .add(adjust, reverse, payIns, release, setLimits, listLimits)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: wallets", description: "For operators of the platform." })) {}
