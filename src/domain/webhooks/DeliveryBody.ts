import type { DueDelivery } from "./DeliveryRecord.ts"

/** Characters of a payload that is sent whole. */
export const payloadMax = 65_536

const isBulky = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && value.length > 256)

/** What is too large is sent without its lists, its objects and its long texts: its ids say where to read all of it. */
const thinned = (payload: string): string => {
  const members = Object.entries(JSON.parse(payload) as Record<string, unknown>).filter(([, value]) => !isBulky(value))
  return JSON.stringify({ ...Object.fromEntries(members), thinned: true })
}

type Event = Pick<DueDelivery, "event_id" | "event_kind" | "occurred_at" | "payload" | "sequence">

/** The JSON text of a delivery. The payload goes in as it is stored, byte for byte, unless it is too large. */
export const deliveryBody = (delivery: Event, workspace_id: string, api_version: string): string => {
  const { event_id: id, event_kind, occurred_at, payload, sequence } = delivery
  const head = { id, event_kind, api_version, workspace_id, occurred_at: new Date(occurred_at).toISOString(), sequence }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload.length > payloadMax ? thinned(payload) : payload}}`
}
