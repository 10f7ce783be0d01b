import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import {
  TrunkAlreadyExists,
  TrunkInUse,
  TrunkInvalid,
  TrunkNotFound,
  WorkspaceLockedToPlatformNumbers
} from "../../domain/errors/TrunkErrors.ts"
import { TrunkRecord, TrunkRequest } from "../../domain/trunks/TrunkRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const path = "/v1/sip-trunk"

const create = HttpApiEndpoint.post("create", path, {
  headers: idempotencyHeader,
  payload: TrunkRequest,
  success: HttpApiSchema.WithHeaders(TrunkRecord, { location: Schema.String }).pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, TrunkInvalid, TrunkAlreadyExists, WorkspaceLockedToPlatformNumbers)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Connect your SIP trunk",
      description:
        "The trunk is `pending` until it answers a probe or an operator approves it. A workspace has at most one trunk. A " +
        "workspace that has claimed a number of the platform cannot have one."
    })
  )
  .middleware(JsonWrite)

const get = HttpApiEndpoint.get("get", path, { success: TrunkRecord, error: responses(TrunkNotFound) })
  .annotate(EndpointPolicy, { scope: "sip_trunk.read", whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({ summary: "Read the SIP trunk", description: "Returns everything except the password." })
  )

const put = HttpApiEndpoint.put("put", path, {
  payload: TrunkRequest,
  success: TrunkRecord,
  error: responses(BadRequest, TrunkInvalid, TrunkNotFound, WorkspaceLockedToPlatformNumbers)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the SIP trunk",
      description: "Replaces the whole definition. The old definition stays in use until the new one is active."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("delete", path, {
  success: HttpApiSchema.NoContent,
  error: responses(TrunkNotFound, TrunkInUse)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Disconnect the SIP trunk",
      description:
        "Refused while numbers that you brought use the trunk. The workspace stays limited to its own numbers."
    })
  )

export class SipTrunkApi extends HttpApiGroup.make("sipTrunk")
  .add(create, get, put, remove)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "SIP trunk", description: "Your own numbers over your own trunk." })) {}
