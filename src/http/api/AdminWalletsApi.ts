import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CurrencyUnsupported, WalletAdjustmentInvalidKind, WalletCurrencyMismatch, WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound
} from "../../domain/errors/WalletErrors.ts"
import { AdjustmentRequest } from "../../domain/wallet/Adjustment.ts"
import { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import { Id } from "../CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const adjust = HttpApiEndpoint.post("adjust", "/v1/admin/wallets/:workspace_id/adjustments", {
  params: { workspace_id: Id },
  payload: AdjustmentRequest,
  success: StatementEntry.pipe(HttpApiSchema.status(201)),
  error: responses(
    WalletInsufficientFunds, WalletNotFound, WalletAdjustmentInvalidKind, WalletCurrencyMismatch, WalletInvalidAmount, CurrencyUnsupported
  )
}).annotate(Rules, { absent: WalletNotFound }).annotateMerge(OpenApi.annotations({
  summary: "Adjust a wallet",
  description: "Credits or debits by hand. The customer sees the entry with its note; the audit log has who did it."
})).middleware(JsonOnly)

export class AdminWalletsApi extends HttpApiGroup.make("admin_wallets")
  .add(adjust)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: wallets", description: "For those who run the platform." }))
{}
