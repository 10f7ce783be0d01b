// The state of a wallet: a currency, a balance, and the holds of the calls in progress.
import { HashMap, Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { Count, EpochMs, Minor, optional, orNull } from "../kit/Fields.ts"
import { presentOf } from "../Presence.ts"
import { AutoTopUp, evolveAutoTopUp, isEnabled, isTold, noAutoTopUp, stoppedBy, withCard } from "./AutoTopUp.ts"
import { Currency } from "./Currency.ts"
import { nothingCarried } from "../trunks/TrunkCapacity.ts"
import { addCharge, addDials, DialCounts, type DialHistory, emptyDialHistory } from "./DialLimiter.ts"
import { afterAlert, afterFailure, afterLegs, afterRefusal, CallActivity } from "./SecurityAlerts.ts"
import { EarlierHolds, type OpenHolds, withHold, withoutHold } from "./OpenHolds.ts"
import { addFresh, FreshMoney, freshSum, takeFresh } from "./FreshMoney.ts"
import { isAdjustment } from "./WalletCommand.ts"
import { isAutoTopUpEvent, type WalletEvent } from "./WalletEvent.ts"
import { afterWaiver, isWaiver, Waived } from "./Waivers.ts"
import { letters_max, WalletLetter } from "./WalletLetter.ts"
import { WorkspaceId } from "../BrandedIds.ts"

/** A credit or debit in the ledger, and the balance after it. */
export interface Booked {
  readonly entry_id: string
  readonly balance_minor: number
}

/** A debit that was called off. */
const CalledOff = Schema.Struct({ entry_id: Schema.String, at: EpochMs })

/** A wallet that was never opened. */
export interface AbsentWallet {
  readonly _tag: "Absent"
  readonly workspace_id: WorkspaceId
}

/** What is stored of a wallet. Its open holds and the destinations dialled of late are in tables of their own. */
export const WalletData = Schema.Struct({
  workspace_id: WorkspaceId,
  currency: Currency,
  balance_minor: Minor,
  /** The sum of the open holds. */
  held_minor: Minor,
  low_balance_threshold_minor: Minor,
  updated_at: EpochMs,
  /** When the open holds are next compared with the calls; null without open holds. */
  audit_at: orNull(EpochMs),
  dialled: DialCounts,
  /** The legs of open holds that an earlier version placed, whose rows do not say them. Absent: none. */
  earlier_holds: optional(EarlierHolds),
  /** Absent: nothing was counted yet. */
  activity: optional(CallActivity),
  /** Absent: no card was saved, and nothing was set. */
  auto: optional(AutoTopUp),
  /** The charges of calls that were given back. Absent: none yet. */
  waived: optional(Waived),
  /** Card payments that buy no high-risk and premium calls yet. Absent: none. */
  fresh: optional(Schema.Array(FreshMoney)),
  /** The mails that are not on their way yet. Absent: none. */
  letters: optional(Schema.Array(WalletLetter)),
  /** The debits that were called off of late, oldest first. Absent: none. */
  called_off: optional(Schema.Array(CalledOff)),
  /** The number of the wallet's latest webhook event. */
  sequence: Count,
  /** How many entries the wallet has in the ledger: the sequence of the latest one. */
  entries: Count
})

/** Only the sum of the open holds is stored with the wallet. The holds and the other sums are read from their rows. */
export interface PresentWallet extends Schema.Schema.Type<typeof WalletData>, OpenHolds {
  readonly _tag: "Present"
  readonly dialled: DialHistory
  /**
   * The latest credits and debits, oldest first, kept only in memory to recognise repeated commands. Wallets.ts looks
   * older ones up in the ledger, whose primary key finally prevents duplicates.
   */
  readonly recent: ReadonlyArray<Booked>
}

export type Wallet = AbsentWallet | PresentWallet

/**
 * How long after a hold the calls are checked, and how often while holds are open. A call begins at most 10 s after its
 * hold (`isPlacedLate`), and then waits for two batches of the journal, its own and the one ahead of it, of 13 s each
 * at most.
 */
export const audit_every_ms = 45_000

/** More movements than one wallet gets between a look into the ledger and the reply. */
const remembered = 64

/** A command does not travel for so long. */
const calledOffFor_ms = 3_600_000

export const initialWallet = (workspace_id: WorkspaceId): Wallet => ({ _tag: "Absent", workspace_id })

const openedWallet = (workspace_id: WorkspaceId, currency: Currency, at: number): PresentWallet => ({
  _tag: "Present",
  workspace_id,
  currency,
  balance_minor: 0,
  held_minor: 0,
  low_balance_threshold_minor: 0,
  updated_at: at,
  holds: HashMap.empty(),
  legs: 0,
  high_risk_legs: 0,
  audit_at: null,
  dialled: emptyDialHistory,
  trunk: nothingCarried,
  sequence: 0,
  entries: 0,
  recent: []
})

/** What calls and purchases can still use, in minor units. */
export const available_minor = (wallet: PresentWallet): number => wallet.balance_minor - wallet.held_minor

/** What high-risk and premium calls can still use: money that no card owner can dispute any more. */
export const availableForHighRisk_minor = (wallet: PresentWallet, now: number): number =>
  Math.max(0, available_minor(wallet) - freshSum(wallet.fresh ?? [], now))

/** Members of the state that also have a column. */
export const columnsOf = ({
  balance_minor,
  currency,
  held_minor,
  low_balance_threshold_minor,
  updated_at
}: PresentWallet) => ({ currency, balance_minor, held_minor, low_balance_threshold_minor, updated_at })

export const thresholdOf = ({ low_balance_threshold_minor }: PresentWallet) => ({ low_balance_threshold_minor })

/** What webhook events show of a wallet. */
export const moneyOf = (wallet: PresentWallet) => ({
  workspace_id: wallet.workspace_id,
  balance_minor: wallet.balance_minor,
  available_minor: available_minor(wallet),
  currency: wallet.currency,
  ...thresholdOf(wallet)
})

export type WalletNews = "wallet.adjusted" | "wallet.low_balance" | "wallet.negative" | "wallet.auto_topup_disabled"

const isLow = ({ balance_minor, low_balance_threshold_minor }: PresentWallet): boolean =>
  balance_minor < low_balance_threshold_minor

const adjusted = (event: WalletEvent): boolean =>
  (event._tag === "Credited" || event._tag === "Debited") && isAdjustment(event)

/** Whether the engine turned automatic top-ups off, and not the request that sets them. */
const isDisabled = (before: PresentWallet, after: PresentWallet, event: WalletEvent): boolean =>
  isEnabled(before.auto) && !isEnabled(after.auto) && event._tag !== "AutoTopUpSet"

/** The webhook events of a change. A balance below a threshold is announced once, when it falls below it. */
export const newsOf = (before: PresentWallet, after: PresentWallet, event: WalletEvent): ReadonlyArray<WalletNews> => {
  const news: Array<WalletNews> = adjusted(event) ? ["wallet.adjusted"] : []
  if (isLow(after) && !isLow(before)) news.push("wallet.low_balance")
  if (after.balance_minor < 0 && before.balance_minor >= 0) news.push("wallet.negative")
  if (isDisabled(before, after, event)) news.push("wallet.auto_topup_disabled")
  return news
}

/** `amount_minor` is positive for a credit and negative for a debit. */
const moved = (
  wallet: PresentWallet,
  amount_minor: number,
  { at, entry_id }: { readonly at: number; readonly entry_id: string }
): PresentWallet => {
  const balance_minor = wallet.balance_minor + amount_minor
  const recent = [...wallet.recent.slice(1 - remembered), { entry_id, balance_minor }]
  return { ...wallet, balance_minor, recent, entries: wallet.entries + 1, updated_at: at }
}

/** The ledger account of card payments. */
export const cardClearing = "clearing:card"

/** A payment may come with the card that its payer has saved. */
const credited = (wallet: PresentWallet, event: Extract<WalletEvent, { readonly _tag: "Credited" }>): PresentWallet => {
  const { amount_minor, at, card, fresh_until } = event
  const credit = moved(wallet, amount_minor, event)
  const after = {
    ...credit,
    ...(fresh_until !== undefined && { fresh: addFresh(wallet.fresh ?? [], amount_minor, fresh_until, at) }),
    ...(isWaiver(event) && { waived: afterWaiver(wallet.waived, at) })
  }
  return card === undefined ? after : { ...after, auto: withCard(wallet.auto ?? noAutoTopUp, card) }
}

/** The card whose payment was taken back is charged no more by itself. */
const debited = (wallet: PresentWallet, event: Extract<WalletEvent, { readonly _tag: "Debited" }>): PresentWallet => {
  const { fresh } = wallet
  const debit = moved(wallet, -event.amount_minor, event)
  const isOfCard = event.kind === "topup_reversal" && event.contra === cardClearing
  const after = isOfCard && fresh !== undefined ? { ...debit, fresh: takeFresh(fresh, event.amount_minor) } : debit
  const auto = event.kind === "topup_reversal" ? stoppedBy(wallet.auto, "payment_reversed") : wallet.auto
  return auto === undefined ? after : { ...after, auto }
}

const calledOff = (
  wallet: PresentWallet,
  { at, entry_id }: Extract<WalletEvent, { readonly _tag: "DebitCalledOff" }>
): PresentWallet => {
  const recent = (wallet.called_off ?? []).filter((debit) => debit.at > at - calledOffFor_ms)
  return { ...wallet, called_off: [...recent.slice(1 - remembered), { entry_id, at }] }
}

const placed = (
  wallet: PresentWallet,
  { begin = 0, dialled, hold }: Extract<WalletEvent, { readonly _tag: "HoldPlaced" }>
): PresentWallet => ({
  ...withHold(wallet, hold, begin),
  audit_at: wallet.audit_at ?? hold.placed_at + audit_every_ms,
  dialled: dialled === undefined ? wallet.dialled : addDials(wallet.dialled, dialled, hold.placed_at),
  ...(dialled?.legs !== undefined && { activity: afterLegs(wallet.activity ?? {}, dialled.legs, hold.placed_at) }),
  updated_at: hold.placed_at
})

const resized = (wallet: PresentWallet, hold_id: string, amount_minor: number, at: number): PresentWallet => ({
  ...withHold(wallet, { ...HashMap.getUnsafe(wallet.holds, hold_id), amount_minor }, 0),
  updated_at: at
})

const ended = (wallet: PresentWallet, hold_id: string, at: number): PresentWallet => {
  const left = withoutHold(wallet, hold_id)
  return { ...left, audit_at: HashMap.isEmpty(left.holds) ? null : wallet.audit_at, updated_at: at }
}

const applied = (wallet: PresentWallet, event: Exclude<WalletEvent, { readonly _tag: "Opened" }>): PresentWallet => {
  if (isAutoTopUpEvent(event))
    return { ...wallet, auto: evolveAutoTopUp(wallet.auto ?? noAutoTopUp, event), updated_at: event.at }
  switch (event._tag) {
    case "Credited":
      return credited(wallet, event)
    case "Debited":
      return debited(wallet, event)
    case "DebitCalledOff":
      return calledOff(wallet, event)
    case "LetterSent":
      return { ...wallet, letters: (wallet.letters ?? []).filter(({ id }) => id !== event.id) }
    case "ThresholdSet":
      return { ...wallet, low_balance_threshold_minor: event.low_balance_threshold_minor, updated_at: event.at }
    case "MonthClosed":
      return { ...wallet, updated_at: event.at }
    case "HoldPlaced":
      return placed(wallet, event)
    case "HoldExtended":
      return resized(wallet, event.hold_id, event.amount_minor, event.at)
    case "HoldCaptured": {
      const left = ended(wallet, event.hold_id, event.at)
      return {
        ...left,
        balance_minor: left.balance_minor - event.amount_minor,
        entries: left.entries + 1,
        dialled: addCharge(left.dialled, event.amount_minor, event.at)
      }
    }
    case "HoldReleased": {
      const left = ended(wallet, event.hold_id, event.at)
      return event.failed === true ? { ...left, activity: afterFailure(left.activity ?? {}, event.at) } : left
    }
    case "LegRefused":
      return { ...wallet, activity: afterRefusal(wallet.activity ?? {}, event.at) }
    case "Alerted":
      return { ...wallet, activity: afterAlert(wallet.activity ?? {}, event.alert, event.at) }
    case "AuditPassed":
      return { ...wallet, audit_at: HashMap.isEmpty(wallet.holds) ? null : event.at + audit_every_ms }
  }
}

/** For people: an e-mail address, the id of a key, or the operator. */
const nameOf = ({ actor: { id, label, type } }: Origin): string => {
  if (type === "api_key") return `the API key ${id ?? ""}`
  return label ?? "the operator"
}

/** The mail about a change of automatic top-ups. The same change at the same time is told once. */
const letterOfChange = ({ at, origin, settings }: Extract<WalletEvent, { _tag: "AutoTopUpSet" }>): WalletLetter => {
  const { amount_minor, enabled, monthly_ceiling_minor, threshold_minor } = settings
  const set = [enabled ? "on" : "off", threshold_minor, amount_minor, monthly_ceiling_minor].join(" ")
  return { _tag: "AutoTopUpChanged", id: `auto_topup_set ${at} ${set}`, at, ...settings, by: nameOf(origin) }
}

/** The mails of a change, numbered by the wallet's webhook events. */
const lettersOf = (
  before: PresentWallet,
  after: PresentWallet,
  event: WalletEvent,
  news: ReadonlyArray<WalletNews>
): ReadonlyArray<WalletLetter> => {
  const { auto, balance_minor, low_balance_threshold_minor, sequence, updated_at: at } = after
  const letters: Array<WalletLetter> = []
  if (news.includes("wallet.low_balance"))
    letters.push({
      _tag: "LowBalance",
      id: `low_balance ${sequence}`,
      at,
      balance_minor,
      threshold_minor: low_balance_threshold_minor
    })
  if (event._tag === "AutoTopUpSet" && isTold(before.auto, auto)) letters.push(letterOfChange(event))
  const failed = event._tag === "AutoTopUpEnded" && event.outcome !== "succeeded"
  const stopped = news.includes("wallet.auto_topup_disabled") && event._tag !== "CardRemoved"
  if (auto !== undefined && (failed || stopped))
    letters.push({
      _tag: "AutoTopUpFailed",
      id: `auto_topup ${failed ? before.auto?.charge?.topup_id : sequence}`,
      at,
      amount_minor: (failed && before.auto?.charge?.amount_minor) || null,
      failure_code: failed ? event.failure_code : null,
      next_at: isEnabled(auto) ? auto.not_before : null,
      reason: auto.disabled
    })
  return letters
}

export const evolveWallet = (wallet: Wallet, event: WalletEvent): PresentWallet => {
  if (event._tag === "Opened") return openedWallet(wallet.workspace_id, event.currency, event.at)
  const before = presentOf(wallet)
  const next = applied(before, event)
  // The time of a wallet does not go back with the clock.
  const after = next.updated_at < before.updated_at ? { ...next, updated_at: before.updated_at } : next
  if (event._tag === "Alerted") return { ...after, sequence: after.sequence + 1 }
  const news = newsOf(before, after, event)
  if (news.length === 0 && event._tag !== "AutoTopUpEnded" && event._tag !== "AutoTopUpSet") return after
  const numbered = { ...after, sequence: after.sequence + news.length }
  const letters = lettersOf(before, numbered, event, news)
  return letters.length === 0
    ? numbered
    : { ...numbered, letters: [...(after.letters ?? []), ...letters].slice(-letters_max) }
}
