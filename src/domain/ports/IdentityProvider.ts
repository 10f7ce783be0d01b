// Somebody else who knows who a person is: an OpenID provider (OpenID Connect Core 1.0).
import { Context, type Effect } from "effect"
import type { IdpExchangeFailed, IdpNotConfigured } from "../errors/AuthErrors.ts"

/** What must be known again when the person comes back: it binds the answer to this browser and to this question. */
export interface Question {
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

export interface Identity {
  readonly issuer: string
  /** Unique and never given again at the issuer. */
  readonly subject: string
  /** One that the provider has verified; null where it has none. */
  readonly email: string | null
}

export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** Where to send the person, who comes back to `redirect_uri`. */
    readonly ask: (
      redirect_uri: string
    ) => Effect.Effect<{ readonly url: string; readonly question: Question }, IdpNotConfigured | IdpExchangeFailed>
    /** Who came back, by the whole URL that they came back to. */
    readonly answer: (url: string, question: Question) => Effect.Effect<Identity, IdpNotConfigured | IdpExchangeFailed>
  }
>()("trunkline/domain/ports/IdentityProvider") {}
