// The open holds of a wallet and the sums over them. A change of one hold changes each sum by its own share, so that it
// costs the same however many are open.
import { HashMap, Option, Schema } from "effect"
import { Count, optional } from "../kit/Fields.ts"
import { carrying, nothingCarried, relieved, type TrunkCapacity } from "../trunks/TrunkCapacity.ts"
import type { Hold } from "./WalletEvent.ts"

/**
 * The legs of open holds whose rows do not have them yet, by the id of the hold. The next write of the row has them,
 * and takes the hold out of here.
 */
export const EarlierHolds = Schema.Record(
  Schema.String,
  Schema.Struct({ legs: optional(Count), high_risk_legs: optional(Count) })
)
type EarlierHolds = typeof EarlierHolds.Type

export interface OpenHolds {
  readonly holds: HashMap.HashMap<string, Hold>
  readonly held_minor: number
  /** The legs in progress: each has a hold, or shares that of its dial. */
  readonly legs: number
  /** Those to destinations with a rate of class high_risk or premium. */
  readonly high_risk_legs: number
  /** Use of the workspace's own trunk. */
  readonly trunk: TrunkCapacity
  readonly earlier_holds?: EarlierHolds
}

export const holdOf = ({ holds }: Pick<OpenHolds, "holds">, hold_id: string): Hold | undefined =>
  Option.getOrUndefined(HashMap.get(holds, hold_id))

/** Whether a hold is for a high-risk or premium destination. */
export const isHighRisk = (hold: Hold | undefined): boolean => hold?.high_risk_legs !== undefined

const legsOf = ({ legs = 1 }: Hold): number => legs
const highRiskLegsOf = ({ high_risk_legs = 0 }: Hold): number => high_risk_legs
const trunkLegsOf = ({ trunk_legs = 0 }: Hold): number => trunk_legs

const sumOf = (holds: ReadonlyArray<Hold>, of: (hold: Hold) => number): number =>
  holds.reduce((sum, hold) => sum + of(hold), 0)

/** What is not stored with a wallet, made of the rows of its open holds. */
export const openHoldsOf = (holds: ReadonlyArray<Hold>): Omit<OpenHolds, "held_minor" | "earlier_holds"> => ({
  holds: HashMap.fromIterable(holds.map((hold) => [hold.id, hold] as const)),
  legs: sumOf(holds, legsOf),
  high_risk_legs: sumOf(holds, highRiskLegsOf),
  trunk: { ...nothingCarried, legs: sumOf(holds, trunkLegsOf) }
})

/** The wallet after the row of the hold is written, which has its legs from then on. */
const written = <W extends OpenHolds>(wallet: W, hold_id: string): W => {
  const { earlier_holds, ...others } = wallet
  if (earlier_holds?.[hold_id] === undefined) return wallet
  const { [hold_id]: _, ...left } = earlier_holds
  // The compiler does not know that a wallet without an optional member is still one.
  return (Object.keys(left).length === 0 ? others : { ...others, earlier_holds: left }) as W
}

/** Adds a hold, or replaces the one with its id. `begin`: how many of its new legs are outbound over the trunk. */
export const withHold = <W extends OpenHolds>(wallet: W, hold: Hold, begin: number): W => {
  const before = holdOf(wallet, hold.id)
  const carried = trunkLegsOf(hold) - (before === undefined ? 0 : trunkLegsOf(before))
  const after = {
    ...wallet,
    holds: HashMap.set(wallet.holds, hold.id, hold),
    held_minor: wallet.held_minor + hold.amount_minor - (before?.amount_minor ?? 0),
    legs: wallet.legs + legsOf(hold) - (before === undefined ? 0 : legsOf(before)),
    high_risk_legs: wallet.high_risk_legs + highRiskLegsOf(hold) - (before === undefined ? 0 : highRiskLegsOf(before)),
    trunk: carried === 0 ? wallet.trunk : carrying(wallet.trunk, carried, begin, hold.placed_at)
  }
  return wallet.earlier_holds === undefined ? after : written(after, hold.id)
}

/** Takes an open hold out. */
export const withoutHold = <W extends OpenHolds>(wallet: W, hold_id: string): W => {
  const hold = HashMap.getUnsafe(wallet.holds, hold_id)
  const carried = trunkLegsOf(hold)
  const after = {
    ...wallet,
    holds: HashMap.remove(wallet.holds, hold_id),
    held_minor: wallet.held_minor - hold.amount_minor,
    legs: wallet.legs - legsOf(hold),
    high_risk_legs: wallet.high_risk_legs - highRiskLegsOf(hold),
    trunk: carried === 0 ? wallet.trunk : relieved(wallet.trunk, carried)
  }
  return wallet.earlier_holds === undefined ? after : written(after, hold_id)
}
