// What operators see and ask of payments.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { WorkspaceId } from "../BrandedIds.ts"

export const ReversalRequest = Schema.Struct({
  note: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(500)).annotate({
    description: "Why. The customer reads it on the statement."
  })
}).annotate({ identifier: "ReversalRequest" })

export const ReleaseRequest = Schema.Struct({
  workspace_id: WorkspaceId.check(Schema.isUUID()).annotate({ description: "Whose money it is." })
}).annotate({ identifier: "ReleaseRequest" })

export const SuspendedPayment = Schema.Struct({
  id: Schema.String.annotate({ description: "The receipt." }),
  amount_minor: Schema.Int,
  currency: Currency,
  account_ref: Schema.NullOr(Schema.String).annotate({ description: "As the payer wrote it." }),
  paid_at: Schema.String
}).annotate({ identifier: "SuspendedPayment" })
export type SuspendedPayment = typeof SuspendedPayment.Type
