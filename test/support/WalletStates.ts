// Wallets in five conditions and one command of each kind, for the tests of the wallet.
import { Result } from "effect"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { presentOf } from "../../src/domain/Presence.ts"
import { decideWallet } from "../../src/domain/wallet/DecideWallet.ts"
import { evolveWallet, initialWallet, type PresentWallet, type Wallet } from "../../src/domain/wallet/Wallet.ts"
import type { HoldRow } from "../../src/domain/journal/Rows.ts"
import { walletState } from "../../src/domain/wallet/StoredWallet.ts"
import type { Credit, Debit, WalletMessage } from "../../src/domain/wallet/WalletCommand.ts"
import type { WalletEvent } from "../../src/domain/wallet/WalletEvent.ts"
import { toTopUpId } from "../../src/domain/BrandedIds.ts"
import { callId, workspaceId } from "./Ids.ts"

export const id = workspaceId("workspace")
export const now = Date.UTC(2026, 10, 20)
export const became = (wallet: Wallet, ...events: ReadonlyArray<WalletEvent>): PresentWallet =>
  presentOf(events.reduce<Wallet>(evolveWallet, wallet))

export const closed = initialWallet(id)
export const empty = became(closed, { _tag: "Opened", at: now, currency: "KES" })
export const credit = (amount_minor: number, entry_id = "entry"): Credit => ({
  _tag: "Credit",
  entry_id,
  kind: "topup",
  amount_minor,
  reference_type: "topup",
  reference_id: "topup",
  description: "Top-up",
  origin: systemOrigin
})
export const debit = (amount_minor: number, may_overdraw = false, entry_id = "rent"): Debit => ({
  _tag: "Debit",
  entry_id,
  kind: "number_rental",
  may_overdraw,
  amount_minor,
  reference_type: "number",
  reference_id: "number",
  description: "Rent",
  origin: systemOrigin
})
export const funded = became(empty, { ...credit(1_000, "first"), _tag: "Credited", at: now })
/** 300 of the 1,000 are held for a call. */
export const holding = became(funded, {
  _tag: "HoldPlaced",
  hold: { id: "call", call_id: callId("call"), amount_minor: 300, placed_at: now }
})
export const spent = became(holding, {
  _tag: "HoldCaptured",
  at: now,
  hold_id: "call",
  amount_minor: 300,
  entry_id: "charge",
  description: ""
})

export const conditions: Readonly<Record<string, Wallet>> = { closed, empty, funded, holding, spent }

export const group = {
  to: ["+254711000001", "+254711000002"],
  limits: { calls_per_second: 100, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }
}

