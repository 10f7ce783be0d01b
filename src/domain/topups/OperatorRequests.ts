// Requests of operators about payments, and the payments in suspense that they see.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { WorkspaceId } from "../BrandedIds.ts"

export const ReversalRequest = Schema.Struct({
  note: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(500)).annotate({
    description: "The reason. The customer sees it on the statement."
  })
}).annotate({ identifier: "ReversalRequest" })

export const ReleaseRequest = Schema.Struct({
  workspace_id: WorkspaceId.check(Schema.isUUID()).annotate({ description: "The workspace to credit." })
}).annotate({ identifier: "ReleaseRequest" })

export const SuspendedPayment = Schema.Struct({
  id: Schema.String.annotate({ description: "The provider's receipt." }),
  amount_minor: Schema.Int,
  currency: Currency,
  account_ref: Schema.NullOr(Schema.String).annotate({ description: "The reference as the payer entered it." }),
  paid_at: Schema.String
}).annotate({ identifier: "SuspendedPayment" })
export type SuspendedPayment = typeof SuspendedPayment.Type
