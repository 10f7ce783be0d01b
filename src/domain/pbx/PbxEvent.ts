// What a PBX reports (docs/pbx-protocol.md). The same shape travels over the feed, the ingest endpoint and in process.
import { Schema } from "effect"
import { GivenInstant } from "../GivenInstant.ts"

/** No NUL and no half of a surrogate pair: PostgreSQL stores neither. */
const Text = Schema.String.check(Schema.isMaxLength(256), Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

/** What people say is longer than what machines do. */
const Speech = Schema.String.check(Schema.isMaxLength(8_000), Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

export const PbxEventType = Schema.Literals([
  "session.created",
  "session.snapshot",
  "leg.ringing",
  "leg.early_media",
  "leg.answered",
  "leg.bridged",
  "leg.unbridged",
  "leg.hangup",
  "dtmf",
  "machine.detected",
  "playback.finished",
  "gather.finished",
  "recording.started",
  "recording.completed",
  "recording.failed",
  "transcript.delta",
  "transcript.turn",
  "registration.changed",
  "trunk.state",
  "heartbeat"
])
export type PbxEventType = typeof PbxEventType.Type

/** Every `data` member of every type; which of them a type carries is in the protocol's table. */
export const PbxEventData = Schema.Struct({
  sip_call_id: Schema.optionalKey(Text),
  sip_code: Schema.optionalKey(Schema.Int),
  q850: Schema.optionalKey(Schema.Int),
  /** Who ended the leg, as the PBX saw it. */
  source: Schema.optionalKey(Schema.Literals(["caller", "callee", "platform", "carrier"])),
  /** leg.hangup: why the PBX itself ended the leg; `media_timeout` when nothing was heard of it for long. */
  reason: Schema.optionalKey(Text),
  duration_ms: Schema.optionalKey(Schema.Int),
  peer_leg_id: Schema.optionalKey(Text),
  digit: Schema.optionalKey(Text),
  /** gather.finished: what was entered. */
  digits: Schema.optionalKey(Text),
  /** gather.finished: what was said, where speech was waited for. */
  speech: Schema.optionalKey(Speech),
  result: Schema.optionalKey(Text),
  confidence: Schema.optionalKey(Schema.Number),
  /** The command that a playback, gather or recording belongs to. */
  command_id: Schema.optionalKey(Text),
  error: Schema.optionalKey(Text),
  /** recording.*: which one, as the command named it; where its file is left in the spool, and what the file is. */
  recording_id: Schema.optionalKey(Text),
  object_key: Schema.optionalKey(Text),
  size_bytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Text),
  /** session.snapshot: whether the PBX still has the session, and how far it is. */
  state: Schema.optionalKey(Schema.Literals(["absent", "ringing", "answered"])),
  /** registration.changed: which of a credential's devices, and until when it may be reached. */
  username: Schema.optionalKey(Text),
  contact: Schema.optionalKey(Text),
  user_agent: Schema.optionalKey(Text),
  transport: Schema.optionalKey(Text),
  registration: Schema.optionalKey(Schema.Literals(["registered", "unregistered"])),
  expires_at: Schema.optionalKey(GivenInstant),
  /** trunk.state: the trunk, whether it answers and is registered where it has to be; `sip_code` is its last answer. */
  trunk_id: Schema.optionalKey(Text),
  reachable: Schema.optionalKey(Schema.Boolean),
  registered_until: Schema.optionalKey(GivenInstant),
  /** transcript.turn, transcript.delta: which turn of the call it is, from 1, and who says what. */
  turn: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
  role: Schema.optionalKey(Schema.Literals(["user", "agent", "system", "tool"])),
  text: Schema.optionalKey(Speech),
  delta: Schema.optionalKey(Speech),
  final: Schema.optionalKey(Schema.Boolean),
  /** heartbeat: the sessions alive on the gateway. */
  live_sessions: Schema.optionalKey(Schema.Array(Text).check(Schema.isMaxLength(100_000)))
})
export type PbxEventData = typeof PbxEventData.Type

export const PbxEvent = Schema.Struct({
  event_id: Schema.String.check(Schema.isUUID()),
  tenant_pbx_id: Text,
  type: PbxEventType,
  /** Absent for events of the gateway as a whole: heartbeat, trunk.state, registration.changed. */
  session_id: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^HD_[A-Za-z0-9_-]{1,64}$/))),
  leg_id: Schema.optionalKey(Text),
  parent_session_id: Schema.optionalKey(Text),
  /** Order of the events of one session, from 1, without gaps; `lastSeq` for the snapshot of an absent session. */
  seq: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  occurred_at: GivenInstant,
  direction: Schema.optionalKey(Schema.Literals(["outbound", "inbound"])),
  from: Schema.optionalKey(Text),
  to: Schema.optionalKey(Text),
  data: PbxEventData
}).annotate({ identifier: "PbxEvent" })
export type PbxEvent = typeof PbxEvent.Type
