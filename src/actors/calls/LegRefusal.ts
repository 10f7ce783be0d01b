// Turns the error of a leg that was not placed into what the call that dials it records.
import type { LegRefusal } from "../../domain/calls/state/CallFacts.ts"
import type { HangupCause } from "../../domain/calls/state/CallRecord.ts"
import { CallDestinationRefused, CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { WalletInsufficientFunds } from "../../domain/errors/WalletErrors.ts"
import { isOfTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import type { HoldRefusal, PriceRefusal } from "./Legs.ts"
import type { CallId } from "../../domain/BrandedIds.ts"

/** Why a leg is not placed. */
type PlaceRefusal = HoldRefusal | PriceRefusal

/** A trunk without room counts as a trunk that answers so itself. */
const causeOf = (error: PlaceRefusal): HangupCause => {
  if (isOfTrunk(error)) return "service_unavailable"
  return error instanceof WalletInsufficientFunds ? "insufficient_funds" : "destination_refused"
}

/** An error of one destination does not concern the others, and they may go over other trunks. */
const isOfDestination = (error: PlaceRefusal): boolean =>
  error instanceof CallDestinationRefused || error instanceof CallInvalidDestination

export const legRefusal = (call_id: CallId, error: PlaceRefusal): LegRefusal => ({
  call_id,
  cause: causeOf(error),
  detail: error._tag,
  reason: error.reason ?? null,
  whole: !isOfDestination(error) && !isOfTrunk(error)
})
