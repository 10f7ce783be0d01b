import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const path = "/v1/sip-trunk"

const endpoint = customerEndpoints({
  read: { scope: "sip_trunk.read", whenReadFails: ServiceUnavailable },
  write: { scope: "sip_trunk.write", whenReadFails: ServiceUnavailable }
})

export class SipTrunkApi extends HttpApiGroup.make("sipTrunk")
  .add(
    endpoint.post("create", path, {
      summary: "Connect your SIP trunk",
      description:
        "The trunk is `pending` until it answers a probe or an operator approves it. A workspace has at most one trunk. A " +
        "workspace that has claimed a number of the platform cannot have one.",
      payload: TrunkRequest,
      success: HttpApiSchema.WithHeaders(TrunkRecord, { location: Schema.String }).pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, TrunkInvalid, TrunkAlreadyExists, WorkspaceLockedToPlatformNumbers]
    }),
    endpoint.get("get", path, {
      summary: "Read the SIP trunk",
      description: "Returns everything except the password.",
      success: TrunkRecord,
      errors: [TrunkNotFound]
    }),
    endpoint.put("put", path, {
      summary: "Change the SIP trunk",
      description: "Replaces the whole definition. The old definition stays in use until the new one is active.",
      payload: TrunkRequest,
      success: TrunkRecord,
      errors: [BadRequest, TrunkInvalid, TrunkNotFound, WorkspaceLockedToPlatformNumbers]
    }),
    endpoint.remove("delete", path, {
      summary: "Disconnect the SIP trunk",
      description:
        "Refused while numbers that you brought use the trunk. The workspace stays limited to its own numbers.",
      success: HttpApiSchema.NoContent,
      errors: [TrunkNotFound, TrunkInUse]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "SIP trunk", description: "Your own numbers over your own trunk." })) {}
