import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { plainEndpoints } from "./Endpoints.ts"

const PublicJwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  kid: Schema.String,
  alg: Schema.Literal("ES256"),
  use: Schema.Literal("sig")
}).annotate({ identifier: "PublicJwk" })

const endpoint = plainEndpoints()

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    endpoint.get("jwks", "/v1/.well-known/jwks.json", {
      summary: "Read the public signing keys",
      description: "Returns a JWK set (RFC 7517) that verifies the platform's tokens. No API key is needed.",
      success: Schema.Struct({ keys: Schema.Array(PublicJwk) }).annotate({ identifier: "JsonWebKeySet" }),
      errors: [BadRequest]
    })
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Signing keys", description: "The keys that verify the platform's tokens." })
  ) {}
