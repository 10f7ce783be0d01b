import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { IdentityProvider } from "../../../src/domain/ports/access/IdentityProvider.ts"
import * as OpenIdProvider from "../../../src/layers/oidc/OpenIdProvider.ts"
import { answering, receiver } from "../../support/Receiver.ts"

const client_id = "trunkline"
const redirect_uri = "https://voice.example/v1/auth/idp/callback"
const [ours, theirs] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")])
const published = { ...(await exportJWK(ours.publicKey)), kid: "ours", alg: "ES256", use: "sig" }

/** A provider whose token endpoint answers with an ID token that `key` signs. */
const provider = (key: CryptoKey) =>
  Effect.gen(function* () {
    let nonce = ""
    const sent = yield* receiver((request, response) => {
      const json = (body: object) =>
        answering(200, JSON.stringify(body), { "content-type": "application/json" })(request, response)
      const issuer = `http://${request.headers.host}`
      if (request.path.endsWith("/.well-known/openid-configuration"))
        return json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ["ES256"],
          response_types_supported: ["code"],
          subject_types_supported: ["public"]
        })
      if (request.path === "/jwks") return json({ keys: [published] })
      void new SignJWT({ nonce, email: "ann@example.com", email_verified: true })
        .setProtectedHeader({ alg: "ES256", kid: "ours" })
        .setIssuer(issuer)
        .setAudience(client_id)
        .setSubject("ann")
        .setIssuedAt()
        .setExpirationTime("5 minutes")
        .sign(key)
        .then((id_token) => json({ access_token: "a", token_type: "Bearer", id_token }))
    })
    const idp = yield* Effect.provide(
      Effect.service(IdentityProvider),
      OpenIdProvider.layer({
        issuer: `http://127.0.0.1:${sent.port}`,
        client_id,
        client_secret: Redacted.make("secret")
      })
    )
    const { question } = yield* idp.ask(redirect_uri)
    nonce = question.nonce
    return yield* Effect.result(idp.answer(`${redirect_uri}?code=c&state=${question.state}`, question))
  })

layer(Layer.empty, { excludeTestServices: true })("an ID token of the token endpoint", (it) => {
  it.effect("is accepted with the signature of the provider", () =>
    Effect.gen(function* () {
      const answer = yield* provider(ours.privateKey)
      assert.deepInclude(answer, { _tag: "Success" })
    }).pipe(Effect.scoped)
  )

  it.effect("is refused with the signature of anybody else, although it came over the provider's connection", () =>
    Effect.gen(function* () {
      const answer = yield* provider(theirs.privateKey)
      assert.strictEqual(answer._tag === "Failure" ? answer.failure._tag : answer._tag, "auth.idp_exchange_failed")
    }).pipe(Effect.scoped)
  )
})
