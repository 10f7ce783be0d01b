// Which number may call with a code, and whom the platform calls with one.
import type { Authorisation, RefusalReason } from "../calls/policy/Authorisation.ts"
import type { OwnedNumber } from "../numbers/OwnedNumber.ts"

/**
 * Whether calls from the number can speak codes. Those of a brought number leave over its workspace's trunk, whose
 * owner would hear them.
 */
export const speaksCodes = ({ source }: Pick<OwnedNumber, "source">): boolean => source === "platform"

/**
 * Why the platform does not call a number with a code; undefined: it does. Whoever is paid for calls to high-risk
 * numbers could have the platform call them, so the policy of the calling workspace does not allow them here.
 */
export const codeCallRefusal = (authorisation: Authorisation): RefusalReason | undefined => {
  if (!authorisation.ok) return authorisation.reason
  return authorisation.high_risk ? "high_risk_blocked" : undefined
}
