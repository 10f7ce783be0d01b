// A test of a subscription: one delivery that is sent at once, not retried and not stored.
import { Schema } from "effect"
import { eventKinds } from "../events/EventTable.ts"

export const TestRequest = Schema.Struct({
  event_kind: Schema.optionalKey(Schema.Literals(eventKinds)).annotate({
    description: "The kind of the test event, whether or not the subscription selects it. Default: `webhook.test`."
  })
}).annotate({ identifier: "WebhookTestRequest" })
export type TestRequest = typeof TestRequest.Type

export const TestRecord = Schema.Struct({
  delivery_id: Schema.String,
  http_status: Schema.NullOr(Schema.Int).annotate({
    description: "Status of the receiver's response; null: no response."
  }),
  duration_ms: Schema.Int.annotate({ description: "How long the attempt took, in milliseconds." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why there was no response." })
}).annotate({ identifier: "WebhookTest" })
export type TestRecord = typeof TestRecord.Type
