// Automatic top-ups by a saved card. While the wallet can spend less than the threshold, a top-up must be under way: at
// most one at a time, and never more in a calendar month (UTC) than the ceiling. Amounts are minor units, instants
// epoch milliseconds.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { TopUpId } from "../BrandedIds.ts"
import { Count, EpochMs, Minor, optional, orNull } from "../kit/Fields.ts"
import { SavedCard } from "./SavedCard.ts"
import type { FailureCode } from "./FailureCode.ts"
import { endOf, monthOf } from "./CalendarMonth.ts"

export const AutoTopUpSettings = Schema.Struct({
  enabled: Schema.Boolean,
  /** A top-up starts while less than this is available. */
  threshold_minor: Minor,
  /** The amount of each top-up. */
  amount_minor: Minor,
  /** What automatic top-ups may sum up to in a month. */
  monthly_ceiling_minor: Minor
})
export type AutoTopUpSettings = typeof AutoTopUpSettings.Type

/** Why the engine turned automatic top-ups off. */
export const DisabledReason = Schema.Literals([
  "payments_failed",
  "authentication_required",
  "unconfirmed",
  "payment_reversed",
  "workspace_closed",
  "card_removed"
]).annotate({ identifier: "AutoTopUpDisabledReason" })
export type DisabledReason = typeof DisabledReason.Type

/** A top-up that is under way. */
const AutoCharge = Schema.Struct({
  topup_id: TopUpId,
  amount_minor: Minor,
  card: SavedCard,
  /** The workspace's reference, which every top-up carries. */
  account_ref: Schema.String,
  begun_at: EpochMs
})
export type AutoCharge = typeof AutoCharge.Type

export const AutoTopUp = Schema.Struct({
  /** Null: they were never set. */
  settings: orNull(AutoTopUpSettings),
  card: orNull(SavedCard),
  /** Set with the settings. */
  account_ref: Schema.String,
  /** The month of `charged_minor`, such as `2026-11`. */
  month: Schema.String,
  /** What was charged in the month, and what is being charged. A payment that failed for sure does not count. */
  charged_minor: Minor,
  charge: orNull(AutoCharge),
  /** How many payments have failed since the last one that succeeded. */
  failures: Count,
  /** No top-up starts before. */
  not_before: EpochMs,
  disabled: orNull(DisabledReason),
  /** The mails about changes of the settings on that day, a number of days since 1970 (UTC). Absent: none yet. */
  told: optional(Schema.Struct({ day: Schema.Int, mails: Count })),
  /** References of cards that are not used any more and that the provider is still to forget. Absent: none. */
  removed_cards: optional(Schema.Array(Schema.String))
})
export type AutoTopUp = typeof AutoTopUp.Type

/** How a top-up ended. `unconfirmed`: nobody knows whether the card was charged. */
export const ChargeOutcome = Schema.Literals(["succeeded", "failed", "unconfirmed"])
export type ChargeOutcome = typeof ChargeOutcome.Type

export type AutoTopUpEvent =
  | {
      readonly _tag: "AutoTopUpSet"
      readonly at: number
      readonly settings: AutoTopUpSettings
      readonly account_ref: string
      readonly origin: Origin
    }
  | { readonly _tag: "CardRemoved"; readonly at: number; readonly origin: Origin }
  /** The provider has forgotten a card. */
  | { readonly _tag: "CardForgotten"; readonly at: number; readonly reference: string }
  | { readonly _tag: "AutoTopUpBegun"; readonly at: number; readonly charge: AutoCharge }
  | { readonly _tag: "AutoTopUpPostponed"; readonly at: number; readonly until: number }
  | { readonly _tag: "AutoTopUpStopped"; readonly at: number; readonly reason: DisabledReason }
  | {
      readonly _tag: "AutoTopUpEnded"
      readonly at: number
      readonly outcome: ChargeOutcome
      readonly failure_code: FailureCode | null
    }

/** How long to wait after each failed payment. After one more the automatic top-ups are turned off. */
const pauses_ms = [3_600_000, 24 * 3_600_000]

export const noAutoTopUp: AutoTopUp = {
  settings: null,
  card: null,
  account_ref: "",
  month: "",
  charged_minor: 0,
  charge: null,
  failures: 0,
  not_before: 0,
  disabled: null
}

export const isEnabled = (auto: AutoTopUp | undefined): boolean => auto?.settings?.enabled === true

/** The mails about changes in a day, so that whoever has stolen a key cannot fill the mailboxes of admins. */
const changeMails_max = 10
const day_ms = 86_400_000

const differ = (before: AutoTopUpSettings | null, after: AutoTopUpSettings): boolean =>
  before === null ||
  before.enabled !== after.enabled ||
  before.threshold_minor !== after.threshold_minor ||
  before.amount_minor !== after.amount_minor ||
  before.monthly_ceiling_minor !== after.monthly_ceiling_minor

/** The mails of the day with the one about this change, or undefined if there is to be none. */
const toldOf = (auto: AutoTopUp, after: AutoTopUpSettings, at: number): AutoTopUp["told"] => {
  if (!differ(auto.settings, after)) return undefined
  const { day, mails } = auto.told ?? { day: 0, mails: 0 }
  const today = Math.max(day, Math.floor(at / day_ms))
  const before = today === day ? mails : 0
  return before < changeMails_max ? { day: today, mails: before + 1 } : undefined
}

