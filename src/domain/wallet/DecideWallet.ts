// What a wallet allows. Money that a call has not set aside is never charged, and nothing but credits raises a balance.
import { HashMap, Option, Result } from "effect"
import type { Decided } from "../Decision.ts"
import { CallConcurrencyLimitReached } from "../errors/CallErrors.ts"
import { unableToCarry } from "../trunks/TrunkLoad.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../errors/WalletErrors.ts"
import { mayDial } from "./Dialled.ts"
import { available_minor, legsUnderWay, type Wallet } from "./Wallet.ts"
import { amount_minor_max, type WalletCommand, type WalletReply } from "./WalletCommand.ts"
import type { Hold, WalletEvent } from "./WalletEvent.ts"

type Answer = Decided<WalletEvent, WalletReply>
type CommandOf<Tag extends WalletCommand["_tag"]> = Extract<WalletCommand, { readonly _tag: Tag }>

const happened = (event: WalletEvent, reply: WalletReply): Answer => Result.succeed({ events: [event], reply })
const nothing = (reply: WalletReply): Answer => Result.succeed({ events: [], reply })
const unknown = nothing({ _tag: "HoldUnknown" })

const holdOf = (wallet: Wallet, hold_id: string): Hold | undefined =>
  Option.getOrUndefined(HashMap.get(wallet.holds, hold_id))

const credit = (wallet: Wallet, command: CommandOf<"Credit">, at: number): Answer => {
  const made = wallet.recent.find(({ entry_id }) => entry_id === command.entry_id)
  if (made !== undefined) return nothing({ _tag: "Credited", balance_minor: made.balance_minor })
  const balance_minor = wallet.balance_minor + command.amount_minor
  if (command.amount_minor === 0 || balance_minor > amount_minor_max) return Result.fail(new WalletInvalidAmount())
  const { _tag, ...entry } = command
  return happened({ _tag: "Credited", at, ...entry }, { _tag: "Credited", balance_minor })
}

const debit = (wallet: Wallet, command: CommandOf<"Debit">, at: number): Answer => {
  const made = wallet.recent.find(({ entry_id }) => entry_id === command.entry_id)
  if (made !== undefined) return nothing({ _tag: "Debited", balance_minor: made.balance_minor })
  const { _tag, may_overdraw, ...entry } = command
  const balance_minor = wallet.balance_minor - entry.amount_minor
  if (entry.amount_minor === 0 || balance_minor < -amount_minor_max) return Result.fail(new WalletInvalidAmount())
  if (entry.amount_minor > available_minor(wallet) && !may_overdraw) return Result.fail(new WalletInsufficientFunds())
  return happened({ _tag: "Debited", at, ...entry }, { _tag: "Debited", balance_minor })
}

const setThreshold = (wallet: Wallet, command: CommandOf<"SetThreshold">, at: number): Answer => {
  const { low_balance_threshold_minor, origin } = command
  return low_balance_threshold_minor === wallet.low_balance_threshold_minor
    ? nothing({ _tag: "ThresholdSet" })
    : happened({ _tag: "ThresholdSet", at, low_balance_threshold_minor, origin }, { _tag: "ThresholdSet" })
}

/** The legs over the workspace's own trunk that a hold is for; and those of them that are new there. */
const boarding = (hold: Hold | undefined, { trunk }: CommandOf<"PlaceHold">) => {
  const before = hold?.trunk_legs ?? 0
  const legs = Math.max(before, trunk?.legs ?? 0)
  return { legs, more: legs - before }
}

/** `more_minor` is set aside by this very decision. */
const held = (wallet: Wallet, amount_minor: number, more_minor = 0): WalletReply => ({
  _tag: "Held",
  amount_minor,
  available_minor: available_minor(wallet) - more_minor
})

/** Asked for again, a hold is as large as the larger wish and as young as the later one: the audit spares it. */
const placeHold = (wallet: Wallet, command: CommandOf<"PlaceHold">, at: number): Answer => {
  const { call_id, dial, hold_id, max_legs = Infinity, trunk } = command
  const hold = holdOf(wallet, hold_id)
  const over_trunk = boarding(hold, command)
  const outward = dial !== undefined
  const legs = dial?.to.length ?? 1
  if (hold === undefined && legsUnderWay(wallet) + legs > max_legs) return Result.fail(new CallConcurrencyLimitReached())
  const unable = trunk && over_trunk.more > 0
    ? unableToCarry(wallet.trunk, { legs: over_trunk.more, outward, limits: trunk.limits }, at)
    : undefined
  if (unable !== undefined) return Result.fail(unable)
  const held_minor = hold?.amount_minor ?? 0
  const amount_minor = Math.max(command.amount_minor, held_minor)
  const more_minor = amount_minor - held_minor
  const dialled = hold === undefined && dial !== undefined
    ? mayDial(wallet.dialled, dial, at, wallet.held_minor + more_minor)
    : Result.succeed(undefined)
  if (Result.isFailure(dialled)) return Result.fail(dialled.failure)
  if (more_minor > available_minor(wallet)) return Result.fail(new WalletInsufficientFunds())
  return happened(
    {
      _tag: "HoldPlaced",
      hold: { id: hold_id, call_id, amount_minor, placed_at: at, ...(over_trunk.legs > 0 && { trunk_legs: over_trunk.legs }) },
      ...(legs > 1 && { legs }),
      ...(outward && over_trunk.more > 0 && { begin: over_trunk.more }),
      ...(dialled.success !== undefined && { dialled: dialled.success })
    },
    held(wallet, amount_minor, more_minor)
  )
}

