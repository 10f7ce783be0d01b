// A person who can sign in.
import type { UserId } from "../BrandedIds.ts"

export interface User {
  readonly id: UserId
  readonly email: string
  /** Whether the person has used a link that was mailed there. */
  readonly email_verified: boolean
  /** Whether an identity provider signs the person in too. */
  readonly idp_linked: boolean
}

export type Redeemed =
  | { readonly _tag: "SignedIn"; readonly user: User }
  | { readonly _tag: "Used" }
  /** Also for a link so old that it was deleted. */
  | { readonly _tag: "Expired" }
