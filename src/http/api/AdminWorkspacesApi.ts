import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { CallerIdRecord } from "../../domain/callerids/CallerIdRecord.ts"
import { CallerIdLimitReached, CallerIdOfPlatform } from "../../domain/errors/CallerIdErrors.ts"
import { PolicyCeilingsChange } from "../../domain/calls/policy/PolicyCeilings.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { WorkspaceRecord } from "../../domain/workspace/WorkspaceRecord.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const SuspendRequest = Schema.Struct({
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))).annotate({
    description: "The reason, which the workspace can read."
  })
}).annotate({ identifier: "SuspendRequest" })

const callerId = {
  id: idOf(WorkspaceId),
  number: Schema.String.check(Schema.isMaxLength(32)).annotate({ description: "The number in E.164 form." })
}

const endpoint = operatorEndpoints()

export class AdminWorkspacesApi extends HttpApiGroup.make("admin_workspaces")
  .add(
    endpoint.list("list", "/v1/admin/workspaces", {
      summary: "List workspaces",
      description: "Of all tenants, newest first. Without sandboxes, unless asked for.",
      query: {
        status: Schema.optionalKey(Schema.Literals(["onboarding", "active", "suspended", "closed"])),
        sandbox: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "`true`: the sandboxes of the workspaces instead of the workspaces themselves. Default: `false`."
        })
      },
      success: WorkspaceRecord
    }),
    endpoint.post("suspend", "/v1/admin/workspaces/:id/suspend", {
      summary: "Suspend a workspace",
      description: "Refuses every change in the workspace and every new call. Calls in progress end by themselves.",
      params: { id: idOf(WorkspaceId) },
      payload: [SuspendRequest, Schema.Null],
      success: WorkspaceRecord,
      errors: [BadRequest, NotFound, AccountSuspended]
    }),
    endpoint.act("reinstate", "/v1/admin/workspaces/:id/reinstate", {
      summary: "Reinstate a workspace",
      description: "The workspace gets back the status that it had before the suspension.",
      params: { id: idOf(WorkspaceId) },
      success: WorkspaceRecord,
      errors: [NotFound, AccountSuspended]
    }),
    endpoint.get("ceilings", "/v1/admin/workspaces/:id/policy-ceilings", {
      summary: "Read the ceilings of a calling policy",
      description: "How far the admins of the workspace may raise its limits. Null: as far as they like.",
      params: { id: idOf(WorkspaceId) },
      success: PolicyCeilingsChange,
      errors: [NotFound]
    }),
    endpoint.patch("changeCeilings", "/v1/admin/workspaces/:id/policy-ceilings", {
      summary: "Change the ceilings of a calling policy",
      description:
        "Absent members stay unchanged; null lifts a ceiling. Limits of the policy above a ceiling are lowered to it.",
      params: { id: idOf(WorkspaceId) },
      payload: PolicyCeilingsChange,
      success: PolicyCeilingsChange,
      errors: [BadRequest, NotFound]
    }),
    endpoint.get("callerIds", "/v1/admin/workspaces/:id/caller-ids", {
      summary: "List the caller ids of a workspace",
      description: "All of it, newest first, also those that are forbidden.",
      params: { id: idOf(WorkspaceId) },
      success: Schema.Array(CallerIdRecord),
      errors: [NotFound]
    }),
    endpoint.act("approveCallerId", "/v1/admin/workspaces/:id/caller-ids/:number/approve", {
      summary: "Approve a caller id",
      description: "Proves a number (E.164) for the workspace without a call.",
      params: callerId,
      success: CallerIdRecord,
      errors: [BadRequest, NotFound, CallerIdOfPlatform, CallerIdLimitReached]
    }),
    endpoint.act("revokeCallerId", "/v1/admin/workspaces/:id/caller-ids/:number/revoke", {
      summary: "Revoke a caller id",
      description: "Forbids the workspace to show the number (E.164) or to prove it again, until it is approved.",
      params: callerId,
      success: CallerIdRecord,
      errors: [BadRequest, NotFound]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: workspaces", description: "For operators of the platform." })
  ) {}
