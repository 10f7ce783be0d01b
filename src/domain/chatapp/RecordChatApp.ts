// What is stored of a decision about a number in the chat app: its state, its webhook events and the audit log.
import { auditRow } from "../access/Origin.ts"
import type { Change, Step } from "../Decision.ts"
import type { AuditRow, EventRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { type ChatApp, type ChatAppEvent, trunkRecord } from "./ChatApp.ts"
import { permissionRecord } from "./PermissionReply.ts"
import { chatAppState } from "./StoredChatApp.ts"

type ChatAppStep = Step<ChatApp, ChatAppEvent>

/** When it happened, the kind of the webhook event, and the member of its payload that is specific to it. */
const publicPart = ({ after, event }: ChatAppStep) => {
  switch (event._tag) {
    case "TrunkActive":
      return after.trunk && ({ at: event.at, kind: "chatapp.trunk_active", trunk: trunkRecord(after.trunk) } as const)
    case "TrunkFailed":
      return after.trunk && ({ at: event.at, kind: "chatapp.trunk_failed", trunk: trunkRecord(after.trunk) } as const)
    case "SettingsWritten":
      return { at: event.at, kind: "chatapp.settings_changed", settings: event.settings } as const
    case "PermissionChanged":
      return { at: event.at, kind: "chatapp.permission_changed", permission: permissionRecord(event.reply) } as const
    default:
      return null
  }
}

const eventRows = (step: ChatAppStep, uuid: () => string): ReadonlyArray<EventRow> => {
  const { number, number_id, sequence, workspace_id } = step.after
  const part = publicPart(step)
  if (part === null || workspace_id === null) return []
  const { at, ...published } = part
  const payload = { ...published, workspace_id, number_id, number }
  return [publishedEvent(uuid(), { workspace_id, subject_id: number_id, sequence, at, number_id, payload })]
}

const auditRows = ({ after, before, event }: ChatAppStep): ReadonlyArray<AuditRow> => {
  const common = { workspace_id: after.workspace_id, target: { type: "number", id: after.number_id } }
  if (event._tag === "SettingsWritten") {
    const values = { before: before.stored, after: event.settings }
    return [auditRow(event.origin, { ...common, ...values, at: event.at, action_kind: "chatapp.settings_changed" })]
  }
  return event._tag === "Retried" && event.origin !== null
    ? [auditRow(event.origin, { ...common, at: event.at, action_kind: "chatapp.trunk_retried" })]
    : []
}

export const recordChatApp = ({ after, steps, uuid }: Change<ChatApp, ChatAppEvent>) => ({
  workspace_id: after.workspace_id,
  state: chatAppState.write(after),
  columns: {},
  events: steps.flatMap((step) => eventRows(step, uuid)),
  audit: steps.flatMap(auditRows)
})
