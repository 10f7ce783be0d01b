import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallStats, StatsGroup } from "../../domain/calls/CallStats.ts"
import { ChargeBreakdown } from "../../domain/calls/ChargeBreakdown.ts"
import { Timeline } from "../../domain/calls/Timeline.ts"
import { CallGetFailed, CallNotFound, CallStatsFailed } from "../../domain/errors/CallErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { GivenDay } from "../../domain/GivenInstant.ts"
import { CallRef, Id } from "../request/CallRef.ts"
import { FilterInstant } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

/** A date, or an instant, of which the day counts. */
const Day = GivenDay.annotate({ format: "date" }).pipe(
  Schema.decodeTo(Schema.Number, {
    decode: SchemaGetter.transform((text) => Date.parse(text)),
    encode: SchemaGetter.transform((at) => new Date(at).toISOString())
  })
)

const stats = HttpApiEndpoint.get("stats", "/v1/calls/stats", {
  query: {
    from: Schema.optionalKey(Day).annotate({
      description: "The first day, UTC: YYYY-MM-DD. Default: 29 days before `to`."
    }),
    to: Schema.optionalKey(Day).annotate({ description: "The last day, UTC: YYYY-MM-DD. Default: today." }),
    group_by: Schema.optionalKey(StatsGroup).annotate({ description: "What the buckets are of. Default: `day`." }),
    number_id: Schema.optionalKey(Id)
  },
  success: CallStats,
  error: responses(BadRequest, CallStatsFailed)
})
  .annotate(EndpointPolicy, { scope: "calls.read", unread: CallStatsFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Sum up calls",
      description:
        "How many calls there were on up to 92 days, how they ended, how long they lasted and what they cost. A call counts " +
        "on the day (UTC) on which it was placed. Today is counted as it stands, and marked `partial`."
    })
  )

const charge = HttpApiEndpoint.get("charge", "/v1/calls/:id/charge", {
  params: { id: CallRef },
  success: ChargeBreakdown,
  error: responses(CallNotFound, CallGetFailed)
})
  .annotate(EndpointPolicy, { scope: "calls.read", absent: CallNotFound, unread: CallGetFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Show how a call was charged",
      description:
        "The rate and where it is from, the money that was set aside, the seconds, the sum, and the entry of the books."
    })
  )

const timeline = HttpApiEndpoint.get("timeline", "/v1/calls/:id/timeline", {
  params: { id: CallRef },
  query: {
    at: Schema.optionalKey(FilterInstant).annotate({
      description:
        "RFC 3339. Only what had happened until then, and `as_of`: the call, its legs, its holds and the balance as they were."
    })
  },
  success: Timeline,
  error: responses(BadRequest, CallNotFound, CallGetFailed)
})
  .annotate(EndpointPolicy, { scope: "calls.read", absent: CallNotFound, unread: CallGetFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Show what happened to a call",
      description:
        "Its events and those of its legs, the money set aside and charged, and the webhooks with each attempt, in order and each with its cause."
    })
  )

export class CallStatsApi extends HttpApiGroup.make("callStats")
  .add(stats, charge, timeline)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Statistics and proofs", description: "What calls came to, and why." })
  ) {}
