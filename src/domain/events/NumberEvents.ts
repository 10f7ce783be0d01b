import { Schema } from "effect"
import { NumberRecord } from "../numbers/NumberRecord.ts"
import { at, number_id, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"
import { WorkspaceId } from "../BrandedIds.ts"

/** The number as it was right after the event. */
const fields = { ...NumberRecord.fields, workspace_id: WorkspaceId }
const chargedFields = {
  ...fields,
  amount_minor: Schema.optionalKey(Schema.Int).annotate({ description: "What was charged for the month." })
}

const number = {
  id: number_id,
  workspace_id,
  number: "+254700000001",
  status: "active",
  source: "platform",
  country: "KE",
  type: "mobile",
  capabilities: ["voice"],
  label: null,
  currency: "KES",
  monthly_price_minor: 50_000,
  inbound_per_min_minor: 100,
  outbound_per_min_minor: 300,
  claimed_at: "2026-09-01T12:00:00.000Z",
  renews_at: "2026-11-01T00:00:00.000Z",
  past_due_since: null,
  released_at: null,
  routing: {
    events_url: "https://example.com/calls",
    voice_url: null,
    voice_fallback_url: null,
    forward_to: { type: "none", value: null, sequential: null },
    ring_timeout_seconds: 30,
    record: "do-not-record",
    reject_when_no_funds_message: null
  }
} as const

export const numberEvents = [
  webhookEvent("number.claimed", {
    families: ["numbers"],
    fields: chargedFields,
    example: { ...number, amount_minor: 50_000 }
  }),
  webhookEvent("number.renewed", {
    families: ["numbers", "billing"],
    fields: chargedFields,
    example: { ...number, amount_minor: 50_000 }
  }),
  webhookEvent("number.past_due", {
    families: ["numbers", "billing"],
    fields,
    example: { ...number, status: "past_due", past_due_since: at }
  }),
  webhookEvent("number.suspended", {
    families: ["numbers"],
    fields,
    example: { ...number, status: "suspended", past_due_since: at }
  }),
  webhookEvent("number.released", {
    families: ["numbers"],
    fields,
    example: { ...number, status: "released", released_at: at }
  }),
  webhookEvent("number.routing_changed", { families: ["numbers"], fields, example: number })
] as const
