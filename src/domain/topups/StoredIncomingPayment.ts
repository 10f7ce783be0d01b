// The stored state of an incoming payment.
import { Schema } from "effect"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import type { PresentIncomingPayment } from "./IncomingPayment.ts"

const Instant = Schema.Int

const announced = {
  receipt: Schema.String,
  arrival: Schema.Struct({
    amount_minor: Schema.Int,
    currency: Currency,
    account_ref: Schema.NullOr(Schema.String),
    paid_at: Instant,
    arrived_at: Instant
  }),
  claimed_by: Schema.NullOr(TopUpId)
}

const StoredIncomingPayment = Schema.Union([
  Schema.Struct({
    ...announced,
    standing: Schema.Literals(["matching", "suspense"]),
    workspace_id: Schema.Null,
    topup_id: Schema.Null
  }),
  Schema.Struct({
    ...announced,
    standing: Schema.Literal("released"),
    workspace_id: WorkspaceId,
    topup_id: Schema.Null
  }),
  Schema.Struct({
    ...announced,
    standing: Schema.Literal("settled"),
    workspace_id: WorkspaceId,
    topup_id: TopUpId
  })
])

export const incomingPaymentState = storedState({
  schema: StoredIncomingPayment,
  upgrades: [
    // Payments used to be stored without a currency. M-Pesa was the only provider then.
    ({ arrival, ...stored }) => ({ ...stored, arrival: { currency: "KES", ...(arrival as object) } })
  ]
})

export const stateOfIncomingPayment = ({ _tag, ...stored }: PresentIncomingPayment): string =>
  incomingPaymentState.write(stored)

export const restoreIncomingPayment = incomingPaymentState.restore((stored): PresentIncomingPayment => ({
  _tag: "Present",
  ...stored
}))
