// How much a workspace's own trunk carries, as far as its definition limits it (docs/sip-trunks.md). It is part of the
// wallet for the same reason as what is dialled: no leg, whichever way it goes, is under way without a hold there.
import { Schema } from "effect"
import { CallConcurrencyLimitReached, CallRateLimited } from "../errors/CallErrors.ts"
import type { Failure } from "../errors/Failure.ts"

/** Null is no limit. */
export const TrunkLimits = Schema.Struct({
  max_channels: Schema.NullOr(Schema.Int),
  max_cps: Schema.NullOr(Schema.Int)
})
export type TrunkLimits = typeof TrunkLimits.Type

/** What serves as a workspace's trunk, as the PBX knows it. */
export interface ServingTrunk extends TrunkLimits {
  readonly id: string
}

export interface TrunkCapacity {
  /** Under way, whichever way they go. */
  readonly legs: number
  /** When the legs of the last second began that the platform called, the oldest first. */
  readonly begun: ReadonlyArray<number>
}

/** Legs that are about to be under way. */
export interface NewLegs {
  readonly legs: number
  /** Whether the platform calls; else it is called. */
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

const reasons: ReadonlySet<string | undefined> = new Set<keyof TrunkLimits>(["max_channels", "max_cps"])

/** Whether the trunk has no room, and nothing else is in the way. */
export const isOfTrunk = ({ reason }: Failure): boolean => reasons.has(reason)

/** A clock that was set back is nothing to wait for. */
const withinSecond = (begun: TrunkCapacity["begun"], now: number): TrunkCapacity["begun"] =>
  begun.filter((at) => at > now - second_ms && at <= now)

/** Why the legs cannot be carried now; undefined where they can. */
export const unableToCarry = (
  { begun, legs: carried }: TrunkCapacity,
  { legs, limits, outward }: NewLegs,
  now: number
): CallConcurrencyLimitReached | CallRateLimited | undefined => {
  const { max_channels, max_cps } = limits
  if (max_channels !== null && carried + legs > max_channels) return full()
  return outward && max_cps !== null && withinSecond(begun, now).length + legs > max_cps ? hasty() : undefined
}

/** `begin`: of these legs, those that the platform calls. */
export const carrying = (load: TrunkCapacity, legs: number, begin: number, now: number): TrunkCapacity => ({
  legs: load.legs + legs,
  begun: begin === 0 ? load.begun : [...withinSecond(load.begun, now), ...Array.from({ length: begin }, () => now)]
})

export const relieved = (load: TrunkCapacity, legs: number): TrunkCapacity => ({ ...load, legs: load.legs - legs })
