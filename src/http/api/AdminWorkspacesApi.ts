import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PolicyCeilingsChange } from "../../domain/calls/policy/PolicyCeilings.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, InvalidCursor, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { idOf } from "../request/CallRef.ts"
import { ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const list = HttpApiEndpoint.get("list", "/v1/admin/workspaces", {
  query: {
    ...paging,
    status: Schema.optionalKey(Schema.Literals(["onboarding", "active", "suspended", "closed"])),
    sandbox: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
      description: "`true`: the sandboxes of the workspaces instead of the workspaces themselves. Default: `false`."
    })
  },
  success: ListOf(WorkspaceRecord),
  error: responses(BadRequest, InvalidCursor)
}).annotateMerge(
  OpenApi.annotations({
    summary: "List workspaces",
    description: "Of all tenants, newest first. Without sandboxes, unless asked for."
  })
)

const SuspendRequest = Schema.Struct({
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))).annotate({
    description: "The reason, which the workspace can read."
  })
}).annotate({ identifier: "SuspendRequest" })

const suspend = HttpApiEndpoint.post("suspend", "/v1/admin/workspaces/:id/suspend", {
  params: { id: idOf(WorkspaceId) },
  payload: [SuspendRequest, Schema.Null],
  success: WorkspaceRecord,
  error: responses(BadRequest, NotFound, AccountSuspended)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Suspend a workspace",
      description: "Refuses every change in the workspace and every new call. Calls in progress end by themselves.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonOnly)

const reinstate = HttpApiEndpoint.post("reinstate", "/v1/admin/workspaces/:id/reinstate", {
  params: { id: idOf(WorkspaceId) },
  success: WorkspaceRecord,
  error: responses(NotFound, AccountSuspended)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Reinstate a workspace",
      description: "The workspace gets back the status that it had before the suspension."
    })
  )

const ceilings = HttpApiEndpoint.get("ceilings", "/v1/admin/workspaces/:id/policy-ceilings", {
  params: { id: idOf(WorkspaceId) },
  success: PolicyCeilingsChange,
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the ceilings of a calling policy",
      description: "How far the admins of the workspace may raise its limits. Null: as far as they like."
    })
  )

const changeCeilings = HttpApiEndpoint.patch("changeCeilings", "/v1/admin/workspaces/:id/policy-ceilings", {
  params: { id: idOf(WorkspaceId) },
  payload: PolicyCeilingsChange,
  success: PolicyCeilingsChange,
  error: responses(BadRequest, NotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the ceilings of a calling policy",
      description:
        "Absent members stay unchanged; null lifts a ceiling. Limits of the policy above a ceiling are lowered to it."
    })
  )
  .middleware(JsonOnly)

export class AdminWorkspacesApi extends HttpApiGroup.make("admin_workspaces")
  .add(list, suspend, reinstate, ceilings, changeCeilings)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: workspaces", description: "For operators of the platform." })
  ) {}
