// The notices of a call's live stream, published after each commit.
import { Schema } from "effect"
import { TranscriptNotice } from "../state/Transcript.ts"
import { CallRecord, CallStatus } from "../state/CallRecord.ts"
import { CallId } from "../../BrandedIds.ts"

/** An event of a call, as its log has it. `status` is that of the call. */
export const CallNotice = Schema.Struct({
  kind: Schema.String,
  call_id: CallId,
  sequence: Schema.Int,
  status: CallStatus,
  occurred_at: Schema.String,
  late: Schema.Boolean,
  payload: Schema.Record(Schema.String, Schema.Unknown)
})
export type CallNotice = typeof CallNotice.Type

/** Every notice of a call's live stream. */
export const StreamNotice = Schema.Union([CallNotice, TranscriptNotice])
export type StreamNotice = typeof StreamNotice.Type

export const isSaid = (notice: StreamNotice): notice is TranscriptNotice => "said" in notice

const { kind: call_kind, ...record } = CallRecord.fields

/** The `data` of an event of the call in the live stream: the event's payload, and its place in the log. */
export const StreamedEvent = Schema.Struct({
  ...record,
  kind: Schema.String.annotate({ description: "What happened, such as `call.answered`." }),
  call_kind,
  call_id: CallId,
  sequence: Schema.Int.annotate({ description: "The position among the events of the call, from 1." }),
  occurred_at: Schema.String,
  late: Schema.Boolean.annotate({ description: "Whether it arrived after the end of the call and changed nothing." })
}).annotate({
  identifier: "StreamedCallEvent",
  description: "Has the members of the webhook event of the same kind, such as `digit` of `call.dtmf`."
})
export type StreamedEvent = typeof StreamedEvent.Type

/** The `data` of a notice. The place of a piece of the transcript is in the `id` of its event. */
export const streamedData = (notice: StreamNotice): object => {
  if (isSaid(notice)) return notice.said
  const { call_id, kind, late, occurred_at, payload, sequence } = notice
  return { ...payload, kind, call_id, sequence, occurred_at, late }
}
