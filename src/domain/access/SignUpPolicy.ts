// Who may create an account: everybody, people who were invited, or nobody.
import { SignUpClosed } from "../errors/AuthErrors.ts"

export const signUpPolicies = ["open", "invited", "closed"] as const
export type SignUpPolicy = (typeof signUpPolicies)[number]

/** What is known of an address that has no account. */
export interface Newcomer {
  /** The settings name it as an operator's, who must be able to begin. */
  readonly is_operator: boolean
  /** An invitation to a workspace is open for it. */
  readonly is_invited: boolean
}

/** Why an address may have no account; undefined if it may. */
export const signUpRefusal = (
  policy: SignUpPolicy,
  { is_invited, is_operator }: Newcomer
): SignUpClosed | undefined => {
  if (policy === "open" || is_operator) return undefined
  if (policy === "closed") return new SignUpClosed()
  return is_invited
    ? undefined
    : new SignUpClosed({
        reason: "not_invited",
        message: "Only people who were invited can create an account here.",
        resolution: "Ask a member of a workspace for an invitation to this address."
      })
}
