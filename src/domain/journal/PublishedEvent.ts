import type { EventRow } from "./Rows.ts"
import type { EventKind } from "../events/EventTable.ts"
import type { NumberId, WorkspaceId } from "../BrandedIds.ts"

/** The kinds of events that can be published: those of the catalogue. */
export type PublishedKind = EventKind

interface PublishedEvent {
  readonly workspace_id: WorkspaceId
  /** What the event is about. Its events are ordered by `sequence`. */
  readonly subject_id: string
  readonly sequence: number
  /** Epoch milliseconds. */
  readonly at: number
  /** The number that the event concerns, for subscriptions that filter by numbers. */
  readonly number_id?: NumberId | null
  readonly payload: { readonly kind: PublishedKind } & Readonly<Record<string, unknown>>
}

/** The row of an event that webhooks deliver. The events of a call have rows of their own, in its log. */
export const publishedEvent = (
  id: string,
  { at, number_id = null, payload, sequence, subject_id, workspace_id }: PublishedEvent
): EventRow => ({
  id,
  workspace_id,
  subject_id,
  sequence,
  kind: payload.kind,
  occurred_at: at,
  late: false,
  payload: JSON.stringify(payload),
  number_id,
  fan_out: true
})
