import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { ProviderHasActiveSeries, ProviderInvalidCredentials } from "../../domain/errors/NumberErrors.ts"
import { ProviderPatch, ProviderRecord, ProviderRequest } from "../../domain/numbers/Provider.ts"
import { Id } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { idempotencyHeader } from "../request/JsonWrite.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { OperatorWrite } from "../middleware/OperatorWrite.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const create = HttpApiEndpoint.post("create", "/v1/admin/providers", {
  headers: idempotencyHeader,
  payload: ProviderRequest,
  success: ProviderRecord.pipe(HttpApiSchema.status(201)),
  error: responses(ProviderInvalidCredentials)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create a provider",
      description: "A provider carries numbers of the platform over a SIP trunk."
    })
  )
  .middleware(OperatorWrite)

const list = HttpApiEndpoint.get("list", "/v1/admin/providers", {
  success: Schema.Array(ProviderRecord)
}).annotateMerge(
  OpenApi.annotations({ summary: "List providers", description: "Newest first, including retired providers." })
)

const get = HttpApiEndpoint.get("get", "/v1/admin/providers/:id", {
  params: { id: Id },
  success: ProviderRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({ summary: "Read a provider", description: "Returns everything except the password." })
  )

const patch = HttpApiEndpoint.patch("patch", "/v1/admin/providers/:id", {
  params: { id: Id },
  payload: ProviderPatch,
  success: ProviderRecord,
  error: responses(NotFound, ProviderInvalidCredentials)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({ summary: "Change a provider", description: "Absent members keep their values." })
  )
  .middleware(JsonOnly)

const remove = HttpApiEndpoint.delete("remove", "/v1/admin/providers/:id", {
  params: { id: Id },
  success: HttpApiSchema.NoContent,
  error: responses(NotFound, ProviderHasActiveSeries)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retire a provider",
      description: "A provider with an active series cannot be retired."
    })
  )

export class AdminProvidersApi extends HttpApiGroup.make("admin_providers")
  .add(create, list, get, patch, remove)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: providers", description: "For the operators of the platform." })
  ) {}
