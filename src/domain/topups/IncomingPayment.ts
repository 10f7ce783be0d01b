// A payment of mobile money that came in, identified by its receipt. The payment of a prompt is announced twice: by the
// callback of the prompt, and as a payment to the account. A payment by hand is announced once. Each payment becomes
// part of one top-up, or waits in suspense until an operator assigns it to a workspace.
import { Schema } from "effect"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"
import { task, type Work } from "../Decision.ts"
import { EpochMs, Minor, orNull } from "../kit/Fields.ts"
import { presentOf } from "../Presence.ts"
import { Currency } from "../wallet/Currency.ts"
import type { IncomingPaymentMessage } from "./IncomingPaymentCommand.ts"

/** What the announcement of a payment says. */
const AnnouncedPayment = Schema.Struct({
  amount_minor: Minor,
  currency: Currency,
  /** The reference as the payer wrote it. Null if the announcement does not include it. */
  account_ref: orNull(Schema.String),
  paid_at: EpochMs,
  /** When the first announcement reached the engine. */
  arrived_at: EpochMs
})
export type AnnouncedPayment = typeof AnnouncedPayment.Type

const announced = {
  receipt: Schema.String,
  arrival: AnnouncedPayment,
  /** The top-up whose prompt reported this payment as its own. */
  claimed_by: orNull(TopUpId)
}

/**
 * `matching`: the top-up is being determined. `released`: an operator has assigned the payment. `settled`: it has a
 * top-up.
 */
export const StoredIncomingPayment = Schema.Union([
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
  Schema.Struct({ ...announced, standing: Schema.Literal("settled"), workspace_id: WorkspaceId, topup_id: TopUpId })
])

export interface AbsentIncomingPayment {
  readonly _tag: "Absent"
  readonly receipt: string
}

export type PresentIncomingPayment = { readonly _tag: "Present" } & typeof StoredIncomingPayment.Type

/** Absent until it is announced. */
export type IncomingPayment = AbsentIncomingPayment | PresentIncomingPayment

export type IncomingPaymentEvent =
  | { readonly _tag: "Announced"; readonly arrival: AnnouncedPayment; readonly claimed_by: TopUpId | null }
  | { readonly _tag: "Claimed"; readonly topup_id: TopUpId }
  | { readonly _tag: "Suspended"; readonly at: number }
  | { readonly _tag: "Released"; readonly workspace_id: WorkspaceId }
  | { readonly _tag: "Settled"; readonly workspace_id: WorkspaceId; readonly topup_id: TopUpId }

export type IncomingPaymentWork =
  /** Finds the top-up that the payment is for, or creates one. */
  | { readonly _tag: "Match"; readonly arrival: AnnouncedPayment; readonly claimed_by: TopUpId | null }
  /** Creates the top-up of a payment that an operator has assigned. */
  | { readonly _tag: "Release"; readonly arrival: AnnouncedPayment; readonly workspace_id: WorkspaceId }

export const initialIncomingPayment = (receipt: string): IncomingPayment => ({ _tag: "Absent", receipt })

export const evolveIncomingPayment = (state: IncomingPayment, event: IncomingPaymentEvent): PresentIncomingPayment => {
  if (event._tag === "Announced") {
    const { arrival, claimed_by } = event
    const { receipt } = state
    return {
      _tag: "Present",
      receipt,
      arrival,
      claimed_by,
      standing: "matching",
      workspace_id: null,
      topup_id: null
    }
  }
  const payment = presentOf(state)
  switch (event._tag) {
    case "Claimed":
      return { ...payment, claimed_by: event.topup_id }
    case "Suspended":
      return { ...payment, standing: "suspense", workspace_id: null, topup_id: null }
    case "Released":
      return { ...payment, standing: "released", workspace_id: event.workspace_id, topup_id: null }
    case "Settled":
      return { ...payment, standing: "settled", workspace_id: event.workspace_id, topup_id: event.topup_id }
  }
}

export const planIncomingPayment = (
  payment: IncomingPayment
): ReadonlyArray<Work<IncomingPaymentMessage, IncomingPaymentWork>> => {
  if (payment._tag === "Absent") return []
  const { arrival, claimed_by } = payment
  switch (payment.standing) {
    case "matching":
      return [task(`match:${claimed_by}`, { _tag: "Match", arrival, claimed_by })]
    case "released":
      return [task("release", { _tag: "Release", arrival, workspace_id: payment.workspace_id })]
    case "suspense":
    case "settled":
      return []
  }
}
