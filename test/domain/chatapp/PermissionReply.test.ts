import { assert, describe, it } from "@effect/vitest"
import { type PermissionReply, permissionReplies } from "../../../src/domain/chatapp/PermissionReply.ts"

const reply = (more: object = {}, message: object = {}) => ({
  from: "254711000001",
  id: "wamid.1",
  timestamp: "1800000000",
  type: "interactive",
  context: { from: "254700000001", id: "wamid.0" },
  interactive: { type: "call_permission_reply", call_permission_reply: { response: "accept", ...more } },
  ...message
})

const value = (...messages: ReadonlyArray<unknown>) => ({
  messaging_product: "whatsapp",
  metadata: { display_phone_number: "254700000001", phone_number_id: "1065" },
  contacts: [{ profile: { name: "Asha" }, wa_id: "254711000001" }],
  messages
})

const notification = (...changes: ReadonlyArray<unknown>) => ({
  object: "whatsapp_business_account",
  entry: [{ id: "77", changes }]
})
const about = (...messages: ReadonlyArray<unknown>) => notification({ field: "messages", value: value(...messages) })

const granted: PermissionReply = {
  id: "wamid.1",
  provider_number_id: "1065",
  user: "+254711000001",
  status: "granted",
  permanent: false,
  expires_at: null,
  source: "user",
  at: 1_800_000_000_000
}

describe("a notification of the chat app", () => {
  const rows: ReadonlyArray<[string, unknown, ReadonlyArray<PermissionReply> | undefined]> = [
    ["a permission", about(reply()), [granted]],
    [
      "a temporary permission",
      about(reply({ expiration_timestamp: "1800604800", response_source: "user_action" })),
      [{ ...granted, expires_at: 1_800_604_800_000 }]
    ],
    [
      "a temporary permission whose expiry is a number",
      about(reply({ expiration_timestamp: 1_800_604_800, is_permanent: false })),
      [{ ...granted, expires_at: 1_800_604_800_000 }]
    ],
    [
      "a permanent permission",
      about(reply({ is_permanent: true, expiration_timestamp: 1_800_604_800 })),
      [{ ...granted, permanent: true }]
    ],
    ["an automatic permission", about(reply({ response_source: "automatic" })), [{ ...granted, source: "automatic" }]],
    [
      "a refusal",
      about(reply({ response: "reject", is_permanent: true, expiration_timestamp: 1 })),
      [{ ...granted, status: "denied" }]
    ],
    [
      "two permissions among other messages",
      about({ type: "text", text: { body: "Hi" } }, reply(), reply({}, { id: "wamid.2" })),
      [granted, { ...granted, id: "wamid.2" }]
    ],
    ["an unknown response", about(reply({ response: "perhaps" })), []],
    ["an invalid timestamp", about(reply({}, { timestamp: "soon" })), []],
    ["an invalid sender", about(reply({}, { from: "me" })), []],
    [
      "an incomplete reply",
      about({ id: "wamid.1", type: "interactive", interactive: { type: "call_permission_reply" } }),
      []
    ],
    ["another field", notification({ field: "account_settings_update", value: { type: "phone_number_settings" } }), []],
    [
      "a status",
      notification({
        field: "messages",
        value: { metadata: { phone_number_id: "1065" }, statuses: [{ id: "wamid.1" }] }
      }),
      []
    ],
    ["no change", notification(), []],
    ["another object", { object: "page", entry: [] }, undefined],
    ["no object", [], undefined],
    ["nothing", undefined, undefined]
  ]
  it.each(rows)("with %s", (_, document, expected) => assert.deepStrictEqual(permissionReplies(document), expected))
})
