// A wallet: one currency, a balance, and the money set aside for calls that are under way.
import { HashMap, Option } from "effect"
import type { CreditKind } from "./WalletCommand.ts"
import type { Currency } from "../ports/Directory.ts"
import { chargedNow, type Dialled, type DialledNow, dialledNow, nothingDialled } from "./Dialled.ts"

export interface Hold {
  readonly id: string
  readonly call_id: string
  readonly amount_minor: number
  readonly placed_at: number
}

export interface Wallet {
  readonly workspace_id: string
  /** Null until the wallet is opened. */
  readonly currency: Currency | null
  readonly balance_minor: number
  /** The sum of the open holds. */
  readonly held_minor: number
  readonly low_balance_threshold_minor: number
  readonly updated_at: number
  readonly holds: HashMap.HashMap<string, Hold>
  /** When the open holds are next compared with the calls; null without open holds. */
  readonly audit_at: number | null
  readonly dialled: Dialled
}

export type WalletEvent =
  | { readonly _tag: "Opened"; readonly at: number; readonly currency: Currency }
  | {
    readonly _tag: "Credited"
    readonly at: number
    readonly entry_id: string
    readonly kind: CreditKind
    readonly amount_minor: number
    readonly reference_type: string
    readonly reference_id: string
    readonly description: string
    readonly actor: Readonly<Record<string, string>>
  }
  | { readonly _tag: "HoldPlaced"; readonly hold: Hold; readonly dialled?: DialledNow }
  | { readonly _tag: "HoldExtended"; readonly at: number; readonly hold_id: string; readonly amount_minor: number }
  | {
    readonly _tag: "HoldCaptured"
    readonly at: number
    readonly hold_id: string
    readonly amount_minor: number
    readonly entry_id: string
    readonly description: string
  }
  | { readonly _tag: "HoldReleased"; readonly at: number; readonly hold_id: string }
  | { readonly _tag: "AuditPassed"; readonly at: number }

/** The books are compared so long after a hold was placed, and again and again while holds are open. */
export const audit_every_ms = 15_000

export const emptyWallet = (workspace_id: string): Wallet => ({
  workspace_id,
  currency: null,
  balance_minor: 0,
  held_minor: 0,
  low_balance_threshold_minor: 0,
  updated_at: 0,
  holds: HashMap.empty(),
  audit_at: null,
  dialled: nothingDialled
})

/** What calls and purchases can still use. */
export const available_minor = (wallet: Wallet): number => wallet.balance_minor - wallet.held_minor

const heldUnder = (wallet: Wallet, hold_id: string): number =>
  Option.match(HashMap.get(wallet.holds, hold_id), { onNone: () => 0, onSome: ({ amount_minor }) => amount_minor })

const withoutHold = (wallet: Wallet, hold_id: string, at: number): Wallet => {
  const hold = HashMap.getUnsafe(wallet.holds, hold_id)
  const holds = HashMap.remove(wallet.holds, hold_id)
  return {
    ...wallet,
    holds,
    held_minor: wallet.held_minor - hold.amount_minor,
    audit_at: HashMap.isEmpty(holds) ? null : wallet.audit_at,
    updated_at: at
  }
}

export const evolveWallet = (wallet: Wallet, event: WalletEvent): Wallet => {
  switch (event._tag) {
    case "Opened":
      return { ...wallet, currency: event.currency, updated_at: event.at }
    case "Credited":
      return { ...wallet, balance_minor: wallet.balance_minor + event.amount_minor, updated_at: event.at }
    case "HoldPlaced": {
      const { dialled, hold } = event
      return {
        ...wallet,
        holds: HashMap.set(wallet.holds, hold.id, hold),
        held_minor: wallet.held_minor - heldUnder(wallet, hold.id) + hold.amount_minor,
        audit_at: wallet.audit_at ?? hold.placed_at + audit_every_ms,
        dialled: dialled === undefined ? wallet.dialled : dialledNow(wallet.dialled, dialled, hold.placed_at),
        updated_at: hold.placed_at
      }
    }
    case "HoldExtended": {
      const hold = HashMap.getUnsafe(wallet.holds, event.hold_id)
      return {
        ...wallet,
        holds: HashMap.set(wallet.holds, hold.id, { ...hold, amount_minor: event.amount_minor }),
        held_minor: wallet.held_minor - hold.amount_minor + event.amount_minor,
        updated_at: event.at
      }
    }
    case "HoldCaptured": {
      const left = withoutHold(wallet, event.hold_id, event.at)
      return {
        ...left,
        balance_minor: left.balance_minor - event.amount_minor,
        dialled: chargedNow(left.dialled, event.amount_minor, event.at)
      }
    }
    case "HoldReleased":
      return withoutHold(wallet, event.hold_id, event.at)
    case "AuditPassed":
      return { ...wallet, audit_at: HashMap.isEmpty(wallet.holds) ? null : event.at + audit_every_ms }
  }
}
