import { Schema } from "effect"
import { CallRecord } from "../calls/state/CallRecord.ts"
import type { RecordingStatus } from "../recordings/RecordingRecord.ts"
import { StreamMode, StreamResult } from "../streams/CallStream.ts"
import { at, number_id, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"
import { toCallId, toSessionId } from "../BrandedIds.ts"

const { Int, NullOr, String: Text } = Schema

// In a payload `kind` is the kind of the event, so the call's own member `kind` is called `call_kind`.
const { kind: call_kind, ...record } = CallRecord.fields

/** The call as it was right after the event. */
const call = { ...record, call_kind }

const recording = {
  ...call,
  recording_id: Text,
  reason: NullOr(Text).annotate({
    description: "Why the recording failed or was deleted: `retention`, `storage_full` or `deleted`."
  })
}

const ringing = {
  id: toCallId("01981d5e-0000-7000-8000-000000000003"),
  session_id: toSessionId("HD_01981d5e000070008000000000000003"),
  parent_call_id: null,
  workspace_id,
  number_id,
  direction: "outbound",
  call_kind: "api",
  status: "ringing",
  from: "+254700000001",
  to: "+254711000001",
  caller_id: "+254700000001",
  attestation: null,
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
  terminating: false,
  livemode: true
} as const
const answered = { ...ringing, status: "answered", answered_at: "2026-10-01T11:59:05.000Z" } as const
const completed = {
  ...answered,
  status: "completed",
  ended_at: at,
  duration_seconds: 55,
  billed_seconds: 55,
  cost_minor: 300
} as const
const unanswered = { ...ringing, ended_at: at, cost_minor: 0 } as const

const recording_id = "01981d5e-0000-8000-8000-000000000003"
const recorded = (status: RecordingStatus, reason: string | null) =>
  ({
    ...completed,
    recording: { id: recording_id, status, url: `/v1/calls/${ringing.id}/recording` },
    recording_id,
    reason
  }) as const

const stream = {
  stream_id: Text,
  name: Text.annotate({ description: "As the action `stream` names it." }),
  mode: StreamMode
}
const streamExample = { stream_id: "ST_01981d5e000070008000000000000003_1", name: "agent", mode: "duplex" } as const

const lifecycle = [
  webhookEvent("call.ringing", {
    families: ["call_lifecycle"],
    fields: call,
    example: { ...ringing, ringing_at: null }
  }),
  webhookEvent("call.answered", { families: ["call_lifecycle"], fields: call, example: answered }),
  webhookEvent("call.completed", {
    families: ["call_lifecycle"],
    fields: { ...call, duration_seconds: Int, billed_seconds: Int, cost_minor: Int },
    example: {
      ...completed,
      hangup_cause: "normal_clearing",
      hangup_source: "callee",
      sip_code: 200,
      q850_cause: 16
    }
  }),
  webhookEvent("call.no_answer", {
    families: ["call_lifecycle"],
    fields: call,
    example: { ...unanswered, status: "no_answer", hangup_cause: "no_answer", hangup_source: "platform" }
  }),
  webhookEvent("call.busy", {
    families: ["call_lifecycle"],
    fields: call,
    example: {
      ...unanswered,
      status: "busy",
      hangup_cause: "user_busy",
      hangup_source: "callee",
      sip_code: 486,
      q850_cause: 17
    }
  }),
  webhookEvent("call.failed", {
    families: ["call_lifecycle"],
    fields: call,
    example: {
      ...unanswered,
      status: "failed",
      hangup_cause: "unallocated_number",
      hangup_source: "carrier",
      sip_code: 404,
      q850_cause: 1
    }
  }),
  webhookEvent("call.canceled", {
    families: ["call_lifecycle"],
    fields: call,
    example: {
      ...unanswered,
      status: "canceled",
      hangup_cause: "canceled_by_workspace",
      hangup_source: "workspace"
    }
  })
] as const

const media = [
  webhookEvent("call.callback_failed", {
    families: [],
    fields: {
      ...call,
      cause: Text.annotate({ description: "`callback_failed`, `callback_timeout` or `voice_action_invalid`." }),
      http_status: NullOr(Int),
      pointer: NullOr(Text).annotate({ description: "JSON pointer to the invalid part of the document." }),
      detail: Text
    },
    example: {
      ...answered,
      cause: "voice_action_invalid",
      http_status: 200,
      pointer: "/actions/0",
      detail: "Expected one action."
    }
  }),
  webhookEvent("call.balance_low", {
    families: ["billing"],
    fields: {
      ...call,
      remaining_seconds: Int.annotate({
        description: "Seconds until the call is cut off, unless the wallet is topped up."
      })
    },
    example: { ...answered, remaining_seconds: 10 }
  }),
  webhookEvent("call.machine_detected", {
    families: ["call_media"],
    fields: { ...call, confidence: NullOr(Schema.Number).annotate({ description: "From 0 to 1." }) },
    example: { ...answered, answered_by: "machine", confidence: 0.97 }
  }),
  webhookEvent("call.dtmf", {
    families: ["call_media"],
    fields: { ...call, digit: Text, duration_ms: NullOr(Int) },
    example: { ...answered, digit: "5", duration_ms: 120 }
  }),
  webhookEvent("call.recording_available", {
    families: ["call_media"],
    fields: recording,
    example: recorded("available", null)
  }),
  webhookEvent("call.recording_failed", {
    families: ["call_media"],
    fields: recording,
    example: recorded("failed", "duration_mismatch")
  }),
  webhookEvent("call.recording_deleted", {
    families: ["call_media"],
    fields: recording,
    example: recorded("expired", "retention")
  }),
  webhookEvent("call.stream_started", {
    families: ["call_media"],
    fields: { ...call, ...stream },
    example: { ...answered, ...streamExample }
  }),
  webhookEvent("call.stream_ended", {
    families: ["call_media"],
    fields: {
      ...call,
      ...stream,
      result: StreamResult.annotate({ description: "How the stream ended." }),
      detail: NullOr(Text).annotate({ description: "Why, in words." }),
      stream_seconds: Int.annotate({ description: "How long the application was connected." })
    },
    example: { ...answered, ...streamExample, result: "completed", detail: null, stream_seconds: 40 }
  }),
  webhookEvent("call.transcript_available", { families: ["call_media"], fields: call, example: answered })
] as const

export const callEvents = [...lifecycle, ...media] as const
