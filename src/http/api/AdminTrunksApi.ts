import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import {
  TrunkNotFound,
  TrunkProvisioningFailed,
  WorkspaceLockedToPlatformNumbers
} from "../../domain/errors/TrunkErrors.ts"
import { RejectRequest, TrunkRecord } from "../../domain/trunks/TrunkRecord.ts"
import { Schema } from "effect"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { TrunkId } from "../../domain/BrandedIds.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const endpoint = operatorEndpoints({ whenReadFails: ServiceUnavailable })

export class AdminTrunksApi extends HttpApiGroup.make("admin_trunks")
  .add(
    endpoint.act("approve", "/v1/admin/sip-trunks/:id/approve", {
      summary: "Approve a peering trunk",
      description:
        "Responds when the PBX has accepted the trunk. A trunk that is approved already or needs no approval is returned unchanged.",
      params: { id: idOf(TrunkId) },
      success: TrunkRecord,
      errors: [TrunkNotFound, TrunkProvisioningFailed, WorkspaceLockedToPlatformNumbers, ServiceUnavailable]
    }),
    endpoint.post("reject", "/v1/admin/sip-trunks/:id/reject", {
      summary: "Reject a peering trunk",
      description: "The trunk fails with the given reason.",
      params: { id: idOf(TrunkId) },
      payload: [RejectRequest, Schema.Null],
      success: TrunkRecord,
      errors: [BadRequest, TrunkNotFound, ServiceUnavailable]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: SIP trunks", description: "For platform operators." })) {}
