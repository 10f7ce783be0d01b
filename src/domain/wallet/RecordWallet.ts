// What the books say of a decision of a wallet: its row, the holds it touched, and balanced entries.
import { HashMap } from "effect"
import type { HoldRow, LedgerEntryRow, Stored } from "../ports/Journal.ts"
import { latelyOf, nothingDialled } from "./Dialled.ts"
import { emptyWallet, evolveWallet, type Hold, type Wallet, type WalletEvent } from "./Wallet.ts"

const contra = { topup: "clearing:mobilemoney", manual_credit: "adjustments", refund: "adjustments", fee_waiver: "adjustments" }

export const cashAccount = (workspace_id: string): string => `workspace:${workspace_id}:cash`

const holdRow = (wallet: Wallet, hold: Hold, change: Partial<HoldRow>): HoldRow => ({
  id: hold.id,
  workspace_id: wallet.workspace_id,
  call_id: hold.call_id,
  amount_minor: hold.amount_minor,
  status: "open",
  captured_minor: 0,
  placed_at: hold.placed_at,
  closed_at: null,
  ...change
})

const holdRowOf = (wallet: Wallet, event: WalletEvent): HoldRow | undefined => {
  switch (event._tag) {
    case "HoldPlaced":
      return holdRow(wallet, event.hold, {})
    case "HoldExtended":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), { amount_minor: event.amount_minor })
    case "HoldCaptured":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), {
        status: "captured",
        captured_minor: event.amount_minor,
        closed_at: event.at
      })
    case "HoldReleased":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), { status: "released", closed_at: event.at })
    default:
      return undefined
  }
}

const entry = (
  wallet: Wallet,
  account: string,
  amount_minor: number,
  fields: Omit<LedgerEntryRow, "workspace_id" | "amount_minor" | "balance_after_minor" | "currency" | "metadata" | "lines">
): LedgerEntryRow => ({
  ...fields,
  workspace_id: wallet.workspace_id,
  amount_minor,
  balance_after_minor: wallet.balance_minor + amount_minor,
  currency: wallet.currency!,
  metadata: "{}",
  lines: [
    { account: cashAccount(wallet.workspace_id), amount_minor },
    { account, amount_minor: amount_minor === 0 ? 0 : -amount_minor }
  ]
})

const entryOf = (wallet: Wallet, event: WalletEvent): LedgerEntryRow | undefined => {
  switch (event._tag) {
    case "Credited":
      return entry(wallet, contra[event.kind], event.amount_minor, {
        id: event.entry_id,
        kind: event.kind,
        reference_type: event.reference_type,
        reference_id: event.reference_id,
        description: event.description,
        created_at: event.at,
        actor: JSON.stringify(event.actor)
      })
    case "HoldCaptured":
      return entry(wallet, "revenue:calls", event.amount_minor === 0 ? 0 : -event.amount_minor, {
        id: event.entry_id,
        kind: "call_charge",
        reference_type: "call",
        reference_id: HashMap.getUnsafe(wallet.holds, event.hold_id).call_id,
        description: event.description,
        created_at: event.at,
        actor: systemActor
      })
    default:
      return undefined
  }
}

const systemActor = JSON.stringify({ type: "system" })

export interface WalletRecorded {
  readonly workspace_id: string
  readonly state: string
  readonly columns: Readonly<Record<string, string | number | null>>
  readonly holds: ReadonlyArray<HoldRow>
  readonly ledger: ReadonlyArray<LedgerEntryRow>
}

export const recordWallet = (before: Wallet, after: Wallet, events: ReadonlyArray<WalletEvent>): WalletRecorded => {
  const holds: Array<HoldRow> = []
  const ledger: Array<LedgerEntryRow> = []
  let wallet = before
  for (const event of events) {
    const hold = holdRowOf(wallet, event)
    if (hold !== undefined) holds.push(hold)
    const booked = entryOf(wallet, event)
    if (booked !== undefined) ledger.push(booked)
    if (events.length > 1) wallet = evolveWallet(wallet, event)
  }
  const { dialled: { lately: _lately, ...dialled }, holds: _holds, ...state } = after
  return {
    workspace_id: after.workspace_id,
    state: JSON.stringify({ ...state, dialled }),
    columns: {
      currency: after.currency,
      balance_minor: after.balance_minor,
      held_minor: after.held_minor,
      low_balance_threshold_minor: after.low_balance_threshold_minor,
      updated_at: after.updated_at
    },
    holds,
    ledger
  }
}

export const restoreWallet = (stored: Stored, workspace_id: string): Wallet => {
  const state = JSON.parse(stored.state) as Omit<Wallet, "holds">
  return {
    ...emptyWallet(workspace_id),
    ...state,
    dialled: { ...nothingDialled, ...state.dialled, lately: latelyOf(stored.dialled ?? []) },
    holds: HashMap.fromIterable(stored.holds.map(({ amount_minor, call_id, id, placed_at }) =>
      [id, { id, call_id, amount_minor, placed_at }] as const))
  }
}
