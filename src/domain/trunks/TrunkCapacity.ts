// The load on a workspace's own trunk, for the limits of its definition (docs/sip-trunks.md). The wallet keeps it,
// because no leg, inbound or outbound, exists without a hold in the wallet.
import { Schema } from "effect"
import { CallConcurrencyLimitReached, CallRateLimited } from "../errors/CallErrors.ts"
import type { Failure } from "../errors/Failure.ts"
import { keysOf } from "../KeysOf.ts"
import type { PbxTrunkId } from "../BrandedIds.ts"

/** Null is no limit. */
export const TrunkLimits = Schema.Struct({
  max_channels: Schema.NullOr(Schema.Int),
  max_cps: Schema.NullOr(Schema.Int)
})
export type TrunkLimits = typeof TrunkLimits.Type
export const trunkLimits = keysOf(TrunkLimits.fields)

/** The trunk that carries a workspace's calls, by its id on the PBX. */
export interface ServingTrunk extends TrunkLimits {
  readonly id: PbxTrunkId
}

export interface TrunkCapacity {
  /** Live legs, inbound and outbound. */
  readonly legs: number
  /** When the outbound legs of the last second began, oldest first. Epoch milliseconds. */
  readonly begun: ReadonlyArray<number>
}

/** Legs that are about to begin. */
export interface NewLegs {
  readonly legs: number
  /** Whether the legs are outbound. */
  readonly outward: boolean
  readonly limits: TrunkLimits
}

export const nothingCarried: TrunkCapacity = { legs: 0, begun: [] }

const second_ms = 1_000

const full = (): CallConcurrencyLimitReached =>
  new CallConcurrencyLimitReached({
    reason: "max_channels",
    message: "As many calls are under way over the workspace's trunk as its max_channels allows.",
    resolution: "Wait for a call to end, or raise max_channels of the trunk."
  })

const hasty = (): CallRateLimited =>
  new CallRateLimited({
    reason: "max_cps",
    message: "Calls begin over the workspace's trunk faster than its max_cps allows.",
    resolution: "Wait for Retry-After, or raise max_cps of the trunk.",
    retry_after_seconds: 1
  })

const reasons: ReadonlySet<string | undefined> = new Set(trunkLimits)

/** Whether the failure is one of the trunk's own limits. */
export const isOfTrunk = ({ reason }: Failure): boolean => reasons.has(reason)

/** Ignores times in the future: the clock was set back. */
const withinSecond = (begun: TrunkCapacity["begun"], now: number): TrunkCapacity["begun"] =>
  begun.filter((at) => at > now - second_ms && at <= now)

/** Why the legs cannot be carried now; undefined if they can. */
export const unableToCarry = (
  { begun, legs: carried }: TrunkCapacity,
  { legs, limits, outward }: NewLegs,
  now: number
): CallConcurrencyLimitReached | CallRateLimited | undefined => {
  const { max_channels, max_cps } = limits
  if (max_channels !== null && carried + legs > max_channels) return full()
  return outward && max_cps !== null && withinSecond(begun, now).length + legs > max_cps ? hasty() : undefined
}

/** Adds legs. `begin`: how many of them are outbound. */
export const carrying = (load: TrunkCapacity, legs: number, begin: number, now: number): TrunkCapacity => ({
  legs: load.legs + legs,
  begun: begin === 0 ? load.begun : [...withinSecond(load.begun, now), ...Array.from({ length: begin }, () => now)]
})

export const relieved = (load: TrunkCapacity, legs: number): TrunkCapacity => ({ ...load, legs: load.legs - legs })
