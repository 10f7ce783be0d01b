import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { ProviderHasActiveSeries, ProviderInvalidCredentials } from "../../domain/errors/NumberErrors.ts"
import { ProviderPatch, ProviderRecord, ProviderRequest } from "../../domain/numbers/Provider.ts"
import { Id } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const endpoint = operatorEndpoints()

export class AdminProvidersApi extends HttpApiGroup.make("admin_providers")
  .add(
    endpoint.create("create", "/v1/admin/providers", {
      summary: "Create a provider",
      description: "A provider carries numbers of the platform over a SIP trunk.",
      payload: ProviderRequest,
      success: ProviderRecord.pipe(HttpApiSchema.status(201)),
      errors: [ProviderInvalidCredentials]
    }),
    endpoint.get("list", "/v1/admin/providers", {
      summary: "List providers",
      description: "Newest first, including retired providers.",
      success: Schema.Array(ProviderRecord)
    }),
    endpoint.get("get", "/v1/admin/providers/:id", {
      summary: "Read a provider",
      description: "Returns everything except the password.",
      params: { id: Id },
      success: ProviderRecord,
      errors: [NotFound]
    }),
    endpoint.patch("patch", "/v1/admin/providers/:id", {
      summary: "Change a provider",
      description: "Absent members keep their values.",
      params: { id: Id },
      payload: ProviderPatch,
      success: ProviderRecord,
      errors: [NotFound, ProviderInvalidCredentials]
    }),
    endpoint.remove("remove", "/v1/admin/providers/:id", {
      summary: "Retire a provider",
      description: "A provider with an active series cannot be retired.",
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      errors: [NotFound, ProviderHasActiveSeries]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: providers", description: "For the operators of the platform." })
  ) {}
