// The body of the request to a voice callback, as its receiver reads it (docs/voice-actions.md). CallbackBody.ts writes
// it; newer engines may add members.
import { Schema, Struct } from "effect"
import { CallId, RecordingId, SessionId, WorkspaceId } from "../../BrandedIds.ts"
import { Attestation } from "../../pbx/Attestation.ts"
import { AnsweredBy, CallStatus } from "../state/CallRecord.ts"

const { Int, NullOr, String: Text } = Schema

const simulated = Schema.optionalKey(Schema.Literal(true)).annotate({ description: "The call is only tried." })

const common = {
  call_id: CallId,
  session_id: SessionId,
  parent_call_id: NullOr(CallId),
  workspace_id: WorkspaceId,
  number_id: NullOr(Text),
  direction: Schema.Literals(["outbound", "inbound"]),
  from: Text,
  to: Text,
  caller_id: Text,
  attestation: NullOr(Attestation),
  status: CallStatus,
  answered_at: NullOr(Text),
  answered_by: NullOr(AnsweredBy),
  sequence: Int.annotate({ description: "The sequence of the event that caused the request." }),
  remaining_seconds: NullOr(Int).annotate({
    description: "Seconds of talk that are paid for so far; `null` before the answer and where talk is free."
  }),
  metadata: Schema.Record(Text, Text),
  client_reference: NullOr(Text)
}

/** The members of every question, in the order in which the body has them. */
export const commonMembers = Struct.keys(common)
export type CommonMember = (typeof commonMembers)[number]

const asking = <const Reason extends string, Result extends Schema.Top>(reason: Reason, why: string, result: Result) =>
  Schema.Struct({
    reason: Schema.Literal(reason).annotate({ description: why }),
    simulated,
    ...common,
    result: result.annotate({ description: "The result of the action that led to the request." })
  })

const Gathered = Schema.Struct({
  status: Schema.Literals(["complete", "timeout", "too_few", "unavailable"]),
  digits: Text.annotate({ description: "The keys that were pressed, without the finishing key." }),
  speech: Schema.optionalKey(NullOr(Text)).annotate({ description: "What was said, if speech was waited for." }),
  confidence: Schema.optionalKey(NullOr(Schema.Number)).annotate({
    description: "How certain the recognition is, from 0 to 1."
  })
})

const Recorded = Schema.Struct({
  status: Schema.Literals(["recorded", "failed"]),
  recording_id: RecordingId,
  duration_seconds: Int
})

const ended = ["completed", "no_answer", "busy", "failed", "canceled"] as const

const Dialled = Schema.Struct({
  status: Schema.Literals(ended).annotate({ description: "The best outcome of the legs." }),
  call_id: NullOr(CallId).annotate({ description: "The leg that answered; `null` if none did." }),
  duration_seconds: Int,
  answered_number: NullOr(Text).annotate({ description: "The destination that answered." }),
  attempts: Schema.Array(
    Schema.Struct({
      to: Text,
      status: Schema.Literals([...ended, "refused"]),
      sip_code: NullOr(Int)
    })
  ).annotate({ description: "Every destination and its outcome." })
})

/** One member of the union for each reason that a question can have. */
export const VoiceQuestion = Schema.Union([
  asking("answered", "The call is answered; with machine detection, it is known who answered.", Schema.Null),
  asking("incoming", "One of your numbers is called, and the call is not answered yet.", Schema.Null),
  asking("redirect", "The action `redirect` named this URL.", Schema.Struct({})),
  asking("gather_completed", "A `gather` with an `action_url` is over.", Gathered),
  asking("record_completed", "A `record` with an `action_url` is over.", Recorded),
  asking("dial_completed", "A `dial` with an `action_url` is over.", Dialled)
]).annotate({ identifier: "VoiceQuestion" })
export type VoiceQuestion = typeof VoiceQuestion.Type
