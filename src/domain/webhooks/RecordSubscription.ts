// What is stored of a decision about a subscription: its state, its deliveries, its events and the audit log.
import type { Change } from "../Decision.ts"
import type { AuditRow, Column, DeliveryRow, EventRow, RedeliveryRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { type Subscription, type SubscriptionData, type SubscriptionEvent, subscriptionState } from "./Subscription.ts"
import { subscriptionAudit } from "./SubscriptionAudit.ts"
import type { SubscriptionId, WorkspaceId } from "../BrandedIds.ts"

type SubscriptionChange = Change<Subscription, SubscriptionEvent, SubscriptionId>

export interface RecordedSubscription {
  readonly workspace_id: WorkspaceId
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly deliveries: ReadonlyArray<DeliveryRow>
  readonly events: ReadonlyArray<EventRow>
  readonly redeliveries: ReadonlyArray<RedeliveryRow>
  readonly audit: ReadonlyArray<AuditRow>
}

const deliveryRows = (events: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<DeliveryRow> =>
  events.flatMap((event) => {
    if (event._tag !== "DeliverySettled" && event._tag !== "DeliveryMoved") return []
    const {
      delivery: { created_at, id },
      settlement: { attempt_log, last_error, ...rest }
    } = event
    const error = last_error === null ? null : JSON.stringify(last_error)
    return [{ id, created_at, ...rest, last_error: error, attempt_log: JSON.stringify(attempt_log) }]
  })

const redeliveryRows = (
  { events, id, uuid }: SubscriptionChange,
  workspace_id: WorkspaceId
): ReadonlyArray<RedeliveryRow> =>
  events.flatMap((event) =>
    event._tag !== "Replayed"
      ? []
      : event.events.map((row) => ({
          ...row,
          id: uuid(),
          workspace_id,
          subscription_id: id,
          created_at: event.at
        }))
  )

/** `webhook.disabled`, for the other subscriptions of the workspace. */
const disabledEvents = (
  { events, id, uuid }: SubscriptionChange,
  { failing_since, sequence, url, workspace_id }: SubscriptionData
): ReadonlyArray<EventRow> =>
  events.flatMap((event) => {
    if (event._tag !== "Disabled") return []
    const payload = {
      kind: "webhook.disabled" as const,
      workspace_id,
      subscription_id: id,
      url,
      reason: event.reason,
      disabled_at: isoInstant(event.at),
      failing_since: instantOrNull(failing_since)
    }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence, at: event.at, payload })]
  })

export const recordSubscription = (change: SubscriptionChange): RecordedSubscription => {
  const { after, before, events } = change
  if (after._tag === "Absent") throw new Error(`Subscription ${after.id} was never created: there is nothing to store`)
  const { data } = after
  const { created_at, kinds, number_ids, source, status, url, workspace_id } = data
  const call_url = source === "call" ? url : null
  return {
    workspace_id,
    state: subscriptionState.write(data),
    columns: { status, kinds, number_ids, call_url, created_at },
    deliveries: deliveryRows(events),
    events: disabledEvents(change, data),
    redeliveries: redeliveryRows(change, workspace_id),
    audit: subscriptionAudit(workspace_id, before, after, events)
  }
}
