import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { WebhookEventUnsupported } from "../../domain/errors/WebhookErrors.ts"
import { EventEnvelope } from "../../domain/webhooks/EventEnvelope.ts"
import { FilterInstant } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const stream = HttpApiEndpoint.get("stream", "/v1/events/stream", {
  headers: {
    "last-event-id": Schema.optionalKey(Schema.String).annotate({
      description: "The last `id` that you received. The events after it are sent first."
    })
  },
  query: {
    kinds: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(2048))).annotate({
      description:
        "Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`), separated by commas. Default: all " +
        "events that the key may read."
    }),
    since: Schema.optionalKey(FilterInstant).annotate({
      description: "Sends the events from this instant on first, RFC 3339, at most seven days back."
    })
  },
  success: HttpApiSchema.StreamSse({ data: Schema.Struct(EventEnvelope.fields) }),
  error: responses(BadRequest, WebhookEventUnsupported, RateLimited)
})
  .annotate(EndpointPolicy, { scope: "calls.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Follow a workspace live",
      description:
        "Sends server-sent events: first the comment `: ready`, then every event of the workspace, in order, as its " +
        "webhook has it. The stream continues after `Last-Event-ID`, up to seven days back; `stream.reset` says that " +
        "it cannot. After 15 minutes it sends `closing` and ends: connect again. A key gets the events whose " +
        "resources it may read. A test key, or a session in test mode, gets those of the sandbox."
    })
  )

export class EventsApi extends HttpApiGroup.make("events")
  .add(stream)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "All that happens in a workspace, live." })) {}
