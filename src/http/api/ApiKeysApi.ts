import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiKeyRecord, ApiKeyRequest } from "../../domain/access/ApiKeyRecord.ts"
import {
  ApiKeyAlreadyRevoked,
  ApiKeyLimitReached,
  ApiKeyNameRequired,
  ApiKeyNotFound,
  ApiKeyScopeInvalid
} from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { idOf } from "../request/CallRef.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { ApiKeyId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { Currency } from "../../domain/wallet/Currency.ts"

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

const create = HttpApiEndpoint.post("create", "/v1/api-keys", {
  headers: idempotencyHeader,
  payload: ApiKeyRequest,
  success: HttpApiSchema.WithHeaders(MintedApiKey, {
    location: Schema.String.annotate({ description: "The URL of the key." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, ApiKeyNameRequired, ApiKeyScopeInvalid, ApiKeyLimitReached)
})
  .annotate(EndpointPolicy, { account: true, role: "admin" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create an API key",
      description: "For signed-in admins only; API keys are refused. The response shows the key, only this once."
    })
  )
  .middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/api-keys", {
  query: paging,
  success: ListOf(ApiKeyRecord),
  error: responses(BadRequest, InvalidCursor)
})
  .annotate(EndpointPolicy, { account: true, role: "admin" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List API keys",
      description: "Newest first, including revoked and expired keys."
    })
  )

const get = HttpApiEndpoint.get("get", "/v1/api-keys/:id", {
  params: { id: idOf(ApiKeyId) },
  success: ApiKeyRecord,
  error: responses(ApiKeyNotFound)
})
  .annotate(EndpointPolicy, { account: true, role: "admin", whenIdMalformed: ApiKeyNotFound })
  .annotateMerge(OpenApi.annotations({ summary: "Read an API key", description: "Everything but the key itself." }))

const revoke = HttpApiEndpoint.post("revoke", "/v1/api-keys/:id/revoke", {
  params: { id: idOf(ApiKeyId) },
  headers: idempotencyHeader,
  success: ApiKeyRecord,
  error: responses(ApiKeyNotFound, ApiKeyAlreadyRevoked)
})
  .annotate(EndpointPolicy, { account: true, role: "admin", whenIdMalformed: ApiKeyNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Revoke an API key",
      description: "Cannot be undone. Every node refuses the key within a second."
    })
  )
  .middleware(JsonWrite)

const current = HttpApiEndpoint.get("current", "/v1/key", {
  success: CurrentApiKey,
  error: responses(ApiKeyNotFound)
})
  .annotate(EndpointPolicy, { anyKey: true })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the API key of this request",
      description: "What the key is and may do, and where it acts. Every key may read itself; it needs no scope."
    })
  )

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(create, list, get, revoke, current)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Signed-in admins create and revoke them." })) {}
