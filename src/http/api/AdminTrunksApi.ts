import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
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
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { TrunkId } from "../../domain/BrandedIds.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const approve = HttpApiEndpoint.post("approve", "/v1/admin/sip-trunks/:id/approve", {
  params: { id: idOf(TrunkId) },
  success: TrunkRecord,
  error: responses(TrunkNotFound, TrunkProvisioningFailed, WorkspaceLockedToPlatformNumbers, ServiceUnavailable)
})
  .annotate(EndpointPolicy, { whenIdMalformed: TrunkNotFound, whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Approve a peering trunk",
      description:
        "Responds when the PBX has accepted the trunk. A trunk that is approved already or needs no approval is returned unchanged."
    })
  )

const reject = HttpApiEndpoint.post("reject", "/v1/admin/sip-trunks/:id/reject", {
  params: { id: idOf(TrunkId) },
  payload: [RejectRequest, Schema.Null],
  success: TrunkRecord,
  error: responses(BadRequest, TrunkNotFound, ServiceUnavailable)
})
  .annotate(EndpointPolicy, { whenIdMalformed: TrunkNotFound, whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Reject a peering trunk",
      description: "The trunk fails with the given reason.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonOnly)

export class AdminTrunksApi extends HttpApiGroup.make("admin_trunks")
  .add(approve, reject)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: SIP trunks", description: "For platform operators." })) {}
