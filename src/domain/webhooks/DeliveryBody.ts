import type { DueDelivery } from "./DeliveryRecord.ts"

type Event = Pick<DueDelivery, "event_id" | "event_kind" | "occurred_at" | "payload" | "sequence">

/** The JSON text of a delivery. The payload goes in as it is stored, byte for byte. */
export const deliveryBody = (delivery: Event, workspace_id: string, api_version: string): string => {
  const { event_id: id, event_kind, occurred_at, payload, sequence } = delivery
  const head = { id, event_kind, api_version, workspace_id, occurred_at: new Date(occurred_at).toISOString(), sequence }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload}}`
}
