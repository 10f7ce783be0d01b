// What the audit log keeps of a decision about a subscription.
import { type Audited, auditRow, type Origin } from "../access/Origin.ts"
import type { AuditRow } from "../journal/Rows.ts"
import { recordOf } from "./RecordOf.ts"
import type { SubscriptionRecord } from "./SubscriptionRecord.ts"
import { isLive, type Kept, type Subscription, type SubscriptionEvent } from "./Subscription.ts"

type Line = Pick<Audited, "action_kind" | "before" | "after">

const shown = (id: string, kept: Kept | null): SubscriptionRecord | null => (isLive(kept) ? recordOf(id, kept) : null)

const lineOf = (event: SubscriptionEvent, before: Subscription, after: Subscription): Line | undefined => {
  const { id } = after
  switch (event._tag) {
    case "Created":
      return { action_kind: "webhook.created", after: shown(id, after.kept) }
    case "Changed":
      return { action_kind: "webhook.updated", before: shown(id, before.kept), after: shown(id, after.kept) }
    case "Deleted":
      return { action_kind: "webhook.deleted", before: shown(id, before.kept) }
    case "SecretRotated": {
      const { previous_expires_at } = event
      const expires = previous_expires_at === null ? null : new Date(previous_expires_at).toISOString()
      return { action_kind: "webhook.secret_rotated", after: { previous_expires_at: expires } }
    }
    case "Replayed":
      return { action_kind: "webhook.replayed", after: event.replay }
    default:
      return undefined
  }
}

const originOf = (event: SubscriptionEvent): { readonly origin: Origin; readonly at: number } | undefined =>
  "origin" in event ? event : undefined

export const subscriptionAudit = (
  before: Subscription,
  after: Subscription,
  events: ReadonlyArray<SubscriptionEvent>
): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    const asked = originOf(event)
    const line = lineOf(event, before, after)
    if (asked === undefined || line === undefined) return []
    const target = { type: "webhook_subscription", id: after.id }
    return [auditRow(asked.origin, { workspace_id: after.kept!.workspace_id, target, at: asked.at, ...line })]
  })
