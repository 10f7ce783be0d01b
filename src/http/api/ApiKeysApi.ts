import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiKeyRecord, ApiKeyRequest } from "../../domain/access/ApiKeyRecord.ts"
import {
  ApiKeyAlreadyRevoked,
  ApiKeyLimitReached,
  ApiKeyNameRequired,
  ApiKeyNotFound,
  ApiKeyScopeInvalid
} from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { ApiKeyId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { customerEndpoints } from "./Endpoints.ts"

export const MintedApiKey = Schema.Struct({
  ...ApiKeyRecord.fields,
  key: Schema.String.annotate({ description: "The key itself. Shown only once." })
}).annotate({ identifier: "MintedApiKey" })

export const CurrentApiKey = Schema.Struct({
  ...ApiKeyRecord.fields,
  workspace_id: WorkspaceId.annotate({
    description: "Where the key acts: its workspace, or for a test key the sandbox of its workspace."
  }),
  workspace_name: Schema.String.annotate({ description: "The name of the key's workspace." }),
  currency: Schema.NullOr(Currency).annotate({
    description: "The currency of the workspace's wallet. Null while it has none."
  })
}).annotate({ identifier: "CurrentApiKey" })

const endpoint = customerEndpoints({ read: {}, write: { account: true, role: "admin" } })

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    endpoint.post("create", "/v1/api-keys", {
      summary: "Create an API key",
      description: "For signed-in admins only; API keys are refused. The response shows the key, only this once.",
      payload: ApiKeyRequest,
      success: HttpApiSchema.WithHeaders(MintedApiKey, {
        location: Schema.String.annotate({ description: "The URL of the key." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, ApiKeyNameRequired, ApiKeyScopeInvalid, ApiKeyLimitReached]
    }),
    endpoint.list("list", "/v1/api-keys", {
      summary: "List API keys",
      description: "Newest first, including revoked and expired keys.",
      policy: { account: true, role: "admin" },
      query: {},
      success: ApiKeyRecord
    }),
    endpoint.get("get", "/v1/api-keys/:id", {
      summary: "Read an API key",
      description: "Everything but the key itself.",
      policy: { account: true, role: "admin" },
      params: { id: idOf(ApiKeyId) },
      success: ApiKeyRecord,
      errors: [ApiKeyNotFound]
    }),
    endpoint.post("revoke", "/v1/api-keys/:id/revoke", {
      summary: "Revoke an API key",
      description: "Cannot be undone. Every node refuses the key within a second.",
      params: { id: idOf(ApiKeyId) },
      success: ApiKeyRecord,
      errors: [ApiKeyNotFound, ApiKeyAlreadyRevoked]
    }),
    endpoint.get("current", "/v1/key", {
      summary: "Read the API key of this request",
      description: "What the key is and may do, and where it acts. Every key may read itself; it needs no scope.",
      policy: { anyKey: true },
      success: CurrentApiKey,
      errors: [ApiKeyNotFound]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Signed-in admins create and revoke them." })) {}
