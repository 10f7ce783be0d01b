import { toCallerIdId, WorkspaceId } from "../BrandedIds.ts"
import { CallerIdRecord } from "../callerids/CallerIdRecord.ts"
import { at, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"

/** The caller id as it was right after the event. */
const fields = { ...CallerIdRecord.fields, workspace_id: WorkspaceId }
const families = ["numbers"] as const

const proved = {
  id: toCallerIdId("01981d5e-0000-7000-8000-000000000009"),
  workspace_id,
  number: "+254722000001",
  status: "verified",
  created_at: "2026-10-01T11:58:00.000Z",
  verified_at: at,
  verified_by: "call",
  expires_at: "2027-10-01T12:00:00.000Z",
  code_expires_at: null,
  guesses_left: null,
  failure: null
} as const
const unproved = { ...proved, verified_at: null, verified_by: null, expires_at: null } as const

export const callerIdEvents = [
  webhookEvent("caller_id.verified", { families, fields, example: proved }),
  webhookEvent("caller_id.expired", { families, fields, example: { ...proved, status: "unverified" } }),
  webhookEvent("caller_id.revoked", { families, fields, example: { ...unproved, status: "revoked" } }),
  webhookEvent("caller_id.withdrawn", { families, fields, example: { ...unproved, status: "unverified" } })
] as const
