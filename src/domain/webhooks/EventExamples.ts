// A payload of each kind of event, as it is shown in the reference.
import type { Schema } from "effect"
import { initialSettings } from "../chatapp/CallSettings.ts"
import type { RecordingStatus } from "../recordings/RecordingRecord.ts"
import type { EventKind } from "./EventKinds.ts"
import type { eventPayloads } from "./EventPayloads.ts"

type Payload<Kind extends EventKind> = Schema.Schema.Type<(typeof eventPayloads)[Kind]>

const workspace_id = "01981d5e-0000-7000-8000-000000000001"
const number_id = "01981d5e-0000-7000-8000-000000000002"
const at = "2026-10-01T12:00:00.000Z"

const call = {
  id: "01981d5e-0000-7000-8000-000000000003",
  session_id: "HD_01981d5e000070008000000000000003",
  parent_call_id: null,
  workspace_id,
  number_id,
  direction: "outbound",
  call_kind: "api",
  status: "ringing",
  from: "+254700000001",
  to: "+254711000001",
  caller_id: "+254700000001",
  created_at: "2026-10-01T11:59:00.000Z",
  ringing_at: "2026-10-01T11:59:01.000Z",
  answered_at: null,
  ended_at: null,
  rate_per_min_minor: 300,
  matched_prefix: "254",
  currency: "KES",
  answered_by: null,
  hangup_cause: null,
  hangup_source: null,
  sip_code: null,
  q850_cause: null,
  timeout_seconds: 30,
  max_duration_seconds: 14_400,
  recording: null,
  metadata: { order: "4711" },
  client_reference: null,
  child_call_ids: [],
  agent: null,
  terminating: false
} as const
const answered = { ...call, status: "answered", answered_at: "2026-10-01T11:59:05.000Z" } as const
const unanswered = { ...call, ended_at: at, cost_minor: 0 } as const

const recording_id = "01981d5e-0000-8000-8000-000000000003"
const recorded = (status: RecordingStatus) =>
  ({
    ...answered,
    status: "completed",
    ended_at: at,
    duration_seconds: 55,
    billed_seconds: 55,
    cost_minor: 300,
    recording: { id: recording_id, status, url: `/v1/calls/${call.id}/recording` }
  }) as const

const calls = {
  "call.ringing": { ...call, kind: "call.ringing", ringing_at: null },
  "call.answered": { ...answered, kind: "call.answered" },
  "call.completed": {
    ...answered,
    kind: "call.completed",
    status: "completed",
    ended_at: at,
    duration_seconds: 55,
    billed_seconds: 55,
    cost_minor: 300,
    hangup_cause: "normal_clearing",
    hangup_source: "callee",
    sip_code: 200,
    q850_cause: 16
  },
  "call.no_answer": {
    ...unanswered,
    kind: "call.no_answer",
    status: "no_answer",
    hangup_cause: "no_answer",
    hangup_source: "platform"
  },
  "call.busy": {
    ...unanswered,
    kind: "call.busy",
    status: "busy",
    hangup_cause: "user_busy",
    hangup_source: "callee",
    sip_code: 486,
    q850_cause: 17
  },
  "call.failed": {
    ...unanswered,
    kind: "call.failed",
    status: "failed",
    hangup_cause: "unallocated_number",
    hangup_source: "carrier",
    sip_code: 404,
    q850_cause: 1
  },
  "call.canceled": {
    ...unanswered,
    kind: "call.canceled",
    status: "canceled",
    hangup_cause: "canceled_by_workspace",
    hangup_source: "workspace"
  },
  "call.callback_failed": {
    ...answered,
    kind: "call.callback_failed",
    cause: "voice_action_invalid",
    http_status: 200,
    pointer: "/actions/0",
    detail: "Expected one action."
  },
  "call.balance_low": { ...answered, kind: "call.balance_low", remaining_seconds: 10 },
  "call.machine_detected": { ...answered, kind: "call.machine_detected", answered_by: "machine", confidence: 0.97 },
  "call.dtmf": { ...answered, kind: "call.dtmf", digit: "5", duration_ms: 120 },
  "call.recording_available": {
    ...recorded("available"),
    kind: "call.recording_available",
    recording_id,
    reason: null
  },
  "call.recording_failed": {
    ...recorded("failed"),
    kind: "call.recording_failed",
    recording_id,
    reason: "duration_mismatch"
  },
  "call.recording_deleted": {
    ...recorded("expired"),
    kind: "call.recording_deleted",
    recording_id,
    reason: "retention"
  },
  "call.transcript_available": { ...answered, kind: "call.transcript_available" }
} as const

const number = {
  id: number_id,
  workspace_id,
  number: "+254700000001",
  status: "active",
  source: "platform",
  country: "KE",
  type: "mobile",
  capabilities: ["voice"],
  label: null,
  currency: "KES",
  monthly_price_minor: 50_000,
  inbound_per_min_minor: 100,
  outbound_per_min_minor: 300,
  claimed_at: "2026-09-01T12:00:00.000Z",
  renews_at: "2026-11-01T00:00:00.000Z",
  past_due_since: null,
  released_at: null,
  routing: {
    events_url: "https://example.com/calls",
    voice_url: null,
    voice_fallback_url: null,
    forward_to: { type: "none", value: null, sequential: null },
    ring_timeout_seconds: 30,
    record: "do-not-record",
    reject_when_no_funds_message: null
  }
} as const

