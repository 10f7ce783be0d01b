import { Context, type Effect, type Redacted } from "effect"
import type { ApiKeyClaims, ApiKeyGrant } from "../../access/ApiKeyClaims.ts"
import type { ApiKeyExpired, ApiKeyInvalid } from "../../errors/ApiKeyErrors.ts"
import type { PublicJwk } from "../../access/PublicJwk.ts"

/** The platform's signing keys: API keys are made and proven here. */
export class Keyring extends Context.Service<
  Keyring,
  {
    /** The token of a new API key. It is shown once and kept nowhere. */
    readonly mint: (grant: ApiKeyGrant) => Effect.Effect<Redacted.Redacted>
    /** The claims of a genuine, unexpired token of this deployment. It may be revoked all the same: see DenyList. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<ApiKeyClaims, ApiKeyInvalid | ApiKeyExpired>
    /** Whether this process verified the token before. It may have expired since. */
    readonly knows: (token: Redacted.Redacted) => boolean
    /** The claims of a token that this process verified lately, and that has not expired since. Verifies nothing. */
    readonly recall: (token: Redacted.Redacted, now_ms: number) => ApiKeyClaims | undefined
    /** What others need to verify tokens: the body of `/v1/.well-known/jwks.json`. */
    readonly jwks: { readonly keys: ReadonlyArray<PublicJwk> }
  }
>()("trunkline/domain/ports/Keyring") {}
