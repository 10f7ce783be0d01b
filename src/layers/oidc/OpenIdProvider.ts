// Sign-in through an OpenID provider: authorization code with PKCE (RFC 7636), state and nonce.
import { Effect, Layer, Redacted, Result } from "effect"
import * as client from "openid-client"
import { readEmail } from "../../domain/access/Email.ts"
import { IdpExchangeFailed, IdpNotConfigured } from "../../domain/errors/AuthErrors.ts"
import { IdentityProvider } from "../../domain/ports/access/IdentityProvider.ts"
import { expectPresent } from "../../domain/ExpectPresent.ts"
import type { Identity } from "../../domain/access/Identity.ts"

export interface OpenIdSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

const timeout_seconds = 10

export const unconfigured: Layer.Layer<IdentityProvider> = Layer.succeed(IdentityProvider)({
  ask: () => Effect.fail(new IdpNotConfigured()),
  answer: () => Effect.fail(new IdpNotConfigured())
})

const exchange = <A>(evaluate: () => Promise<A>): Effect.Effect<A, IdpExchangeFailed> =>
  Effect.tryPromise({ try: evaluate, catch: (cause) => new IdpExchangeFailed({ cause }) })

/**
 * The signature of an ID token is verified although it comes over the provider's own connection. Allows plain HTTP if
 * the issuer URL is http://, for providers on the developer's machine.
 */
const discover = ({ client_id, client_secret, issuer }: OpenIdSettings) => {
  const insecure = issuer.startsWith("http:") ? [client.allowInsecureRequests] : []
  const execute = [client.enableNonRepudiationChecks, ...insecure]
  return client.discovery(new URL(issuer), client_id, Redacted.value(client_secret), undefined, {
    execute,
    timeout: timeout_seconds
  })
}

const emailOf = (claims: Readonly<Record<string, unknown>>): string | null => {
  const { email, email_verified } = claims
  if (email_verified !== true || typeof email !== "string") return null
  return Result.getOrElse(readEmail(email), () => null)
}

/** Discovers the provider when it is first needed, and again after a failure. */
export const layer = (settings: OpenIdSettings): Layer.Layer<IdentityProvider> =>
  Layer.sync(IdentityProvider, () => {
    let discovered: Promise<client.Configuration> | undefined
    const configuration = (): Promise<client.Configuration> => {
      discovered ??= discover(settings).catch((error: unknown) => {
        discovered = undefined
        throw error
      })
      return discovered
    }

    return IdentityProvider.of({
      ask: (redirect_uri) =>
        exchange(async () => {
          const code_verifier = client.randomPKCECodeVerifier()
          const question = { state: client.randomState(), nonce: client.randomNonce(), code_verifier }
          const url = client.buildAuthorizationUrl(await configuration(), {
            redirect_uri,
            scope: "openid email",
            state: question.state,
            nonce: question.nonce,
            code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
            code_challenge_method: "S256"
          })
          return { url: url.href, question }
        }),
      answer: (url, { code_verifier, nonce, state }) =>
        exchange(async (): Promise<Identity> => {
          const provider = await configuration()
          const tokens = await client.authorizationCodeGrant(provider, new URL(url), {
            pkceCodeVerifier: code_verifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true
          })
          const claims = expectPresent(tokens.claims(), "The ID token, which was expected,")
          const email =
            emailOf(claims) ?? emailOf(await client.fetchUserInfo(provider, tokens.access_token, claims.sub))
          return { issuer: claims.iss, subject: claims.sub, email }
        })
    })
  })
