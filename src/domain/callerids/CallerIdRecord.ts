// A caller id as the API shows it.
import { Schema } from "effect"
import { CallerIdId } from "../BrandedIds.ts"
import { Count, IsoInstant, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { type CallerId, isChallenged, isProved } from "./CallerIds.ts"

/** `calling`: a call speaks the code, which can be entered. `unverified`: it was not entered in time. */
const CallerIdStatus = Schema.Literals(["calling", "unverified", "verified", "revoked"])

export const CallerIdRecord = Schema.Struct({
  id: CallerIdId,
  number: Schema.String,
  status: CallerIdStatus,
  created_at: IsoInstant,
  verified_at: orNull(IsoInstant),
  verified_by: orNull(Schema.Literals(["call", "operator"])),
  expires_at: orNull(IsoInstant),
  code_expires_at: orNull(IsoInstant),
  guesses_left: orNull(Count),
  failure: orNull(Schema.String)
}).annotate({ identifier: "CallerId" })
export type CallerIdRecord = typeof CallerIdRecord.Type

const statusOf = (row: CallerId, now: number): CallerIdRecord["status"] => {
  if (row.revoked_at !== null) return "revoked"
  if (isProved(row, now)) return "verified"
  return isChallenged(row, now) ? "calling" : "unverified"
}

export const callerIdRecord = (row: CallerId, now: number): CallerIdRecord => {
  const { challenge, created_at, id, number, proof } = row
  const open = isChallenged(row, now) ? challenge : null
  return {
    id,
    number,
    status: statusOf(row, now),
    created_at: isoInstant(created_at),
    verified_at: instantOrNull(proof?.at ?? null),
    verified_by: proof?.by ?? null,
    expires_at: instantOrNull(proof?.expires_at ?? null),
    code_expires_at: instantOrNull(open?.expires_at ?? null),
    guesses_left: open?.guesses_left ?? null,
    failure: challenge?.failure ?? null
  }
}
