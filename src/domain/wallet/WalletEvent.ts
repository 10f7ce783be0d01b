// What happens to a wallet.
import type { AutoTopUpEvent } from "./AutoTopUp.ts"
import type { Currency } from "./Currency.ts"
import type { PlacedDials } from "./DialLimiter.ts"
import type { Credit, Debit, WalletMessage } from "./WalletCommand.ts"
import type { SecurityAlert } from "./SecurityAlerts.ts"
import type { CallId } from "../BrandedIds.ts"

export interface Hold {
  readonly id: string
  readonly call_id: CallId
  readonly amount_minor: number
  readonly placed_at: number
  /** How many of its legs use the workspace's own trunk. Absent means none. */
  readonly trunk_legs?: number
  /** How many legs ring until one of them takes the money. Absent: it is for one leg. */
  readonly legs?: number
  /** How many of its legs have a rate of class high_risk or premium. Absent means none. */
  readonly high_risk_legs?: number
}

const autoTopUpEvents: ReadonlySet<string> = new Set<AutoTopUpEvent["_tag"]>([
  "AutoTopUpSet",
  "CardRemoved",
  "CardForgotten",
  "AutoTopUpBegun",
  "AutoTopUpPostponed",
  "AutoTopUpStopped",
  "AutoTopUpEnded"
])

export const isAutoTopUpEvent = (event: WalletEvent): event is AutoTopUpEvent => autoTopUpEvents.has(event._tag)

export type WalletEvent =
  | AutoTopUpEvent
  | { readonly _tag: "Opened"; readonly at: number; readonly currency: Currency }
  | ({ readonly _tag: "Credited"; readonly at: number } & Omit<Credit, "_tag" | "max_waived_a_day">)
  | ({ readonly _tag: "Debited"; readonly at: number } & Omit<Debit, "_tag" | "may_overdraw">)
  /** A debit will not be made. It is stored, so that no write from before can make it either. */
  | { readonly _tag: "DebitCalledOff"; readonly at: number; readonly entry_id: string }
  | ({ readonly _tag: "ThresholdSet"; readonly at: number } & Omit<WalletMessage<"SetThreshold">, "_tag">)
  /** Entries get no time before `at` from now on. */
  | { readonly _tag: "MonthClosed"; readonly at: number }
  /** `begin`: how many legs begin now over the workspace's own trunk, called by the platform. */
  | {
      readonly _tag: "HoldPlaced"
      readonly hold: Hold
      readonly dialled?: PlacedDials
      readonly begin?: number
    }
  | { readonly _tag: "HoldExtended"; readonly at: number; readonly hold_id: string; readonly amount_minor: number }
  | {
      readonly _tag: "HoldCaptured"
      readonly at: number
      readonly hold_id: string
      readonly amount_minor: number
      readonly entry_id: string
      readonly description: string
    }
  /** `unused`: its call does not exist. `failed`: its call has failed. */
  | {
      readonly _tag: "HoldReleased"
      readonly at: number
      readonly hold_id: string
      readonly unused?: true
      readonly failed?: true
    }
  /** A leg was refused by the calling policy. */
  | { readonly _tag: "LegRefused"; readonly at: number }
  /** A mail is on its way. */
  | { readonly _tag: "LetterSent"; readonly id: string }
  | { readonly _tag: "Alerted"; readonly at: number; readonly alert: SecurityAlert }
  | { readonly _tag: "AuditPassed"; readonly at: number }
