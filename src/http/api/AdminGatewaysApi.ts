import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { GatewayId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { GatewayRecord } from "../../domain/pbx/GatewayRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { idOf } from "../request/CallRef.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const Assignment = Schema.Struct({
  gateway_id: GatewayId.check(Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/)).annotate({
    description: "The gateway that carries the workspace from now on. It may connect later."
  })
}).annotate({ identifier: "GatewayAssignment" })

const Assigned = Schema.Struct({
  workspace_id: WorkspaceId,
  gateway_id: GatewayId.annotate({ description: "The gateway that carries the workspace." })
}).annotate({ identifier: "AssignedGateway" })

const endpoint = operatorEndpoints()

export class AdminGatewaysApi extends HttpApiGroup.make("admin_gateways")
  .add(
    endpoint.get("list", "/v1/admin/gateways", {
      summary: "List PBX gateways",
      description: "Every gateway that carries a workspace or has ever connected, by its id.",
      success: Schema.Array(GatewayRecord)
    }),
    endpoint.put("assign", "/v1/admin/workspaces/:id/gateway", {
      summary: "Assign a workspace to a gateway",
      description:
        "Calls that begin from now on go over this gateway; calls in progress stay where they are. SIP credentials and " +
        "the trunk of the workspace are sent to the gateway when it connects next.",
      params: { id: idOf(WorkspaceId) },
      payload: Assignment,
      success: Assigned,
      errors: [BadRequest, NotFound, AccountSuspended]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: gateways", description: "For operators of the platform." })
  ) {}
