import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { WebhookEventUnsupported } from "../../domain/errors/WebhookErrors.ts"
import { EventEnvelope } from "../../domain/webhooks/EventEnvelope.ts"
import { filterInstant } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { scope: "calls.read" } })

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    endpoint.get("stream", "/v1/events/stream", {
      summary: "Follow a workspace live",
      description:
        "Sends server-sent events: first the comment `: ready`, then every event of the workspace, in order, as its " +
        "webhook has it. The stream continues after `Last-Event-ID`, up to seven days back; `stream.reset` says that " +
        "it cannot. After 15 minutes it sends `closing` and ends: connect again. A key gets the events whose " +
        "resources it may read. A test key, or a session in test mode, gets those of the sandbox.",
      query: {
        kinds: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(2048))).annotate({
          description:
            "Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`), separated by commas. Default: all " +
            "events that the key may read."
        }),
        since: Schema.optionalKey(
          filterInstant("Sends the events from this instant on first, RFC 3339, at most seven days back.")
        )
      },
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).annotate({
          description: "The last `id` that you received. The events after it are sent first."
        })
      },
      success: HttpApiSchema.StreamSse({ data: Schema.Struct(EventEnvelope.fields) }),
      errors: [BadRequest, WebhookEventUnsupported, RateLimited]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "All that happens in a workspace, live." })) {}
