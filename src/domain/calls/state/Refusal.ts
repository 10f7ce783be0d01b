// What a caller hears if a dial called nobody because its destinations were refused, and what becomes of the caller's
// line (docs/voice-actions.md, "Dial").
import type { Refusal } from "./CallFacts.ts"
import { RefusalReason, refusalMessage } from "../policy/Authorisation.ts"
import type { Dial } from "./Dial.ts"

const unrated: RefusalReason = "rate_not_configured"

const isRefusalReason = (reason: string | null): reason is RefusalReason =>
  RefusalReason.literals.some((literal) => literal === reason)

/** Why the dial called nobody. Undefined if it called somebody. A missing rate counts before other reasons. */
export const refusalOf = ({ legs }: Dial): Refusal | undefined => {
  if (!legs.every(({ outcome }) => outcome === "refused")) return undefined
  const refusals = legs.flatMap(({ refusal }) => refusal ?? [])
  return refusals.find(({ reason }) => reason === unrated) ?? refusals[0]
}

const isUnrated = (refusal: Refusal | undefined): boolean => refusal?.reason === unrated

/** What the user of a device hears. */
export const spokenToUser = ({ cause, reason }: Refusal): string => {
  if (isRefusalReason(reason)) return refusalMessage(reason)
  return cause === "insufficient_funds"
    ? "There are not enough funds for this call."
    : "This call cannot be placed at present."
}

/** What a caller from outside hears, who need not know the reason. Undefined: nothing. */
export const spokenToCaller = (refusal: Refusal | undefined): string | undefined =>
  isUnrated(refusal) ? "The number that you have called cannot be reached." : undefined

/** What the party of an answered call hears if its script dials without a rate. Undefined: nothing. */
export const spokenInScript = (dial: Dial | null): string | undefined => {
  const refusal = dial === null ? undefined : refusalOf(dial)
  return refusal !== undefined && isUnrated(refusal) ? refusalMessage(unrated) : undefined
}

/** The message that the party of an answered call must still hear. */
export const unspoken = (dial: Dial | null): string | undefined =>
  dial?.announced === true ? undefined : spokenInScript(dial)
