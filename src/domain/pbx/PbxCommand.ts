// What the engine asks of a PBX. A command is repeated until it is acknowledged, so a gateway remembers the ids it has
// carried out and answers a repeated one with the acknowledgement alone (docs/pbx-protocol.md).
import { Schema } from "effect"

const Id = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128))

/** Sets up a leg towards `to`. The gateway answers with events of the same session. */
const Originate = Schema.Struct({
  kind: Schema.Literal("originate"),
  to: Schema.String,
  from: Schema.String,
  caller_id: Schema.String,
  timeout_seconds: Schema.Int,
  /** The session that dialled this one; absent for a call placed by the API. */
  parent_session_id: Schema.optionalKey(Schema.String)
})

const Say = Schema.Struct({
  kind: Schema.Literal("say"),
  text: Schema.String,
  voice: Schema.optionalKey(Schema.String),
  language: Schema.optionalKey(Schema.String),
  loop: Schema.Int
})

/** Connects the audio of the session and its peer until one of them ends. */
const Bridge = Schema.Struct({ kind: Schema.Literal("bridge"), peer_session_id: Schema.String })

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

export const PbxAction = Schema.Union([Originate, Say, Bridge, RecordStart, RecordStop, Hangup, Snapshot])
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
