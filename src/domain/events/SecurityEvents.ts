import { Schema } from "effect"
import { DisabledReason } from "./DisabledReason.ts"
import { BurstLimit } from "../wallet/SecurityAlerts.ts"
import { WalletBalance } from "../wallet/WalletBalance.ts"
import { at, number_id, workspace_id } from "./ExampleIds.ts"
import { type WebhookEvent, webhookEvent } from "./WebhookEvent.ts"

const { Int, NullOr, String: Text } = Schema
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

const alertFields = { workspace_id: Text, at: Instant }
const alert = { workspace_id, at }
const since = Instant.annotate({ description: "When the counted period began." })
const an_hour_ago = "2026-10-01T11:20:00.000Z"

const callFields = {
  ...alertFields,
  country: Text.annotate({ description: "ISO 3166-1 alpha-2." }),
  call_id: Text.annotate({ description: "The call; for a dial that rings several destinations, the call that dials." })
}
const callAbroad = { ...alert, country: "LV", call_id: "01981d5e-0000-7000-8000-000000000003" }

const alerts = [
  webhookEvent("security.first_international_call", {
    families: ["security"],
    fields: callFields,
    example: callAbroad
  }),
  webhookEvent("security.new_country_called", { families: ["security"], fields: callFields, example: callAbroad }),
  webhookEvent("security.call_burst", {
    families: ["security"],
    fields: {
      ...alertFields,
      reason: Schema.Literals(["many_calls", ...BurstLimit.literals]).annotate({
        description: "`many_calls`: far more than in the busiest hour before. Otherwise the limit that was reached."
      }),
      calls: Int.annotate({ description: "Legs placed in the current hour." }),
      since
    },
    example: { ...alert, reason: "max_calls_to_new_country", calls: 6, since: an_hour_ago }
  }),
  webhookEvent("security.calls_failing", {
    families: ["security"],
    fields: {
      ...alertFields,
      attempts: Int.annotate({ description: "Legs placed or refused within ten minutes." }),
      failures: Int.annotate({ description: "Those of them that failed or were refused." }),
      since
    },
    example: { ...alert, attempts: 31, failures: 20, since: an_hour_ago }
  }),
  webhookEvent("security.registration_attack", {
    families: ["security"],
    fields: {
      ...alertFields,
      credential_id: Text,
      number_id: Text,
      extension: Text,
      username: Text,
      attempts: Int.annotate({ description: "Wrong passwords or tokens in the counted period." }),
      since,
      addresses: Schema.Array(Text).annotate({
        description: "The first addresses that they came from, ten at most. Over UDP an address can be forged."
      })
    },
    example: {
      ...alert,
      credential_id: "01981d5e-0000-7000-8000-000000000006",
      number_id,
      extension: "1001",
      username: "u7k2m9q4w8",
      attempts: 10,
      since: "2026-10-01T11:52:00.000Z",
      addresses: ["203.0.113.7"]
    }
  }),
  webhookEvent("security.spend_limit_reached", {
    families: ["security"],
    fields: {
      ...alertFields,
      currency: WalletBalance.fields.currency,
      daily_spend_limit_minor: Int,
      spent_minor: Int.annotate({ description: "What calls were charged today (UTC)." }),
      held_minor: Int.annotate({ description: "What is held for live calls." })
    },
    example: {
      ...alert,
      currency: "KES",
      daily_spend_limit_minor: 1_300_000,
      spent_minor: 1_298_000,
      held_minor: 1_900
    }
  }),
  webhookEvent("security.callback_waivers_used_up", {
    families: ["security"],
    fields: {
      ...alertFields,
      calls: Int.annotate({ description: "How many were given back today (UTC)." })
    },
    example: { ...alert, calls: 20 }
  })
] as const

export const securityEvents = [
  ...alerts,
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
