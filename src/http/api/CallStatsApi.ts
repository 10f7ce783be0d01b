import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CallStats, StatsGroup } from "../../domain/calls/views/CallStats.ts"
import { ChargeBreakdown } from "../../domain/calls/views/ChargeBreakdown.ts"
import { Timeline } from "../../domain/calls/views/Timeline.ts"
import { CallGetFailed, CallNotFound, CallStatsFailed } from "../../domain/errors/CallErrors.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { CallRef, idOf } from "../request/CallRef.ts"
import { filterDay, filterInstant, nextPageHeaders, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { NumberId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { scope: "calls.read" } })

export class CallStatsApi extends HttpApiGroup.make("callStats")
  .add(
    endpoint.get("stats", "/v1/calls/stats", {
      summary: "Sum up calls",
      description:
        "Returns the number of calls, their outcomes, durations and costs over at most 92 days. A call counts on the day " +
        "(UTC) on which it was placed. Today's figures are marked `partial`.",
      policy: { shed: "reads" },
      query: {
        from: Schema.optionalKey(filterDay("The first day, YYYY-MM-DD in UTC. Default: 29 days before `to`.")),
        to: Schema.optionalKey(filterDay("The last day, YYYY-MM-DD in UTC. Default: today.")),
        group_by: Schema.optionalKey(StatsGroup).annotate({
          description: "How calls are grouped into buckets. Default: `day`."
        }),
        number_id: Schema.optionalKey(idOf(NumberId))
      },
      success: CallStats,
      errors: [BadRequest, CallStatsFailed]
    }),
    endpoint.get("charge", "/v1/calls/:id/charge", {
      summary: "Show how a call was charged",
      description: "Returns the rate and its source, the hold, the billed seconds, the amount and the ledger entry.",
      params: { id: CallRef },
      success: ChargeBreakdown,
      errors: [CallNotFound, CallGetFailed]
    }),
    endpoint.get("timeline", "/v1/calls/:id/timeline", {
      summary: "Show what happened to a call",
      description:
        "Returns the events of the call and its legs, the holds and charges, and the webhook deliveries with all attempts. Entries are in order, each with its cause. A page ends after 200 entries or 1 MiB.",
      params: { id: CallRef },
      query: {
        limit: paging.limit.annotate({ description: "How many entries to return. Default and max 200." }),
        cursor: paging.cursor,
        at: Schema.optionalKey(
          filterInstant(
            "An RFC 3339 time. Returns only what had happened by then. `as_of` has the call, its legs, its holds and the balance at that time."
          )
        )
      },
      success: HttpApiSchema.WithHeaders(Timeline, nextPageHeaders),
      errors: [BadRequest, InvalidCursor, CallNotFound, CallGetFailed]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Statistics and proofs",
      description: "Totals of calls, and how each call was charged."
    })
  ) {}
