// Whether a registrar makes the PBX register more often than every 30 seconds (docs/sip-trunks.md). A registrar can do
// so by short registrations, by responses that demand another request at once, or by closing the connection.

/** The reason that a PBX reports, and that the trunk shows. */
export const registersTooOften = "registers_too_often"

/** What is seen of a registration at one time. */
export interface RegistrationLook {
  /** Epoch milliseconds. */
  readonly at: number
  /** How many messages and timers of the registration the PBX has handled so far. */
  readonly handled: number
  /** When the PBX renews the registration, in epoch milliseconds. Undefined: it is not registered. */
  readonly renewed_at: number | undefined
}

export interface RegistrationRate {
  readonly last: RegistrationLook
  /** What was handled lately, less what an orderly registration needs. */
  readonly surplus: number
  /** Renewals in sequence that were due too soon. */
  readonly hasty: number
}

/** A registration every 30 seconds takes up to five a round, with a challenge; probes take as many. */
const orderly_per_s = 0.5
/** Corrections, such as one 423 or a stale challenge, are orderly. */
const surplusMax = 60
const hastyMax = 3
const leastRenewal_ms = 30_000
/** The PBX tells whole seconds. */
const rounding_ms = 2_000
/** A shift of the renewal by more than that is a renewal. */
const renewal_ms = 3_000

export const firstLook = (last: RegistrationLook): RegistrationRate => ({ last, surplus: 0, hasty: 0 })

/**
 * The registration was renewed between two looks, so it lasts for at least what is left at the second, and for at most
 * that and the time between them.
 */
const hastyAfter = ({ hasty, last }: RegistrationRate, { at, renewed_at }: RegistrationLook): number => {
  if (renewed_at === undefined || last.renewed_at === undefined) return hasty
  if (Math.abs(renewed_at - last.renewed_at) <= renewal_ms) return hasty
  const left = renewed_at - at
  if (left + (at - last.at) < leastRenewal_ms - rounding_ms) return hasty + 1
  return left >= leastRenewal_ms - rounding_ms ? 0 : hasty
}

export const nextLook = (rate: RegistrationRate, look: RegistrationLook): RegistrationRate => {
  const { last, surplus } = rate
  const orderly = ((look.at - last.at) / 1_000) * orderly_per_s
  const handled = Math.max(0, look.handled - last.handled)
  return { last: look, surplus: Math.max(0, surplus - orderly) + handled, hasty: hastyAfter(rate, look) }
}

export const isTooOften = ({ hasty, surplus }: RegistrationRate): boolean => surplus > surplusMax || hasty >= hastyMax
