import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallStats, StatsGroup } from "../../domain/calls/CallStats.ts"
import { CallStatsFailed } from "../../domain/errors/CallErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { Id } from "../CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/i

const exists = (text: string): boolean => {
  const at = form.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(at) && (text.length > 10 || new Date(at).toISOString().startsWith(text))
}

/** A date, or an instant, of which the day counts. */
const Day = Schema.String.check(
  Schema.makeFilter((text) => exists(text) || "Expected a date that exists, as YYYY-MM-DD")
).annotate({ format: "date" }).pipe(Schema.decodeTo(Schema.Number, {
  decode: SchemaGetter.transform((text) => Date.parse(text)),
  encode: SchemaGetter.transform((at) => new Date(at).toISOString())
}))

const stats = HttpApiEndpoint.get("stats", "/v1/calls/stats", {
  query: {
    from: Schema.optionalKey(Day).annotate({ description: "The first day, UTC: YYYY-MM-DD. Default: 29 days before `to`." }),
    to: Schema.optionalKey(Day).annotate({ description: "The last day, UTC: YYYY-MM-DD. Default: today." }),
    group_by: Schema.optionalKey(StatsGroup).annotate({ description: "What the buckets are of. Default: `day`." }),
    number_id: Schema.optionalKey(Id)
  },
  success: CallStats,
  error: responses(BadRequest, CallStatsFailed)
}).annotate(Rules, { scope: "calls.read", unread: CallStatsFailed }).annotateMerge(OpenApi.annotations({
  summary: "Sum up calls",
  description:
    "How many calls there were on up to 92 days, how they ended, how long they lasted and what they cost. A call counts " +
    "on the day (UTC) on which it was placed. Today is counted as it stands, and marked `partial`."
}))

export class CallStatsApi extends HttpApiGroup.make("callStats")
  .add(stats)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Statistics", description: "What calls came to." }))
{}
