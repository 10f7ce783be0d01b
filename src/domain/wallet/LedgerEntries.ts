// The ledger entry of a movement of money, with its balanced lines (docs/wallet.md).
import { HashMap } from "effect"
import type { AuditActor } from "../access/Origin.ts"
import type { LedgerEntryRow } from "../journal/Rows.ts"
import type { PresentWallet } from "./Wallet.ts"
import type { CreditKind, DebitKind } from "./WalletCommand.ts"
import { isSandbox } from "../kit/Sandbox.ts"
import type { WalletEvent } from "./WalletEvent.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** The other account of each kind, unless the movement names one. */
const contraOf: Readonly<Record<CreditKind | DebitKind, string>> = {
  topup: "clearing:mobilemoney",
  topup_reversal: "clearing:mobilemoney",
  number_rental: "revenue:rental",
  storage_charge: "revenue:storage",
  manual_credit: "adjustments",
  refund: "adjustments",
  fee_waiver: "adjustments",
  manual_debit: "adjustments"
}

export const cashAccount = (workspace_id: WorkspaceId): string => `workspace:${workspace_id}:cash`

/** The other account of an entry. Play money has accounts of its own, so that the books add up real money only. */
const contraAccount = ({ workspace_id }: PresentWallet, account: string): string =>
  isSandbox(workspace_id) ? `sandbox:${account}` : account

/** Avoids negative zero, which would show in the ledger. */
const negated = (amount_minor: number): number => (amount_minor === 0 ? 0 : -amount_minor)

/** The actor as customers see it. Operators are not named. */
const shown = ({ id, type }: AuditActor): string =>
  JSON.stringify(type === "ops" ? { type } : { type, ...(id !== null && { id }) })

const systemActor = JSON.stringify({ type: "system" })

const entry = (
  wallet: PresentWallet,
  contra: string,
  amount_minor: number,
  fields: Omit<
    LedgerEntryRow,
    "workspace_id" | "sequence" | "amount_minor" | "balance_after_minor" | "currency" | "lines"
  >
): LedgerEntryRow => ({
  ...fields,
  workspace_id: wallet.workspace_id,
  sequence: wallet.entries + 1,
  // Lists order entries by time, then sequence. If the clock was set back, the entry takes the time of the last one.
  created_at: Math.max(fields.created_at, wallet.updated_at),
  amount_minor,
  balance_after_minor: wallet.balance_minor + amount_minor,
  currency: wallet.currency,
  lines: [
    { account: cashAccount(wallet.workspace_id), amount_minor },
    { account: contraAccount(wallet, contra), amount_minor: negated(amount_minor) }
  ]
})

/** `wallet` is the state before the event. Undefined if no money moves. */
export const entryOf = (wallet: PresentWallet, event: WalletEvent): LedgerEntryRow | undefined => {
  switch (event._tag) {
    case "Credited":
    case "Debited": {
      const { amount_minor, at, contra = contraOf[event.kind], entry_id, kind, metadata = {}, origin } = event
      const { description, reference_id, reference_type } = event
      return entry(wallet, contra, event._tag === "Credited" ? amount_minor : negated(amount_minor), {
        id: entry_id,
        kind,
        reference_type,
        reference_id,
        description,
        created_at: at,
        actor: shown(origin.actor),
        metadata: JSON.stringify(metadata)
      })
    }
    case "HoldCaptured":
      return entry(wallet, "revenue:calls", negated(event.amount_minor), {
        id: event.entry_id,
        kind: "call_charge",
        reference_type: "call",
        reference_id: HashMap.getUnsafe(wallet.holds, event.hold_id).call_id,
        description: event.description,
        created_at: event.at,
        actor: systemActor,
        metadata: "{}"
      })
    default:
      return undefined
  }
}
