// What the engine asks of a PBX. A command is repeated until it is acknowledged, so a gateway remembers the ids it has
// carried out and answers a repeated one with the acknowledgement alone (docs/pbx-protocol.md).
import { Schema } from "effect"
import { GivenInstant } from "../GivenInstant.ts"

const Id = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128))

/** The PBX ends the talk by itself so long after the answer, unless it is told otherwise: the engine may be gone by then. */
const talk_limit_seconds = Schema.optionalKey(Schema.Int)

/** Sets up a leg towards `to`. The gateway answers with events of the same session. */
const Originate = Schema.Struct({
  kind: Schema.Literal("originate"),
  to: Schema.String,
  from: Schema.String,
  caller_id: Schema.String,
  timeout_seconds: Schema.Int,
  talk_limit_seconds,
  /** The session that dialled this one; absent for a call placed by the API. */
  parent_session_id: Schema.optionalKey(Schema.String),
  /** The devices that are registered as this user are called, all at once; `to` only says so to people. */
  endpoint: Schema.optionalKey(Schema.String),
  /** The tenant's own trunk that it goes over (`trunk.put`); absent: the platform's. */
  trunk_id: Schema.optionalKey(Schema.String),
  /** Shown beside the number, where the network shows names. */
  caller_name: Schema.optionalKey(Schema.String),
  /** Pressed when the leg is answered; `w` and `W` wait half a second and a second. */
  send_digits: Schema.optionalKey(Schema.String),
  /** Tell by `machine.detected` who has answered; in the second mode, of a machine only once its greeting is over. */
  machine_detection: Schema.optionalKey(
    Schema.Struct({
      mode: Schema.Literals(["detect", "detect_message_end"]),
      timeout_seconds: Schema.Int
    })
  ),
  /** How the legs of the same dial go, as the customer has it: absent where it was not said. The engine sees to it. */
  sequential: Schema.optionalKey(Schema.Boolean),
  first_answer_wins: Schema.optionalKey(Schema.Boolean),
  /** Played to the parent session while this one rings. */
  ringback_url: Schema.optionalKey(Schema.String),
  sip_headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

const Say = Schema.Struct({
  kind: Schema.Literal("say"),
  text: Schema.String,
  voice: Schema.optionalKey(Schema.String),
  language: Schema.optionalKey(Schema.String),
  loop: Schema.Int
})

/** Plays a file of sound, WAV or MP3. */
const Play = Schema.Struct({ kind: Schema.Literal("play"), url: Schema.String, loop: Schema.Int })

/** Waits for digits, from the end of the prompt on; the first digit, or the first word, cuts the prompt short. */
const Gather = Schema.Struct({
  kind: Schema.Literal("gather"),
  /** What is waited for, where that is not keys alone: whichever comes first. */
  input: Schema.optionalKey(Schema.Array(Schema.Literals(["dtmf", "speech"]))),
  /** What is spoken, as far as it is known. */
  language: Schema.optionalKey(Schema.String),
  min_digits: Schema.Int,
  max_digits: Schema.Int,
  /** Ends the entry and is no part of it; empty: no key does. */
  finish_on_key: Schema.String,
  /** Until the first digit. */
  timeout_ms: Schema.Int,
  inter_digit_timeout_ms: Schema.Int,
  prompt: Schema.optionalKey(Schema.Union([Say, Play]))
})

const SendDigits = Schema.Struct({ kind: Schema.Literal("send_digits"), digits: Schema.String })

/** Ends what another command has under way, as if it had been carried out. */
const Cut = Schema.Struct({ kind: Schema.Literal("cut"), command_id: Id })

/** Whether the party is heard by its peers; whether it hears music instead of them. */
const Mute = Schema.Struct({ kind: Schema.Literal("mute"), on: Schema.Boolean })
const Hold = Schema.Struct({ kind: Schema.Literal("hold"), on: Schema.Boolean })

/** Connects the audio of the session and its peer until one of them ends. A session can have several peers at once. */
const Bridge = Schema.Struct({ kind: Schema.Literal("bridge"), peer_session_id: Schema.String })

/** Answers a session that came in. Until then its caller hears it ring. */
const Answer = Schema.Struct({ kind: Schema.Literal("answer"), talk_limit_seconds })

/** The talk may last so long now, counted from the answer: more or less than was said before. */
const Limit = Schema.Struct({
  kind: Schema.Literal("limit"),
  seconds: Schema.Int,
  /** When that was, as it was told: for a gateway that has forgotten. */
  answered_at: Schema.optionalKey(GivenInstant)
})

/** Refuses a session that came in, with this final response; the announcement is said first, unanswered (RFC 3960). */
const Reject = Schema.Struct({
  kind: Schema.Literal("reject"),
  sip_code: Schema.Int,
  announcement: Schema.optionalKey(Schema.String)
})

const Hangup = Schema.Struct({ kind: Schema.Literal("hangup"), cause: Schema.String })

/**
 * Records the session into a file of its own, until `record.stop`, one of the limits, or the end of the session. From
 * the answer: what is not answered yet is recorded once it is.
 */
const RecordStart = Schema.Struct({
  kind: Schema.Literal("record.start"),
  recording_id: Id,
  /** 2: what the party says in the first channel, what it hears in the second. */
  channels: Schema.Literals([1, 2]),
  from: Schema.Literals(["answer", "ringing"]),
  max_seconds: Schema.optionalKey(Schema.Int),
  silence_seconds: Schema.optionalKey(Schema.Int),
  finish_on_key: Schema.optionalKey(Schema.String),
  beep: Schema.optionalKey(Schema.Boolean)
})

const RecordStop = Schema.Struct({ kind: Schema.Literal("record.stop"), recording_id: Id })

/** Asks for the state of the session: answered by `session.snapshot`, also when there is none. */
const Snapshot = Schema.Struct({ kind: Schema.Literal("snapshot") })

export const PbxAction = Schema.Union([
  Originate,
  Answer,
  Reject,
  Say,
  Play,
  Gather,
  SendDigits,
  Cut,
  Mute,
  Hold,
  Limit,
  Bridge,
  RecordStart,
  RecordStop,
  Hangup,
  Snapshot
])
export type PbxAction = typeof PbxAction.Type

export const PbxCommand = Schema.Struct({
  /** Stable: the same wish has the same id, however often it is sent. */
  id: Id,
  session_id: Id,
  /** The PBX's own name of the tenant, under which it keeps credentials and limits. */
  tenant_pbx_id: Id,
  /** Order of the commands of one session, from 1. */
  seq: Schema.Int,
  action: PbxAction
}).annotate({ identifier: "PbxCommand" })
export type PbxCommand = typeof PbxCommand.Type
