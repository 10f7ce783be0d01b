// Who somebody is at an OpenID provider (OpenID Connect Core 1.0).

/** Values to keep until the person returns. They bind the provider's response to this browser and to this sign-in. */
export interface SignInQuestion {
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

export interface Identity {
  readonly issuer: string
  /** Unique at the issuer and never reused. */
  readonly subject: string
  /** An e-mail address that the provider has verified; null if there is none. */
  readonly email: string | null
}
