import { Schema } from "effect"
import { DisabledReason } from "../SubscriptionRecord.ts"
import { at, workspace_id } from "./ExampleIds.ts"
import { type WebhookEvent, webhookEvent } from "./WebhookEvent.ts"

const { NullOr, String: Text } = Schema
const Instant = Text.annotate({ format: "date-time" })

const workspaceFields = { workspace_id: Text, status: Text, changed_at: Instant }

const TestPayload = Schema.Struct({
  kind: Text.annotate({ description: "`webhook.test`, or the kind that the test request named." }),
  test: Schema.Literal(true)
})
const webhookTest: WebhookEvent<"webhook.test", typeof TestPayload> = {
  kind: "webhook.test",
  families: ["security"],
  schema: TestPayload,
  example: { kind: "webhook.test", test: true }
}

export const securityEvents = [
  webhookEvent("workspace.suspended", {
    families: ["security"],
    fields: { ...workspaceFields, reason: NullOr(Text) },
    example: { workspace_id, changed_at: at, status: "suspended", reason: "unpaid" }
  }),
  webhookEvent("workspace.reinstated", {
    families: ["security"],
    fields: workspaceFields,
    example: { workspace_id, changed_at: at, status: "active" }
  }),
  webhookTest,
  webhookEvent("webhook.disabled", {
    families: ["security"],
    fields: {
      workspace_id: Text,
      subscription_id: Text,
      url: Text,
      reason: DisabledReason,
      disabled_at: Instant,
      failing_since: NullOr(Instant)
    },
    example: {
      workspace_id,
      subscription_id: "01981d5e-0000-7000-8000-000000000007",
      url: "https://example.com/hooks",
      reason: "failing",
      disabled_at: at,
      failing_since: "2026-09-26T12:00:00.000Z"
    }
  })
] as const
