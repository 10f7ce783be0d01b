// What a leg is requested with, and the money that is held for it.
import type { CallId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { OwnFacts } from "../../domain/calls/state/NewFacts.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { ServingTrunk, TrunkLimits } from "../../domain/trunks/TrunkCapacity.ts"

/** What placing a leg finds out: the number to show, the route and the price. */
type FoundOut =
  | "caller_id"
  | "direction"
  | "country"
  | "rate_per_min_minor"
  | "matched_prefix"
  | "high_risk"
  | "endpoint"
  | "address"
  | "trunk_id"

/** A leg to be placed. */
export interface LegRequest extends Omit<OwnFacts, FoundOut> {
  readonly id: CallId
  readonly workspace_id: WorkspaceId
  /** The number to show; null: `from`. */
  readonly caller_id: string | null
  /** The caller of the parent call, if that is inbound: the leg may show this number too. */
  readonly inbound_caller?: string
  readonly idempotency?: IdempotentRequest
  /** For a leg with a shared hold: what the wallet can hold beside it, minor units. */
  readonly available_minor?: number
}

interface TrunkLegs {
  readonly legs: number
  readonly limits: TrunkLimits
}

/** `legs` legs over the workspace's own trunk. */
export const overTrunk = ({ max_channels, max_cps }: TrunkLimits, legs: number): TrunkLegs => ({
  legs,
  limits: { max_channels, max_cps }
})

/** A hold for whichever of several legs is answered first. */
export interface SharedHold {
  readonly workspace_id: WorkspaceId
  readonly hold_id: string
  /** The call that dials the legs. */
  readonly call_id: CallId
  /** The first minute of the most expensive leg, minor units. */
  readonly amount_minor: number
  readonly to: ReadonlyArray<string>
  /** What the calling policy limits besides the numbers themselves. One for each leg. */
  readonly risks: ReadonlyArray<LegRisk>
  /** The legs that go over the workspace's own trunk, and its limits. */
  readonly trunk?: TrunkLegs
}

/** What the limits on new and high-risk destinations need to know of a leg. */
export interface LegRisk {
  /** The destination's country, if the number that calls is of another. */
  readonly abroad: string | undefined
  /** Whether its rate has the class high_risk or premium. */
  readonly high_risk: boolean
}

export interface LegPrice {
  readonly risk: LegRisk
  /** The first minute, minor units. */
  readonly amount_minor: number
  /** The workspace's own trunk, if the leg goes over it. */
  readonly trunk: ServingTrunk | undefined
}
