// What is stored for a change of an incoming payment: its row, and the ledger entry of money that is in suspense.
import type { LedgerEntryRow } from "../journal/Rows.ts"
import { presentOf } from "../Presence.ts"
import type { AnnouncedPayment, IncomingPayment, IncomingPaymentEvent } from "./IncomingPayment.ts"
import { receiptId } from "./ReceiptIds.ts"
import { stateOfIncomingPayment } from "./StoredIncomingPayment.ts"

/** Books a payment that is in nobody's wallet yet. */
const suspenseEntry = (
  receipt: string,
  { account_ref, amount_minor, currency }: AnnouncedPayment,
  at: number
): LedgerEntryRow => ({
  id: receiptId("suspense", receipt),
  workspace_id: null,
  sequence: null,
  kind: "suspense",
  amount_minor,
  balance_after_minor: 0,
  currency,
  reference_type: "receipt",
  reference_id: receipt,
  description: "A payment whose reference no workspace has",
  created_at: at,
  actor: JSON.stringify({ type: "system" }),
  metadata: JSON.stringify({ account_ref }),
  lines: [
    { account: "clearing:mobilemoney", amount_minor: -amount_minor },
    { account: "suspense", amount_minor }
  ]
})

export const recordIncomingPayment = ({
  after,
  events
}: {
  readonly after: IncomingPayment
  readonly events: ReadonlyArray<IncomingPaymentEvent>
}) => {
  const payment = presentOf(after)
  const { arrival, receipt, standing, topup_id, workspace_id } = payment
  const { account_ref, amount_minor, paid_at } = arrival
  return {
    workspace_id,
    state: stateOfIncomingPayment(payment),
    columns: { standing, amount_minor, account_ref, topup_id, paid_at },
    ledger: events.flatMap((event) => (event._tag === "Suspended" ? [suspenseEntry(receipt, arrival, event.at)] : []))
  }
}