const extendHold = (wallet: Wallet, { amount_minor, hold_id }: CommandOf<"ExtendHold">, at: number): Answer => {
  const hold = holdOf(wallet, hold_id)
  if (hold === undefined) return unknown
  const more_minor = amount_minor - hold.amount_minor
  if (more_minor <= 0) return nothing(held(wallet, hold.amount_minor))
  if (more_minor > available_minor(wallet)) return Result.fail(new WalletInsufficientFunds())
  return happened({ _tag: "HoldExtended", at, hold_id, amount_minor }, held(wallet, amount_minor, more_minor))
}

const handOverHold = (wallet: Wallet, command: CommandOf<"HandOverHold">, at: number): Answer => {
  const { amount_minor, call_id, from_hold_id, hold_id, over_trunk = false } = command
  const there = holdOf(wallet, hold_id)
  if (there !== undefined) return nothing(held(wallet, there.amount_minor))
  const from = holdOf(wallet, from_hold_id)
  if (from === undefined) return unknown
  const more_minor = amount_minor - from.amount_minor
  if (more_minor > 0 && more_minor > available_minor(wallet)) return Result.fail(new WalletInsufficientFunds())
  return Result.succeed({
    events: [
      { _tag: "HoldReleased", at, hold_id: from_hold_id },
      { _tag: "HoldPlaced", hold: { id: hold_id, call_id, amount_minor, placed_at: at, ...(over_trunk && { trunk_legs: 1 }) } }
    ],
    reply: held(wallet, amount_minor, more_minor)
  })
}

/** Never more than is held, whatever is asked: what the hold does not cover is the platform's loss. */
const captureHold = (wallet: Wallet, command: CommandOf<"CaptureHold">, at: number): Answer => {
  const { description, entry_id, hold_id } = command
  const hold = holdOf(wallet, hold_id)
  if (hold === undefined) return unknown
  const amount_minor = Math.min(command.amount_minor, hold.amount_minor)
  return happened(
    { _tag: "HoldCaptured", at, hold_id, amount_minor, entry_id, description },
    { _tag: "Captured", amount_minor, entry_id, balance_minor: wallet.balance_minor - amount_minor }
  )
}

const releaseHold = (wallet: Wallet, { hold_id }: CommandOf<"ReleaseHold">, at: number): Answer =>
  holdOf(wallet, hold_id) === undefined
    ? nothing({ _tag: "Released" })
    : happened({ _tag: "HoldReleased", at, hold_id }, { _tag: "Released" })

const audited = (wallet: Wallet, { orphaned_hold_ids, placed_before }: CommandOf<"Audited">, at: number): Answer => {
  const orphans = orphaned_hold_ids.filter((hold_id) => (holdOf(wallet, hold_id)?.placed_at ?? placed_before) < placed_before)
  const passed: WalletEvent = { _tag: "AuditPassed", at }
  if (orphans.length === 0) return Result.succeed({ events: [passed], reply: { _tag: "Audited" }, volatile: true })
  const released = orphans.map((hold_id): WalletEvent => ({ _tag: "HoldReleased", at, hold_id }))
  return Result.succeed({ events: [...released, passed], reply: { _tag: "Audited" } })
}

export const decideWallet = (wallet: Wallet, command: WalletCommand, now: number): Answer => {
  if (wallet.currency === null) {
    return command._tag === "Open"
      ? happened({ _tag: "Opened", at: now, currency: command.currency }, { _tag: "Opened" })
      : Result.fail(new WalletNotFound())
  }
  switch (command._tag) {
    case "Open":
      return nothing({ _tag: "Opened" })
    case "Credit":
      return credit(wallet, command, now)
    case "Debit":
      return debit(wallet, command, now)
    case "SetThreshold":
      return setThreshold(wallet, command, now)
    case "PlaceHold":
      return placeHold(wallet, command, now)
    case "ExtendHold":
      return extendHold(wallet, command, now)
    case "HandOverHold":
      return handOverHold(wallet, command, now)
    case "CaptureHold":
      return captureHold(wallet, command, now)
    case "ReleaseHold":
      return releaseHold(wallet, command, now)
    case "Audited":
      return audited(wallet, command, now)
  }
}
