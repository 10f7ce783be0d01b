// The payload of a call's event: one shape for webhooks, `GET /v1/calls/{id}/events` and the live stream.
import type { PlacedCall } from "../state/Call.ts"
import { modeOf, streamed_seconds } from "../../streams/CallStream.ts"
import type { CallEvent, CallEventOf } from "../state/CallEvent.ts"
import type { LegRefusal } from "../state/CallFacts.ts"
import type { CallRecord } from "../state/CallRecord.ts"
import { callRecord } from "./CallView.ts"
import type { TranscriptTurn } from "../state/Transcript.ts"

/**
 * The call right after the event, and the members that the event adds. `kind` is the kind of the event; the kind of the
 * call is in `call_kind`.
 */
export interface CallPayload extends Omit<CallRecord, "kind"> {
  readonly kind: string
  readonly call_kind: CallRecord["kind"]
}

/** The `step` of an event that says that a PBX called somebody for a call that was over. */
export const startedLate = "started_late"

const steps = { mute: ["unmuted", "muted"], hold: ["resumed", "held"] } as const

const refusal = ({ cause, detail, reason }: LegRefusal) => ({ cause, detail, ...(reason !== null && { reason }) })

const streamExtras = (call: PlacedCall, event: CallEventOf<"StreamStarted" | "StreamEnded">) => {
  const stream = call.streams?.find(({ id }) => id === event.stream_id)
  if (stream === undefined) return undefined
  const { id: stream_id, name } = stream
  const common = { stream_id, name, mode: modeOf(stream) }
  return event._tag === "StreamStarted"
    ? common
    : { ...common, result: event.result, detail: event.detail, stream_seconds: streamed_seconds(stream) }
}

/** What the public event has beside the record of the call. */
const extras = (call: PlacedCall, event: CallEvent): Readonly<Record<string, unknown>> | undefined => {
  switch (event._tag) {
    case "RemoteRinging":
    case "ArrivedLate":
      return { step: event.step }
    case "DialRefused":
      return { step: "dial_refused", destination: event.to, ...refusal(event.refusal) }
    case "Switched":
      return { step: steps[event.what][event.on ? 1 : 0] }
    case "StartedLate":
      return { step: startedLate }
    case "TagRefused":
      return { step: "tag_refused" }
    case "MachineDetected":
      return { confidence: event.confidence }
    case "DigitPressed":
      return { digit: event.digit, duration_ms: event.duration_ms }
    case "CallbackFailed":
      return { cause: event.cause, http_status: event.http_status, pointer: event.pointer, detail: event.detail }
    case "BalanceWentLow":
      return { remaining_seconds: event.remaining_seconds }
    case "RecordingChanged":
      return { recording_id: event.recording_id, reason: event.reason }
    case "StreamStarted":
    case "StreamEnded":
      return streamExtras(call, event)
    default:
      return undefined
  }
}

/** `call`: right after the event. `kind`: the public kind of the event. */
export const callPayload = (kind: string, call: PlacedCall, event: CallEvent): CallPayload | TranscriptTurn => {
  if (event._tag === "TranscriptTurnAdded") return event.said
  const record = callRecord(call)
  return { ...record, ...extras(call, event), kind, call_kind: record.kind }
}
