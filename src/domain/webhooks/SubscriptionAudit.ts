// The audit log of subscriptions.
import { type Audited, auditRow } from "../access/Origin.ts"
import { instantOrNull } from "../kit/Instants.ts"
import type { AuditRow } from "../journal/Rows.ts"
import { isLive, type Subscription, type SubscriptionEvent } from "./Subscription.ts"
import type { SubscriptionRecord } from "./SubscriptionRecord.ts"
import { subscriptionView } from "./SubscriptionView.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

type AuditedEvent = Extract<SubscriptionEvent, { readonly origin: unknown }>

const viewOf = (state: Subscription): SubscriptionRecord | null =>
  isLive(state) ? subscriptionView(state.id, state.data) : null

const lineOf = (
  event: AuditedEvent,
  before: Subscription,
  after: Subscription
): Pick<Audited, "action_kind" | "before" | "after"> => {
  switch (event._tag) {
    case "Created":
      return { action_kind: "webhook.created", after: viewOf(after) }
    case "Changed":
      return { action_kind: "webhook.updated", before: viewOf(before), after: viewOf(after) }
    case "Deleted":
      return { action_kind: "webhook.deleted", before: viewOf(before) }
    case "SecretRotated": {
      const after = { previous_expires_at: instantOrNull(event.previous_expires_at) }
      return { action_kind: "webhook.secret_rotated", after }
    }
    case "Replayed":
      return { action_kind: "webhook.replayed", after: event.replay }
  }
}

/** One row for each event that somebody caused. What the subscription does by itself is not audited. */
export const subscriptionAudit = (
  workspace_id: WorkspaceId,
  before: Subscription,
  after: Subscription,
  events: ReadonlyArray<SubscriptionEvent>
): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event)) return []
    const target = { type: "webhook_subscription", id: after.id }
    return [auditRow(event.origin, { workspace_id, target, at: event.at, ...lineOf(event, before, after) })]
  })