const numbers = {
  "number.claimed": { ...number, kind: "number.claimed", amount_minor: 50_000 },
  "number.renewed": { ...number, kind: "number.renewed", amount_minor: 50_000 },
  "number.past_due": { ...number, kind: "number.past_due", status: "past_due", past_due_since: at },
  "number.suspended": { ...number, kind: "number.suspended", status: "suspended", past_due_since: at },
  "number.released": { ...number, kind: "number.released", status: "released", released_at: at },
  "number.routing_changed": { ...number, kind: "number.routing_changed" }
} as const

const topUp = {
  topup_id: "01981d5e-0000-7000-8000-000000000004",
  workspace_id,
  provider: "mobilemoney",
  amount_minor: 100_000,
  currency: "KES",
  phone_e164: "+254700000089",
  status: "succeeded",
  mobilemoney_account_ref: "4T7K2M9QX3",
  provider_reference: "NLJ7RT61SV",
  failure_code: null,
  failure_message: null,
  created_at: at,
  completed_at: at,
  expires_at: at
} as const
const wallet = {
  workspace_id,
  balance_minor: 4_500,
  available_minor: 4_200,
  currency: "KES",
  low_balance_threshold_minor: 5_000
} as const
const entry = {
  id: "01981d5e-0000-7000-8000-000000000005",
  kind: "refund",
  amount_minor: 1_000,
  balance_after_minor: 4_500,
  currency: "KES",
  reference_type: "adjustment",
  reference_id: "01981d5e-0000-7000-8000-000000000005",
  description: "Goodwill",
  created_at: at
} as const

const money = {
  "topup.succeeded": { ...topUp, kind: "topup.succeeded" },
  "topup.failed": {
    ...topUp,
    kind: "topup.failed",
    status: "failed",
    provider_reference: null,
    failure_code: "cancelled_by_user",
    failure_message: "Request cancelled by user"
  },
  "topup.reversed": { ...topUp, kind: "topup.reversed", status: "reversed" },
  "wallet.low_balance": { ...wallet, kind: "wallet.low_balance" },
  "wallet.negative": { ...wallet, kind: "wallet.negative", balance_minor: -500, available_minor: -500 },
  "wallet.adjusted": { ...wallet, kind: "wallet.adjusted", entry },
  "storage.tier_changed": {
    kind: "storage.tier_changed",
    workspace_id,
    from_tier_mb: 100,
    to_tier_mb: 1024,
    charge_minor: 29_950,
    currency: "KES",
    reason: "customer",
    changed_at: at
  },
  "storage.usage_high": { kind: "storage.usage_high", workspace_id, percent: 80, used_bytes: 90_000_000, tier_mb: 100 },
  "storage.recordings_evicted": {
    kind: "storage.recordings_evicted",
    workspace_id,
    recordings: 2,
    freed_bytes: 1_760_088,
    used_bytes: 104_000_000,
    tier_mb: 100
  }
} as const

const credential = {
  workspace_id,
  credential_id: "01981d5e-0000-7000-8000-000000000006",
  number_id,
  extension: "1001",
  username: "1001-acme",
  at
} as const
const sipTrunk = {
  workspace_id,
  trunk_id: "01981d5e-0000-7000-8000-000000000008",
  status: "active",
  status_reason: null,
  at
} as const
const workspace = { workspace_id, changed_at: at } as const
const inChatApp = { workspace_id, number_id, number: "+254700000001" } as const
const trunk = {
  status_reason: null,
  provider_code: null,
  attempts: 1,
  next_retry_at: null,
  sip_host: null,
  updated_at: at
} as const

const rest = {
  "sip_trunk.active": { ...sipTrunk, kind: "sip_trunk.active" },
  "sip_trunk.failed": { ...sipTrunk, kind: "sip_trunk.failed", status: "failed", status_reason: "unreachable" },
  "sip_trunk.unreachable": { ...sipTrunk, kind: "sip_trunk.unreachable" },
  "sip_trunk.recovered": { ...sipTrunk, kind: "sip_trunk.recovered" },
  "sip_credential.created": { ...credential, kind: "sip_credential.created" },
  "sip_credential.rotated": { ...credential, kind: "sip_credential.rotated" },
  "sip_credential.revoked": { ...credential, kind: "sip_credential.revoked" },
  "chatapp.trunk_active": {
    ...inChatApp,
    kind: "chatapp.trunk_active",
    trunk: { ...trunk, status: "active", sip_host: "sip.example.com" }
  },
  "chatapp.trunk_failed": {
    ...inChatApp,
    kind: "chatapp.trunk_failed",
    trunk: {
      ...trunk,
      status: "failed",
      status_reason: "Calling is not available yet.",
      provider_code: 138_015,
      next_retry_at: at
    }
  },
  "chatapp.settings_changed": { ...inChatApp, kind: "chatapp.settings_changed", settings: initialSettings },
  "chatapp.permission_changed": {
    ...inChatApp,
    kind: "chatapp.permission_changed",
    permission: {
      user: "+254711000001",
      status: "granted",
      permanent: false,
      expires_at: at,
      source: "user",
      replied_at: at
    }
  },
  "workspace.suspended": { ...workspace, kind: "workspace.suspended", status: "suspended", reason: "unpaid" },
  "workspace.reinstated": { ...workspace, kind: "workspace.reinstated", status: "active" },
  "webhook.test": { kind: "webhook.test", test: true },
  "webhook.disabled": {
    kind: "webhook.disabled",
    workspace_id,
    subscription_id: "01981d5e-0000-7000-8000-000000000007",
    url: "https://example.com/hooks",
    reason: "failing",
    disabled_at: at,
    failing_since: "2026-09-26T12:00:00.000Z"
  }
} as const

export const eventExamples: { readonly [Kind in EventKind]: Payload<Kind> } = {
  ...calls,
  ...numbers,
  ...money,
  ...rest
}
