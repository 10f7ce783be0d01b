// What is stored of a decision about a number in the chat app, what customers are told, and the lines of the audit log.
import type { Change } from "../Decision.ts"
import { auditRow } from "../access/Origin.ts"
import type { AuditRow, EventRow, Stored } from "../journal/Rows.ts"
import { absentChatApp, type ChatApp, type ChatAppEvent, trunkRecord } from "./ChatApp.ts"
import { publishedEvent } from "../webhooks/PublishedEvent.ts"
import { permissionRecord } from "./PermissionReply.ts"

const kinds = {
  TrunkActive: "chatapp.trunk_active",
  TrunkFailed: "chatapp.trunk_failed",
  SettingsWritten: "chatapp.settings_changed",
  PermissionChanged: "chatapp.permission_changed"
} as const

const isTold = (event: ChatAppEvent): event is Extract<ChatAppEvent, { readonly _tag: keyof typeof kinds }> =>
  event._tag in kinds

const saidOf = (after: ChatApp, event: Extract<ChatAppEvent, { readonly _tag: keyof typeof kinds }>) => {
  switch (event._tag) {
    case "SettingsWritten":
      return { settings: event.settings }
    case "PermissionChanged":
      return { permission: permissionRecord(event.reply) }
    default:
      return { trunk: trunkRecord(after.trunk!) }
  }
}

const toldOf = (after: ChatApp, event: ChatAppEvent, uuid: () => string): ReadonlyArray<EventRow> => {
  if (!isTold(event)) return []
  const kind = kinds[event._tag]
  const { number, number_id, sequence, workspace_id } = after
  const payload = {
    kind,
    workspace_id,
    number_id,
    number,
    ...saidOf(after, event)
  }
  return [
    publishedEvent(uuid(), {
      workspace_id: workspace_id!,
      subject_id: number_id,
      sequence,
      at: event.at,
      number_id,
      payload
    })
  ]
}

const auditOf = (before: ChatApp, after: ChatApp, event: ChatAppEvent): ReadonlyArray<AuditRow> => {
  const of = { workspace_id: after.workspace_id, target: { type: "number", id: after.number_id } }
  if (event._tag === "SettingsWritten") {
    const values = { before: before.stored, after: event.settings }
    return [auditRow(event.origin, { ...of, ...values, action_kind: "chatapp.settings_changed", at: event.at })]
  }
  return event._tag === "Retried" && event.origin !== null
    ? [auditRow(event.origin, { ...of, action_kind: "chatapp.trunk_retried", at: event.at })]
    : []
}

export const recordChatApp = ({ after, steps, uuid }: Change<ChatApp, ChatAppEvent>) => ({
  workspace_id: after.workspace_id,
  state: JSON.stringify(after),
  columns: {},
  events: steps.flatMap((step) => toldOf(step.after, step.event, uuid)),
  audit: steps.flatMap((step) => auditOf(step.before, step.after, step.event))
})

export const restoreChatApp = ({ state }: Stored, number_id: string): ChatApp => ({
  ...absentChatApp(number_id),
  ...(JSON.parse(state) as ChatApp)
})
