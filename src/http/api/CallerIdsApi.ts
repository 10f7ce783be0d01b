import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallerIdId } from "../../domain/BrandedIds.ts"
import { CallerIdRecord } from "../../domain/callerids/CallerIdRecord.ts"
import {
  CallerIdCallsUnavailable,
  CallerIdCodeExpired,
  CallerIdCodeWrong,
  CallerIdLimitReached,
  CallerIdNotFound,
  CallerIdOfPlatform,
  CallerIdRevoked,
  CallerIdTooManyCalls
} from "../../domain/errors/CallerIdErrors.ts"
import { CallDestinationRefused, CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { idOf } from "../request/CallRef.ts"
import { customerEndpoints } from "./Endpoints.ts"

const CallerIdRequest = Schema.Struct({
  number: Schema.String.check(Schema.isMaxLength(32)).annotate({ description: "The number in E.164 form." })
}).annotate({ identifier: "CallerIdRequest" })

const CallerIdCode = Schema.Struct({
  code: Schema.String.check(Schema.isPattern(/^[0-9]{6}$/)).annotate({
    description: "The six digits that the call has spoken. In test mode: 123456."
  })
}).annotate({ identifier: "CallerIdCode" })

const endpoint = customerEndpoints({
  read: { scope: "numbers.read", whenReadFails: ServiceUnavailable, whenIdMalformed: CallerIdNotFound },
  write: { scope: "numbers.write", whenReadFails: ServiceUnavailable, whenIdMalformed: CallerIdNotFound }
})

const one = { id: idOf(CallerIdId) }

export class CallerIdsApi extends HttpApiGroup.make("callerIds")
  .add(
    endpoint.post("request", "/v1/caller-ids", {
      summary: "Have a code spoken at a number",
      description:
        "A call to the number speaks a code of six digits, for which five guesses within ten minutes are allowed. A workspace gets 3 codes for one number and 20 altogether in 24 hours. In test mode no call is placed.",
      payload: CallerIdRequest,
      success: HttpApiSchema.WithHeaders(CallerIdRecord, {
        location: Schema.String.annotate({ description: "The URL of the caller id." })
      }).pipe(HttpApiSchema.status(202)),
      errors: [
        BadRequest,
        CallerIdOfPlatform,
        CallerIdRevoked,
        CallerIdLimitReached,
        CallerIdTooManyCalls,
        CallerIdCallsUnavailable,
        CallDestinationRefused,
        CallInvalidDestination
      ]
    }),
    endpoint.post("verify", "/v1/caller-ids/:id/verify", {
      summary: "Enter the code",
      description: "Calls may then show the number for a year, and the workspace may bring it over its own SIP trunk.",
      params: one,
      payload: CallerIdCode,
      success: CallerIdRecord,
      errors: [BadRequest, CallerIdNotFound, CallerIdCodeExpired, CallerIdCodeWrong]
    }),
    endpoint.get("list", "/v1/caller-ids", {
      summary: "List the caller ids",
      description: "All of the workspace, newest first. There are 100 at most.",
      success: Schema.Array(CallerIdRecord)
    }),
    endpoint.get("get", "/v1/caller-ids/:id", {
      summary: "Read a caller id",
      description: "A number that was not proved is kept for a day.",
      params: one,
      success: CallerIdRecord,
      errors: [CallerIdNotFound]
    }),
    endpoint.remove("withdraw", "/v1/caller-ids/:id", {
      summary: "Withdraw a caller id",
      description: "From now on, calls cannot show the number.",
      params: one,
      success: HttpApiSchema.NoContent,
      errors: [CallerIdNotFound, CallerIdRevoked]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Caller ids",
      description:
        "Numbers of your own that are not on the platform, and that calls may show once you have proved them."
    })
  ) {}
