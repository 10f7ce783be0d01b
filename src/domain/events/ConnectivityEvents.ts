import { Schema } from "effect"
import { CallSettings, initialSettings } from "../chatapp/CallSettings.ts"
import { TrunkRecord } from "../chatapp/ChatApp.ts"
import { PermissionRecord } from "../chatapp/PermissionReply.ts"
import { at, number_id, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"

const { NullOr, String: Text } = Schema
const Instant = Text.annotate({ format: "date-time" })

const trunkFields = {
  workspace_id: Text,
  trunk_id: Text,
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: NullOr(Text),
  at: Instant
}
const credentialFields = {
  workspace_id: Text,
  credential_id: Text,
  number_id: Text,
  extension: Text,
  username: Text,
  at: Instant
}
const chatAppFields = { workspace_id: Text, number_id: Text, number: Text }

const sipTrunk = {
  workspace_id,
  trunk_id: "01981d5e-0000-7000-8000-000000000008",
  status: "active",
  status_reason: null,
  at
} as const

const sipCredential = {
  workspace_id,
  credential_id: "01981d5e-0000-7000-8000-000000000006",
  number_id,
  extension: "1001",
  username: "1001-acme",
  at
} as const

const inChatApp = { workspace_id, number_id, number: "+254700000001" } as const
const chatAppTrunk = {
  status_reason: null,
  provider_code: null,
  attempts: 1,
  next_retry_at: null,
  sip_host: null,
  updated_at: at
} as const

const sipTrunks = [
  webhookEvent("sip_trunk.active", { families: ["connectivity"], fields: trunkFields, example: sipTrunk }),
  webhookEvent("sip_trunk.failed", {
    families: ["connectivity"],
    fields: trunkFields,
    example: { ...sipTrunk, status: "failed", status_reason: "unreachable" }
  }),
  webhookEvent("sip_trunk.unreachable", { families: ["connectivity"], fields: trunkFields, example: sipTrunk }),
  webhookEvent("sip_trunk.recovered", { families: ["connectivity"], fields: trunkFields, example: sipTrunk })
] as const

const sipCredentials = [
  webhookEvent("sip_credential.created", {
    families: ["connectivity", "security"],
    fields: credentialFields,
    example: sipCredential
  }),
  webhookEvent("sip_credential.rotated", {
    families: ["connectivity", "security"],
    fields: credentialFields,
    example: sipCredential
  }),
  webhookEvent("sip_credential.revoked", {
    families: ["connectivity", "security"],
    fields: credentialFields,
    example: sipCredential
  })
] as const

const chatApp = [
  webhookEvent("chatapp.trunk_active", {
    families: ["connectivity"],
    fields: { ...chatAppFields, trunk: TrunkRecord },
    example: { ...inChatApp, trunk: { ...chatAppTrunk, status: "active", sip_host: "sip.example.com" } }
  }),
  webhookEvent("chatapp.trunk_failed", {
    families: ["connectivity"],
    fields: { ...chatAppFields, trunk: TrunkRecord },
    example: {
      ...inChatApp,
      trunk: {
        ...chatAppTrunk,
        status: "failed",
        status_reason: "Calling is not available yet.",
        provider_code: 138_015,
        next_retry_at: at
      }
    }
  }),
  webhookEvent("chatapp.settings_changed", {
    families: ["connectivity"],
    fields: { ...chatAppFields, settings: CallSettings },
    example: { ...inChatApp, settings: initialSettings }
  }),
  webhookEvent("chatapp.permission_changed", {
    families: ["connectivity"],
    fields: { ...chatAppFields, permission: PermissionRecord },
    example: {
      ...inChatApp,
      permission: {
        user: "+254711000001",
        status: "granted",
        permanent: false,
        expires_at: at,
        source: "user",
        replied_at: at
      }
    }
  })
] as const

export const connectivityEvents = [...sipTrunks, ...sipCredentials, ...chatApp] as const
