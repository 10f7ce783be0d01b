import { isoInstant } from "../kit/Instants.ts"
import { isLive } from "../kit/Sandbox.ts"
import type { DeliveredEvent } from "./DeliveryRecord.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** Longest payload that is sent whole, in characters. */
export const maxPayload = 65_536

const isBulky = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || (typeof value === "string" && value.length > 256)

/** Drops lists, objects and long texts. The ids that remain tell the receiver where to read the rest. */
const thinned = (payload: string): string => {
  const members = Object.entries(JSON.parse(payload) as Record<string, unknown>).filter(([, value]) => !isBulky(value))
  return JSON.stringify({ ...Object.fromEntries(members), thinned: true })
}

/** The JSON text of a delivery. The stored payload is copied byte for byte unless it is too long. */
export const deliveryBody = (delivery: DeliveredEvent, workspace_id: WorkspaceId, api_version: string): string => {
  const { event_id: id, event_kind, occurred_at, payload, sequence } = delivery
  const head = {
    id,
    event_kind,
    api_version,
    workspace_id,
    livemode: isLive(workspace_id),
    occurred_at: isoInstant(occurred_at),
    sequence
  }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload.length > maxPayload ? thinned(payload) : payload}}`
}
