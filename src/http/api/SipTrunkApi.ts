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
import { idempotencyHeader, JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const path = "/v1/sip-trunk"

const create = HttpApiEndpoint.post("create", path, {
  headers: idempotencyHeader,
  payload: TrunkRequest,
  success: HttpApiSchema.WithHeaders(TrunkRecord, { location: Schema.String }).pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, TrunkInvalid, TrunkAlreadyExists, WorkspaceLockedToPlatformNumbers)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", unread: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Connect your SIP trunk",
      description:
        "It is `pending` until it has answered a probe, or until operators have approved it. A workspace has one at most, and none " +
        "once it has claimed a number of the platform."
    })
  )
  .middleware(JsonWrite)

const get = HttpApiEndpoint.get("get", path, { success: TrunkRecord, error: responses(TrunkNotFound) })
  .annotate(EndpointPolicy, { scope: "sip_trunk.read", unread: ServiceUnavailable })
  .annotateMerge(OpenApi.annotations({ summary: "Read the SIP trunk", description: "Everything but its password." }))

const put = HttpApiEndpoint.put("put", path, {
  payload: TrunkRequest,
  success: TrunkRecord,
  error: responses(BadRequest, TrunkInvalid, TrunkNotFound, WorkspaceLockedToPlatformNumbers)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", unread: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the SIP trunk",
      description: "The whole definition. What served until now goes on serving until the new one is active."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("delete", path, {
  success: HttpApiSchema.NoContent,
  error: responses(TrunkNotFound, TrunkInUse)
})
  .annotate(EndpointPolicy, { scope: "sip_trunk.write", unread: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Disconnect the SIP trunk",
      description: "Not while numbers that you brought come over it. The choice of your own numbers stays."
    })
  )

export class SipTrunkApi extends HttpApiGroup.make("sipTrunk")
  .add(create, get, put, remove)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "SIP trunk", description: "Numbers of your own, over your own trunk." })
  ) {}
