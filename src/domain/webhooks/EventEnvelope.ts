import { Schema } from "effect"
import { WorkspaceId } from "../BrandedIds.ts"
import { eventKinds } from "../events/EventTable.ts"
import { apiVersion } from "./SubscriptionRecord.ts"

/** An event as webhooks deliver it and as the stream of a workspace sends it. */
export const EventEnvelope = Schema.Struct({
  id: Schema.String.annotate({
    description: "Id of the event. It is the same in the stream, for all subscriptions and in a replay.",
    format: "uuid"
  }),
  event_kind: Schema.Literals(eventKinds).annotate({
    description: "The kind, which decides the members of `payload`."
  }),
  api_version: Schema.Literal(apiVersion).annotate({ description: "The version of the interface." }),
  workspace_id: WorkspaceId.annotate({ description: "The workspace, or its sandbox." }),
  livemode: Schema.Boolean.annotate({ description: "`false` for an event of the sandbox." }),
  occurred_at: Schema.String.annotate({ format: "date-time", description: "When it happened, RFC 3339." }),
  sequence: Schema.Int.annotate({ description: "The position of the event among those of its subject, from 1." }),
  payload: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What happened; its members are those of the webhook of the same kind."
  })
})
