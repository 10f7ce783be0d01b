// A test of a subscription: one delivery that is sent at once, is not tried again, and is not kept.
import { Schema } from "effect"
import { eventKinds } from "./EventTable.ts"

export const TestRequest = Schema.Struct({
  event_kind: Schema.optionalKey(Schema.Literals(eventKinds)).annotate({
    description: "The kind that the test bears, whether or not the subscription listens to it. Default: `webhook.test`."
  })
}).annotate({ identifier: "WebhookTestRequest" })
export type TestRequest = typeof TestRequest.Type

export const TestRecord = Schema.Struct({
  delivery_id: Schema.String,
  http_status: Schema.NullOr(Schema.Int).annotate({ description: "What the receiver answered; null: nothing." }),
  duration_ms: Schema.Int,
  error: Schema.NullOr(Schema.String).annotate({ description: "Why there is no answer." })
}).annotate({ identifier: "WebhookTest" })
export type TestRecord = typeof TestRecord.Type
