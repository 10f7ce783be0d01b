// What is stored of a decision about a number in the chat app: its state, its webhook events and the audit log.
import { auditRow } from "../access/Origin.ts"
import type { Change, Step } from "../Decision.ts"
import type { AuditRow, EventRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { type ChatApp, type ChatAppEvent, trunkRecord } from "./ChatApp.ts"
import { permissionRecord } from "./PermissionReply.ts"
import { chatAppState } from "./StoredChatApp.ts"

type ChatAppStep = Step<ChatApp, ChatAppEvent>

/** The kind of the webhook event, and the member of its payload that is specific to it. */
const publicPart = ({ after, event }: ChatAppStep) => {
  switch (event._tag) {
    case "TrunkActive":
      return after.trunk && ({ kind: "chatapp.trunk_active", trunk: trunkRecord(after.trunk) } as const)
    case "TrunkFailed":
      return after.trunk && ({ kind: "chatapp.trunk_failed", trunk: trunkRecord(after.trunk) } as const)
    case "SettingsWritten":
      return { kind: "chatapp.settings_changed", settings: event.settings } as const
    case "PermissionChanged":
      return { kind: "chatapp.permission_changed", permission: permissionRecord(event.reply) } as const
    default:
      return null
  }
}

const eventRows = (step: ChatAppStep, uuid: () => string): ReadonlyArray<EventRow> => {
  const { number, number_id, sequence, workspace_id } = step.after
  const part = publicPart(step)
  if (part === null || workspace_id === null) return []
  const payload = { ...part, workspace_id, number_id, number }
  return [
    publishedEvent(uuid(), { workspace_id, subject_id: number_id, sequence, at: step.event.at, number_id, payload })
  ]
}

const auditRows = ({ after, before, event }: ChatAppStep): ReadonlyArray<AuditRow> => {
  const common = { workspace_id: after.workspace_id, target: { type: "number", id: after.number_id }, at: event.at }
  if (event._tag === "SettingsWritten") {
    const values = { before: before.stored, after: event.settings }
    return [auditRow(event.origin, { ...common, ...values, action_kind: "chatapp.settings_changed" })]
  }
  return event._tag === "Retried" && event.origin !== null
    ? [auditRow(event.origin, { ...common, action_kind: "chatapp.trunk_retried" })]
    : []
}

export const recordChatApp = ({ after, steps, uuid }: Change<ChatApp, ChatAppEvent>) => ({
  workspace_id: after.workspace_id,
  state: chatAppState.write(after),
  columns: {},
  events: steps.flatMap((step) => eventRows(step, uuid)),
  audit: steps.flatMap(auditRows)
})
