// The stored state of a call. Most members of most calls are null or empty: leaving those out makes the state a quarter
// shorter, and a call is written half a dozen times.
import { Schema } from "effect"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { ConferenceAction, ConferenceResult } from "../../conferences/ConferenceAction.ts"
import { Announcement, ParticipantSettings } from "../../conferences/ParticipantSettings.ts"
import { FinishedAudio } from "../../recordings/FinishedAudio.ts"
import { RecordingSource, RecordingStatus } from "../../recordings/RecordingRecord.ts"
import { storedState, Unreadable } from "../../state/StoredState.ts"
import { absentCall, type Call, type PbxSession, type PlacedCall } from "./Call.ts"
import { CallFacts, Forward } from "./CallFacts.ts"
import { AnsweredBy, CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { StreamAction, StreamResult } from "../../streams/CallStream.ts"
import { QuestionReason } from "./Script.ts"
import { AcceptedVoiceAction } from "../verbs/VoiceAction.ts"
import { CallId, ConferenceId, RecordingId, SessionId, toCallId } from "../../BrandedIds.ts"

/** All but the latest transcript, which is in memory only; its turns are in the log. */
type Stored = Omit<Call, "said">

const Count = Schema.Int
const Minor = Schema.Int
const Instant = Schema.Finite
const Id = Schema.String
const optional = Schema.optionalKey
const orNull = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** An object that was checked when the engine accepted it. */
const checkedBefore = <A extends object>() =>
  Schema.declare((value): value is A => typeof value === "object" && value !== null && !Array.isArray(value))

const Question = Schema.Struct({
  reason: QuestionReason,
  url: Schema.String,
  result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  answer_by: Schema.NullOr(Instant)
})

const StoredScript = Schema.Struct({
  question: Schema.NullOr(Question),
  actions: Schema.Array(AcceptedVoiceAction),
  index: Count,
  since: Instant,
  step: Count,
  cut_command_id: Schema.NullOr(Id)
})

const endings = ["completed", "no_answer", "busy", "failed", "canceled"] as const

const StoredDial = Schema.Struct({
  mode: Schema.Struct({
    order: Schema.Literals(["at_once", "in_order"]),
    answers: Schema.Literals(["first", "all"])
  }),
  hold_id: Schema.NullOr(Id),
  surveyed: Schema.Boolean,
  available_minor: optional(Minor),
  announced: optional(Schema.Literal(true)),
  legs: Schema.Array(
    Schema.Struct({
      call_id: CallId,
      to: Schema.String,
      phase: Schema.Literals(["waiting", "ringing", "joined", "over"]),
      session_id: Schema.NullOr(SessionId),
      outcome: Schema.NullOr(Schema.Literals([...endings, "refused"])),
      sip_code: Schema.NullOr(Schema.Int),
      duration_seconds: Schema.NullOr(Schema.Finite),
      refusal: optional(Schema.Struct({ cause: HangupCause, reason: Schema.NullOr(Schema.String) }))
    })
  )
})

const StoredRecording = Schema.Struct({
  id: RecordingId,
  source: RecordingSource,
  channels: Schema.Literals([1, 2]),
  started_at: Instant,
  outcome: Schema.NullOr(
    Schema.Union([Schema.Struct({ audio: FinishedAudio }), Schema.Struct({ error: Schema.String })])
  ),
  told: Schema.Literals(["nothing", "start", "outcome"]),
  status: RecordingStatus
})

const StoredStream = Schema.Struct({
  id: Id,
  name: Schema.String,
  step: Count,
  since: Instant,
  action: StreamAction,
  started_at: Schema.NullOr(Instant),
  stopping_since: Schema.NullOr(Instant),
  end: Schema.NullOr(Schema.Struct({ at: Instant, result: StreamResult, detail: Schema.NullOr(Schema.String) }))
})

const StoredConferencePart = Schema.Struct({
  step: Count,
  since: Instant,
  action: ConferenceAction,
  joined: Schema.NullOr(
    Schema.Struct({
      conference_id: ConferenceId,
      at: Instant,
      version: Count,
      settings: ParticipantSettings,
      announced_at: Instant,
      announcement: Schema.NullOr(Announcement)
    })
  ),
  left: Schema.NullOr(Schema.Struct({ at: Instant, result: ConferenceResult })),
  told: Schema.Boolean
})

const pbxFields = {
  seq: Count,
  ahead: optional(Schema.Array(checkedBefore<PbxEvent>())),
  gap_since: orNull(Instant),
  proof_at: Instant,
  doubted_at: optional(Instant),
  closed: Schema.Boolean,
  revived_at: orNull(Instant)
} satisfies Record<Exclude<keyof PbxSession, "recalled">, Schema.Top>

const Switched = Schema.Struct({ on: Schema.Boolean, count: Count })

/** Members that a stored call leaves out are as in a new call. */
const fields = {
  id: CallId,
  phase: Schema.Literals(["ringing", "answered", "settling", "ended"]),
  facts: CallFacts,
  sequence: Count,
  ringing_at: orNull(Instant),
  answered_at: orNull(Instant),
  ended_at: orNull(Instant),
  ending: orNull(
    Schema.Struct({
      status: Schema.Literals(endings),
      cause: HangupCause,
      source: HangupSource,
      sip_code: Schema.NullOr(Schema.Int),
      q850_cause: Schema.NullOr(Schema.Int)
    })
  ),
  cost_minor: orNull(Minor),
  covered_minutes: Count,
  refused_minute: orNull(Count),
  hold_open: Schema.Boolean,
  talk_limit: optional(Schema.Struct({ seconds: Schema.Finite, count: Count })),
  script: orNull(StoredScript),
  engaged: optional(Schema.Literal(true)),
  consulted: optional(
    Schema.Array(
      Schema.Struct({
        reason: Question.fields.reason,
        url: Schema.String,
        asked_at: Instant,
        answered_at: Schema.NullOr(Instant),
        actions: Schema.NullOr(Count)
      })
    )
  ),
  commands: optional(Schema.Array(Schema.Tuple([Id, Instant]))),
  watches: optional(
    Schema.Array(
      Schema.Struct({ stream_id: Id, by: Schema.String, opened_at: Instant, closed_at: Schema.NullOr(Instant) })
    )
  ),
  reception: orNull(
    Schema.Struct({
      step: Schema.Literals(["admitting", "asking", "forwarding", "answering"]),
      forward: Schema.NullOr(Forward),
      no_funds_message: Schema.NullOr(Schema.String),
      announcement: optional(Schema.String)
    })
  ),
  dial: orNull(StoredDial),
  child_call_ids: optional(Schema.Array(CallId)),
  stopping: optional(
    Schema.Array(Schema.Struct({ call_id: CallId, cause: Schema.Literals(["normal_clearing", "answered_elsewhere"]) }))
  ),
  spare_hold_ids: optional(Schema.Array(Id)),
  picked_up: orNull(Schema.Struct({ at: Instant, claim_by: Instant })),
  detect_until: orNull(Instant),
  answered_by: orNull(AnsweredBy),
  mute: orNull(Switched),
  hold: orNull(Switched),
  told_parent: orNull(CallStatus),
  turns: optional(Count),
  recordings: optional(Schema.Array(StoredRecording)),
  streams: optional(Schema.Array(StoredStream)),
  conferences: optional(Schema.Array(StoredConferencePart)),
  resumed_at: orNull(Instant),
  hangup_awaited_until: optional(Instant),
  clock_set_ms: optional(Schema.Int),
  pbx: Schema.Struct(pbxFields)
} satisfies Record<keyof Stored, Schema.Top>

const StoredCall = Schema.Struct(fields)

export const callState = storedState({ schema: StoredCall, upgrades: [] })

/** Undefined members are left out. */
type Sparse<Members> = { readonly [Name in keyof Members]-?: Members[Name] | undefined }

const notEmpty = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | undefined => (list.length === 0 ? undefined : list)

const sparseSession = (pbx: PbxSession): Sparse<PbxSession> => ({
  seq: pbx.seq,
  ahead: notEmpty(pbx.ahead),
  gap_since: pbx.gap_since ?? undefined,
  proof_at: pbx.proof_at,
  doubted_at: pbx.doubted_at,
  recalled: undefined,
  closed: pbx.closed,
  revived_at: pbx.revived_at ?? undefined
})

/** Member by member, which is as fast as a copy, and does not compile if one is forgotten. */
const sparse = (
  call: Call
): Sparse<Omit<Stored, "pbx">> & { readonly v: number; readonly pbx: Sparse<PbxSession> } => ({
  v: callState.version,
  id: call.id,
  phase: call.phase,
  facts: call.facts,
  sequence: call.sequence,
  ringing_at: call.ringing_at ?? undefined,
  answered_at: call.answered_at ?? undefined,
  ended_at: call.ended_at ?? undefined,
  ending: call.ending ?? undefined,
  cost_minor: call.cost_minor ?? undefined,
  covered_minutes: call.covered_minutes,
  refused_minute: call.refused_minute ?? undefined,
  hold_open: call.hold_open,
  talk_limit: call.talk_limit,
  script: call.script ?? undefined,
  engaged: call.engaged,
  consulted: call.consulted,
  commands: call.commands,
  watches: call.watches,
  reception: call.reception ?? undefined,
  dial: call.dial ?? undefined,
  child_call_ids: notEmpty(call.child_call_ids),
  stopping: notEmpty(call.stopping),
  spare_hold_ids: notEmpty(call.spare_hold_ids),
  picked_up: call.picked_up ?? undefined,
  detect_until: call.detect_until ?? undefined,
  answered_by: call.answered_by ?? undefined,
  mute: call.mute ?? undefined,
  hold: call.hold ?? undefined,
  told_parent: call.told_parent ?? undefined,
  turns: call.turns,
  recordings: call.recordings,
  streams: call.streams,
  conferences: call.conferences,
  resumed_at: call.resumed_at ?? undefined,
  hangup_awaited_until: call.hangup_awaited_until,
  clock_set_ms: call.clock_set_ms,
  pbx: sparseSession(call.pbx)
})

/** The JSON text to store. */
export const stateOfCall = (call: Call): string => JSON.stringify(sparse(call))

const inconsistent = (phase: string): never => {
  throw new Unreadable(`The stored call lacks a member that the phase ${phase} has.`)
}

/**
 * Completes a stored call. Members that were left out, or that an older engine did not know, are as in a new call.
 * Throws
 * `Unreadable` if a member of its phase is missing.
 */
const completed = (id: CallId, stored: typeof StoredCall.Type): PlacedCall => {
  const absent = absentCall(id)
  const { answered_at = null, cost_minor = null, ended_at = null, ending = null, phase } = stored
  const common = { ...absent, ...stored, pbx: { ...absent.pbx, ...stored.pbx } }
  const unended = { ended_at: null, ending: null, cost_minor: null }
  if (phase === "ringing") return { ...common, ...unended, phase, answered_at: null }
  if (phase === "answered")
    return answered_at === null ? inconsistent(phase) : { ...common, ...unended, phase, answered_at }
  if (ended_at === null || ending === null) return inconsistent(phase)
  if (phase === "settling")
    return answered_at === null
      ? inconsistent(phase)
      : { ...common, phase, answered_at, ended_at, ending, cost_minor: null }
  const end = { phase, ended_at, ending, cost_minor: cost_minor ?? 0 }
  return answered_at === null ? { ...common, ...end, answered_at } : { ...common, ...end, answered_at }
}

/** The call as its actor loads it after a restart: the PBX must first show that it still has the session. */
export const restoreCall = callState.restore((stored, _row, id): PlacedCall => {
  const call = completed(toCallId(id), stored)
  return { ...call, pbx: { ...call.pbx, recalled: true } }
})

/**
 * The call of a stored state, for reads. It is not checked against the schema, so that what is made of it may throw
 * besides `Unreadable`: read rows through `readRow` and `readableRows` of layers/state.
 */
export const callOfState = (id: CallId, state: string): PlacedCall => completed(id, callState.view(state))