export const commands: Readonly<Record<string, WalletMessage>> = {
  Open: { _tag: "Open", currency: "KES" },
  "Credit 500": credit(500),
  "Credit 0": credit(0),
  "Credit again": credit(1_000, "first"),
  "Debit 500": debit(500),
  "Debit 0": debit(0),
  "Debit 1000": debit(1_000),
  "Debit 1500, may overdraw": debit(1_500, true),
  CallOff: { _tag: "CallOff", entry_id: "rent" },
  "SetThreshold 100": { _tag: "SetThreshold", low_balance_threshold_minor: 100, origin: systemOrigin },
  "SetThreshold 0": { _tag: "SetThreshold", low_balance_threshold_minor: 0, origin: systemOrigin },
  ShowAutoTopUp: { _tag: "ShowAutoTopUp" },
  SetAutoTopUp: {
    _tag: "SetAutoTopUp",
    settings: { enabled: true, threshold_minor: 1, amount_minor: 1, monthly_ceiling_minor: 1 },
    account_ref: "r",
    origin: systemOrigin
  },
  RemoveCard: { _tag: "RemoveCard", origin: systemOrigin },
  CardForgotten: { _tag: "CardForgotten", reference: "r" },
  BeginAutoTopUp: { _tag: "BeginAutoTopUp", topup_id: toTopUpId("t"), standing: "active" },
  AutoTopUpEnded: { _tag: "AutoTopUpEnded", topup_id: toTopUpId("t"), outcome: "succeeded", failure_code: null },
  LetterSent: { _tag: "LetterSent", id: "x" },
  CloseMonth: { _tag: "CloseMonth", until: now },
  "CloseMonth too early": { _tag: "CloseMonth", until: now + 1 },
  "PlaceHold 300": { _tag: "PlaceHold", hold_id: "call", call_id: callId("call"), amount_minor: 300 },
  "PlaceHold 1000": { _tag: "PlaceHold", hold_id: "call", call_id: callId("call"), amount_minor: 1_000 },
  "PlaceHold 1001": { _tag: "PlaceHold", hold_id: "call", call_id: callId("call"), amount_minor: 1_001 },
  "PlaceHold other 701": { _tag: "PlaceHold", hold_id: "other", call_id: callId("other"), amount_minor: 701 },
  "PlaceHold 1 of 1": { _tag: "PlaceHold", hold_id: "call", call_id: callId("call"), amount_minor: 300, max_legs: 1 },
  "PlaceHold 2 of 1": {
    _tag: "PlaceHold",
    hold_id: "other",
    call_id: callId("other"),
    amount_minor: 1_001,
    max_legs: 1
  },
  "PlaceHold 2 of 2": { _tag: "PlaceHold", hold_id: "other", call_id: callId("other"), amount_minor: 300, max_legs: 2 },
  "PlaceHold 1 of 0": { _tag: "PlaceHold", hold_id: "other", call_id: callId("other"), amount_minor: 300, max_legs: 0 },
  "PlaceHold 2 more of 3": {
    _tag: "PlaceHold",
    hold_id: "other",
    call_id: callId("other"),
    amount_minor: 300,
    max_legs: 3,
    dial: group
  },
  "PlaceHold 2 more of 2": {
    _tag: "PlaceHold",
    hold_id: "other",
    call_id: callId("other"),
    amount_minor: 300,
    max_legs: 2,
    dial: group
  },
  "ExtendHold 200": { _tag: "ExtendHold", hold_id: "call", amount_minor: 200 },
  "ExtendHold 600": { _tag: "ExtendHold", hold_id: "call", amount_minor: 600 },
  "ExtendHold 1001": { _tag: "ExtendHold", hold_id: "call", amount_minor: 1_001 },
  "HandOverHold 200": {
    _tag: "HandOverHold",
    from_hold_id: "call",
    hold_id: "leg",
    call_id: callId("leg"),
    amount_minor: 200
  },
  "HandOverHold 1001": {
    _tag: "HandOverHold",
    from_hold_id: "call",
    hold_id: "leg",
    call_id: callId("leg"),
    amount_minor: 1_001
  },
  "HandOverHold again": {
    _tag: "HandOverHold",
    from_hold_id: "gone",
    hold_id: "call",
    call_id: callId("call"),
    amount_minor: 300
  },
  "CaptureHold 300": { _tag: "CaptureHold", hold_id: "call", amount_minor: 300, entry_id: "charge", description: "" },
  "CaptureHold 900": { _tag: "CaptureHold", hold_id: "call", amount_minor: 900, entry_id: "charge", description: "" },
  "CaptureHold 0": { _tag: "CaptureHold", hold_id: "call", amount_minor: 0, entry_id: "charge", description: "" },
  ReleaseHold: { _tag: "ReleaseHold", hold_id: "call" },
  "ReleaseHold failed": { _tag: "ReleaseHold", hold_id: "call", failed: true },
  CountRefusal: { _tag: "CountRefusal", reason: "other" },
  Audited: { _tag: "Audited", orphaned_hold_ids: ["call", "stranger"], unused_hold_ids: [], placed_before: now + 1 },
  "Audited early": { _tag: "Audited", orphaned_hold_ids: ["call"], unused_hold_ids: [], placed_before: now }
}

/** Balance/held afterwards, or the refusal. `HoldUnknown` if there is no such hold, `-` if nothing changes. */
export const outcome = (wallet: Wallet, command: WalletMessage): string => {
  const decided = decideWallet(wallet, command, now)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { events, reply } = decided.success
  if (reply === null && events.length === 0) return "HoldUnknown"
  if (events.length === 0) return "-"
  const { balance_minor, held_minor } = became(wallet, ...events)
  return `${balance_minor}/${held_minor}`
}

/** The decision on a command that is not refused. */
export const decision = (wallet: Wallet, command: WalletMessage, at = now) =>
  Result.getOrThrow(decideWallet(wallet, command, at))

/** The state as version 2 stored it, which had the legs of the open holds: `open` are their rows. */
export const version2 = (state: string, open: ReadonlyArray<HoldRow>): string => {
  const { earlier_holds = {}, ...stored } = walletState.read(state)
  const groups: Record<string, number> = {}
  const high_risk: Record<string, number> = {}
  for (const row of open) {
    const { high_risk_legs, legs } = { ...row, ...earlier_holds[row.id] }
    if (legs > 1) groups[row.id] = legs
    if (high_risk_legs > 0) high_risk[row.id] = high_risk_legs
  }
  return JSON.stringify({ v: 2, ...stored, groups, ...(Object.keys(high_risk).length > 0 && { high_risk }) })
}
