// Encodes the events of a workspace as server-sent events.
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { LoggedEvent } from "../../domain/webhooks/LoggedEvent.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import { type EventPosition, positionText } from "../../domain/webhooks/EventPosition.ts"
import { apiVersion } from "../../domain/webhooks/SubscriptionRecord.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

/**
 * Why the stream does not continue where the client asked. `log_starts_later`: the events reach back seven days, and
 * it continues with the oldest. `unknown_event_id`: no event has this id, and it continues with new events.
 */
export type ResetReason = "log_starts_later" | "unknown_event_id"

/** `since`: the instant from which events follow. `calls_url`: where the calls before it can be read. */
export const resetText = (reason: ResetReason, since: number): string => {
  const data = { reason, since: isoInstant(since), calls_url: "/v1/calls" }
  return `event: stream.reset\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * Tells the place without an event, so that a client which reconnects before the next event misses none. Clients keep
 * the id, and tell their application nothing.
 */
export const placeText = (place: EventPosition): string => `id: ${positionText(place)}\n\n`

/** Empty for an event that the client did not ask for. `data` is the body of a webhook. */
export const eventText = (workspace_id: WorkspaceId, event: LoggedEvent): ReadonlyArray<string> => {
  const { kind: event_kind, occurred_at, payload, position } = event
  if (payload === null) return []
  const { id: event_id, sequence } = position
  const data = deliveryBody({ event_id, event_kind, occurred_at, payload, sequence }, workspace_id, apiVersion)
  // Stored payloads are compact JSON, and a line break would end the field.
  return [`id: ${positionText(position)}\nevent: ${event_kind}\ndata: ${data.replaceAll(/\r?\n|\r/g, " ")}\n\n`]
}