/** Whether admins are told of a change of the settings by mail. */
export const isTold = (before: AutoTopUp = noAutoTopUp, after: AutoTopUp = noAutoTopUp): boolean =>
  before.told !== after.told

/** What was charged in the month of this instant. The month does not go back with the clock. */
export const chargedIn = ({ charged_minor, month }: AutoTopUp, at: number) =>
  month >= monthOf(at) ? { month, charged_minor } : { month: monthOf(at), charged_minor: 0 }

/** Each card is saved by a payment, so there are more only if somebody pays often while the provider is away. */
const removedCards_max = 20

const withRemoved = ({ removed_cards: _, ...auto }: AutoTopUp, removed: ReadonlyArray<string>): AutoTopUp => ({
  ...auto,
  ...(removed.length > 0 && { removed_cards: removed.slice(-removedCards_max) })
})

/** Replaces the saved card. The provider is then asked to forget the replaced one. */
export const withCard = (auto: AutoTopUp, card: SavedCard | null): AutoTopUp => {
  const { card: before, removed_cards = [] } = auto
  const removed = new Set([...removed_cards, ...(before === null ? [] : [before.reference])])
  if (card !== null) removed.delete(card.reference)
  return withRemoved({ ...auto, card }, [...removed])
}

/** The cards that the provider is to forget now. The one that is being charged waits: the charge may be repeated. */
export const cardsToForget = ({ charge, removed_cards = [] }: AutoTopUp): ReadonlyArray<string> =>
  removed_cards.filter((reference) => reference !== charge?.card.reference)

const stopped = (auto: AutoTopUp, disabled: DisabledReason): AutoTopUp =>
  auto.settings === null ? auto : { ...auto, settings: { ...auto.settings, enabled: false }, disabled }

/** Turned off by what happened to the wallet, not by a command about automatic top-ups. */
export const stoppedBy = (auto: AutoTopUp | undefined, reason: DisabledReason): AutoTopUp | undefined =>
  auto !== undefined && isEnabled(auto) ? stopped(auto, reason) : auto

const afterFailure = (auto: AutoTopUp, at: number, code: FailureCode | null): AutoTopUp => {
  const pause_ms = pauses_ms[auto.failures]
  const failed = { ...auto, failures: auto.failures + 1 }
  // The bank wants to ask the owner of the card, who is away.
  if (code === "authentication_required") return stopped(failed, "authentication_required")
  return pause_ms === undefined ? stopped(failed, "payments_failed") : { ...failed, not_before: at + pause_ms }
}

const ended = (
  auto: AutoTopUp,
  { at, failure_code, outcome }: Extract<AutoTopUpEvent, { readonly _tag: "AutoTopUpEnded" }>
): AutoTopUp => {
  const { charge, month } = auto
  const done = { ...auto, charge: null }
  if (charge === null || outcome === "succeeded") return { ...done, failures: 0, not_before: 0 }
  // A second charge could be one too many.
  if (outcome === "unconfirmed") return stopped(done, "unconfirmed")
  const is_counted = month === monthOf(charge.begun_at)
  const charged_minor = auto.charged_minor - (is_counted ? charge.amount_minor : 0)
  return afterFailure({ ...done, charged_minor }, at, failure_code)
}

export const evolveAutoTopUp = (auto: AutoTopUp, event: AutoTopUpEvent): AutoTopUp => {
  switch (event._tag) {
    case "AutoTopUpSet": {
      const told = toldOf(auto, event.settings, event.at)
      return {
        ...auto,
        ...(told && { told }),
        settings: event.settings,
        account_ref: event.account_ref,
        failures: 0,
        not_before: 0,
        disabled: null
      }
    }
    case "CardRemoved":
      return withCard(isEnabled(auto) ? stopped(auto, "card_removed") : auto, null)
    case "CardForgotten":
      return withRemoved(
        auto,
        (auto.removed_cards ?? []).filter((reference) => reference !== event.reference)
      )
    case "AutoTopUpBegun": {
      const { charged_minor, month } = chargedIn(auto, event.at)
      return { ...auto, month, charged_minor: charged_minor + event.charge.amount_minor, charge: event.charge }
    }
    case "AutoTopUpPostponed":
      return { ...auto, not_before: event.until }
    case "AutoTopUpStopped":
      return stopped(auto, event.reason)
    case "AutoTopUpEnded":
      return ended(auto, event)
  }
}

/** What a top-up that may start now charges. */
export type DueTopUp = Pick<AutoCharge, "amount_minor" | "card" | "account_ref"> & { readonly due_at: number }

/**
 * The top-up that the state asks for, and from when on it may start. Undefined: none. `available_minor`: what the
 * wallet can spend.
 */
export const dueTopUp = (auto: AutoTopUp | undefined, available_minor: number): DueTopUp | undefined => {
  if (auto === undefined || auto.charge !== null) return undefined
  const { account_ref, card, charged_minor, month, not_before, settings } = auto
  if (settings === null || !settings.enabled || card === null) return undefined
  const { amount_minor, monthly_ceiling_minor, threshold_minor } = settings
  if (available_minor >= threshold_minor || amount_minor > monthly_ceiling_minor) return undefined
  // Once the ceiling would be passed, the next top-up waits for the next month.
  const room_at = month !== "" && charged_minor + amount_minor > monthly_ceiling_minor ? endOf(month) : 0
  return { amount_minor, card, account_ref, due_at: Math.max(not_before, room_at) }
}
