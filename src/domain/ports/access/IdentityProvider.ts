// Sign-in through an OpenID provider (OpenID Connect Core 1.0).
import { Context, type Effect } from "effect"
import type { IdpExchangeFailed, IdpNotConfigured } from "../../errors/AuthErrors.ts"
import type { Identity, SignInQuestion } from "../../access/Identity.ts"

export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    /** The URL to which to send the person. The provider redirects back to `redirect_uri`. */
    readonly ask: (
      redirect_uri: string
    ) => Effect.Effect<
      { readonly url: string; readonly question: SignInQuestion },
      IdpNotConfigured | IdpExchangeFailed
    >
    /** The identity of the person who returned, from the whole URL of the return. */
    readonly answer: (
      url: string,
      question: SignInQuestion
    ) => Effect.Effect<Identity, IdpNotConfigured | IdpExchangeFailed>
  }
>()("trunkline/domain/ports/IdentityProvider") {}
