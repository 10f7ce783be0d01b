// Sign-in through an OpenID provider (OpenID Connect Core 1.0).
import { Context, type Effect } from "effect"
import type { IdpExchangeFailed, IdpNotConfigured } from "../errors/AuthErrors.ts"

/** Values to keep until the person returns. They bind the provider's response to this browser and to this sign-in. */
export interface Question {
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

export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** The URL to which to send the person. The provider redirects back to `redirect_uri`. */
    readonly ask: (
      redirect_uri: string
    ) => Effect.Effect<{ readonly url: string; readonly question: Question }, IdpNotConfigured | IdpExchangeFailed>
    /** The identity of the person who returned, from the whole URL of the return. */
    readonly answer: (url: string, question: Question) => Effect.Effect<Identity, IdpNotConfigured | IdpExchangeFailed>
  }
>()("trunkline/domain/ports/IdentityProvider") {}
