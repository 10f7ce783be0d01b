// What `payload` holds for each kind of event. Members may be added at any time; those named here stay.
import { Schema } from "effect"
import { CallSettings } from "../chatapp/CallSettings.ts"
import { TrunkRecord } from "../chatapp/ChatApp.ts"
import { PermissionRecord } from "../chatapp/PermissionReply.ts"
import { CallRecord } from "../calls/CallRecord.ts"
import { NumberRecord } from "../numbers/NumberRecord.ts"
import { TopUpRecord } from "../topups/TopUpRecord.ts"
import { StatementEntry } from "../wallet/StatementEntry.ts"
import { WalletBalance } from "../wallet/WalletBalance.ts"
import type { EventKind } from "./EventKinds.ts"
import { DisabledReason } from "./SubscriptionRecord.ts"

const { Int, NullOr, optionalKey, String: Text } = Schema

const Instant = Text.annotate({ format: "date-time" })

const of = <const Kind extends EventKind, const Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({ ...fields, kind: Schema.Literal(kind) })

const { kind: call_kind, ...record } = CallRecord.fields

/** The call as it was right after the event. */
const call = <const Kind extends EventKind, const Fields extends Schema.Struct.Fields>(kind: Kind, extra: Fields) =>
  of(kind, { ...record, ...extra, call_kind })

const recording = {
  recording_id: Text,
  reason: NullOr(Text).annotate({
    description: "Why it failed, or why it is gone: `retention`, `storage_full` or `deleted`."
  })
}

const calls = {
  "call.ringing": call("call.ringing", {}),
  "call.answered": call("call.answered", {}),
  "call.completed": of("call.completed", {
    ...record,
    call_kind,
    duration_seconds: Int,
    billed_seconds: Int,
    cost_minor: Int
  }),
  "call.no_answer": call("call.no_answer", {}),
  "call.busy": call("call.busy", {}),
  "call.failed": call("call.failed", {}),
  "call.canceled": call("call.canceled", {}),
  "call.callback_failed": call("call.callback_failed", {
    cause: Text.annotate({ description: "`callback_failed`, `callback_timeout` or `voice_action_invalid`." }),
    http_status: NullOr(Int),
    pointer: NullOr(Text).annotate({ description: "JSON pointer to what is wrong in the document." }),
    detail: Text
  }),
  "call.balance_low": call("call.balance_low", {
    remaining_seconds: Int.annotate({
      description: "The call is cut off after so long unless the wallet is topped up."
    })
  }),
  "call.machine_detected": call("call.machine_detected", {
    confidence: NullOr(Schema.Number).annotate({ description: "From 0 to 1." })
  }),
  "call.dtmf": call("call.dtmf", { digit: Text, duration_ms: NullOr(Int) }),
  "call.recording_available": call("call.recording_available", recording),
  "call.recording_failed": call("call.recording_failed", recording),
  "call.recording_deleted": call("call.recording_deleted", recording),
  "call.transcript_available": call("call.transcript_available", {})
}

const number = { ...NumberRecord.fields, workspace_id: Text }
const charged = { amount_minor: optionalKey(Int).annotate({ description: "What was charged for the month." }) }

const numbers = {
  "number.claimed": of("number.claimed", { ...number, ...charged }),
  "number.renewed": of("number.renewed", { ...number, ...charged }),
  "number.past_due": of("number.past_due", number),
  "number.suspended": of("number.suspended", number),
  "number.released": of("number.released", number),
  "number.routing_changed": of("number.routing_changed", number)
}

/** The top-up as it was right after the event. */
const topUp = TopUpRecord.fields

const { available_minor, balance_minor, currency, low_balance_threshold_minor } = WalletBalance.fields
const wallet = { workspace_id: Text, balance_minor, available_minor, currency, low_balance_threshold_minor }
const { actor: _, metadata: __, ...movement } = StatementEntry.fields

const money = {
  "topup.succeeded": of("topup.succeeded", topUp),
  "topup.failed": of("topup.failed", topUp),
  "topup.reversed": of("topup.reversed", topUp),
  "wallet.low_balance": of("wallet.low_balance", wallet),
  "wallet.negative": of("wallet.negative", wallet),
  "wallet.adjusted": of("wallet.adjusted", { ...wallet, entry: Schema.Struct(movement) })
}

const storage = {
  "storage.tier_changed": of("storage.tier_changed", {
    workspace_id: Text,
    from_tier_mb: Int,
    to_tier_mb: Int,
    charge_minor: Int.annotate({ description: "Debited by this change; 0 if nothing was." }),
    currency,
    reason: Schema.Literals(["customer", "renewal", "downgrade", "past_due"]),
    changed_at: Instant
  }),
  "storage.usage_high": of("storage.usage_high", {
    workspace_id: Text,
    percent: Schema.Literals([80, 100]).annotate({ description: "The mark that was passed." }),
    used_bytes: Int,
    tier_mb: Int
  }),
  "storage.recordings_evicted": of("storage.recordings_evicted", {
    workspace_id: Text,
    recordings: Int.annotate({ description: "How many had to go." }),
    freed_bytes: Int,
    used_bytes: Int.annotate({ description: "What is left." }),
    tier_mb: Int
  })
}

const owned = { workspace_id: Text }
const trunk = {
  ...owned,
  trunk_id: Text,
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: NullOr(Text),
  at: Instant
}
const credential = { ...owned, credential_id: Text, number_id: Text, extension: Text, username: Text, at: Instant }
const inChatApp = { ...owned, number_id: Text, number: Text }

const connectivity = {
  "sip_trunk.active": of("sip_trunk.active", trunk),
  "sip_trunk.failed": of("sip_trunk.failed", trunk),
  "sip_trunk.unreachable": of("sip_trunk.unreachable", trunk),
  "sip_trunk.recovered": of("sip_trunk.recovered", trunk),
  "sip_credential.created": of("sip_credential.created", credential),
  "sip_credential.rotated": of("sip_credential.rotated", credential),
  "sip_credential.revoked": of("sip_credential.revoked", credential),
  "chatapp.trunk_active": of("chatapp.trunk_active", { ...inChatApp, trunk: TrunkRecord }),
  "chatapp.trunk_failed": of("chatapp.trunk_failed", { ...inChatApp, trunk: TrunkRecord }),
  "chatapp.settings_changed": of("chatapp.settings_changed", { ...inChatApp, settings: CallSettings }),
  "chatapp.permission_changed": of("chatapp.permission_changed", { ...inChatApp, permission: PermissionRecord })
}

const workspace = { workspace_id: Text, status: Text, changed_at: Instant }

const security = {
  "workspace.suspended": of("workspace.suspended", { ...workspace, reason: NullOr(Text) }),
  "workspace.reinstated": of("workspace.reinstated", workspace),
  "webhook.test": Schema.Struct({
    kind: Text.annotate({ description: "`webhook.test`, or the kind that was asked for." }),
    test: Schema.Literal(true)
  }),
  "webhook.disabled": of("webhook.disabled", {
    workspace_id: Text,
    subscription_id: Text,
    url: Text,
    reason: DisabledReason,
    disabled_at: Instant,
    failing_since: NullOr(Instant)
  })
}

export const eventPayloads = { ...calls, ...numbers, ...money, ...storage, ...connectivity, ...security } satisfies {
  readonly [Kind in EventKind]: Schema.Top
}
