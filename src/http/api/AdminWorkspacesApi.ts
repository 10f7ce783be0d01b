import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, InvalidCursor, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { Id } from "../request/CallRef.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const list = HttpApiEndpoint.get("list", "/v1/admin/workspaces", {
  query: { ...paging, status: Schema.optionalKey(Schema.Literals(["onboarding", "active", "suspended", "closed"])) },
  success: ListOf(WorkspaceRecord),
  error: responses(BadRequest, InvalidCursor)
}).annotateMerge(OpenApi.annotations({ summary: "List workspaces", description: "Of all tenants, newest first." }))

const SuspendRequest = Schema.Struct({
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))).annotate({
    description: "The workspace is told it."
  })
}).annotate({ identifier: "SuspendRequest" })

const suspend = HttpApiEndpoint.post("suspend", "/v1/admin/workspaces/:id/suspend", {
  params: { id: Id },
  payload: [SuspendRequest, Schema.Null],
  success: WorkspaceRecord,
  error: responses(BadRequest, NotFound, AccountSuspended)
})
  .annotate(EndpointPolicy, { absent: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Suspend a workspace",
      description:
        "Everything that would change something in it is refused, new calls too; those under way end by themselves.",
      transform: (operation) => ({
        ...operation,
        requestBody: { ...(operation["requestBody"] as object), required: false }
      })
    })
  )
  .middleware(JsonOnly)

const reinstate = HttpApiEndpoint.post("reinstate", "/v1/admin/workspaces/:id/reinstate", {
  params: { id: Id },
  success: WorkspaceRecord,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { absent: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Reinstate a workspace",
      description: "It is again what it was before it was suspended."
    })
  )

export class AdminWorkspacesApi extends HttpApiGroup.make("admin_workspaces")
  .add(list, suspend, reinstate)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: workspaces", description: "For those who run the platform." })
  ) {}
