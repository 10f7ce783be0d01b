// The events that a PBX reports (docs/pbx-protocol.md). The feed, the ingest endpoint and gateways in process share
// this shape.
import { Schema } from "effect"
import { guessBounds } from "./PasswordGuesses.ts"
import { GivenInstant } from "../GivenInstant.ts"
import { Attestation } from "./Attestation.ts"
import { CallNetwork } from "./CallNetwork.ts"

/** No NUL and no lone surrogate: PostgreSQL stores neither. */
const Text = Schema.String.check(Schema.isMaxLength(256), Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

/** Speech may be longer than the other texts. */
const Speech = Schema.String.check(Schema.isMaxLength(8_000), Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

/** As long as the answer of a voice callback may be. */
const Document = Schema.String.check(Schema.isMaxLength(65_536), Schema.isPattern(/^[^\0\p{Surrogate}]*$/u))

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
  "stream.started",
  "stream.ended",
  "stream.hangup",
  "stream.actions",
  "conference.failed",
  "transcript.delta",
  "transcript.turn",
  "registration.changed",
  "registration.attacked",
  "trunk.state",
  "heartbeat"
])
export type PbxEventType = typeof PbxEventType.Type

/** All `data` members of all types. The table in docs/pbx-protocol.md says which type carries which. */
export const PbxEventData = Schema.Struct({
  sip_call_id: Schema.optionalKey(Text),
  /** session.created: the call came over the trunk `trunk_id` of the chat app's provider. */
  network: Schema.optionalKey(CallNetwork).annotate({
    description: "The network that the call came from, if it is not the telephone network."
  }),
  /** session.created of an inbound call, as the trunk that it came over says. */
  attestation: Schema.optionalKey(Attestation),
  sip_code: Schema.optionalKey(Schema.Int),
  q850: Schema.optionalKey(Schema.Int),
  /** leg.hangup: who ended the leg, as the PBX saw it. */
  source: Schema.optionalKey(Schema.Literals(["caller", "callee", "platform", "carrier"])),
  /**
   * leg.hangup: why the PBX itself ended the leg: `media_timeout`, `media_failed`, `talk_limit`. trunk.state: why it
   * has taken the trunk down for good: `registers_too_often`.
   */
  reason: Schema.optionalKey(Text),
  duration_ms: Schema.optionalKey(Schema.Int),
  peer_leg_id: Schema.optionalKey(Text),
  digit: Schema.optionalKey(Text),
  /** gather.finished: the digits entered. */
  digits: Schema.optionalKey(Text),
  /** gather.finished: the words spoken, if the gather accepts speech. */
  speech: Schema.optionalKey(Speech),
  result: Schema.optionalKey(Text),
  confidence: Schema.optionalKey(Schema.Number),
  /** The command that a playback, gather or recording belongs to. */
  command_id: Schema.optionalKey(Text),
  error: Schema.optionalKey(Text),
  /** recording.*: its id from the command, and the path, size and hash of its file in the spool. */
  recording_id: Schema.optionalKey(Text.pipe(Schema.brand("RecordingId"))),
  object_key: Schema.optionalKey(Text),
  size_bytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Text),
  /** stream.*: the stream of the command. */
  stream_id: Schema.optionalKey(Text),
  /** stream.actions: the voice actions that the application sent, as JSON text. */
  document: Schema.optionalKey(Document),
  /** conference.failed: the conference that the session could not join. */
  conference_id: Schema.optionalKey(Text),
  /** session.snapshot: whether the PBX still has the session, and its progress. */
  state: Schema.optionalKey(Schema.Literals(["absent", "ringing", "answered"])),
  /** registration.*: the credential. registration.changed: its device, and until when it is registered. */
  username: Schema.optionalKey(Text),
  contact: Schema.optionalKey(Text),
  user_agent: Schema.optionalKey(Text),
  transport: Schema.optionalKey(Text),
  registration: Schema.optionalKey(Schema.Literals(["registered", "unregistered"])),
  expires_at: Schema.optionalKey(GivenInstant),
  /** registration.attacked: how many wrong passwords came since when, and from which addresses. */
  attempts: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))),
  since: Schema.optionalKey(GivenInstant),
  addresses: Schema.optionalKey(Schema.Array(Text).check(Schema.isMaxLength(guessBounds.addresses_shown))),
  /** trunk.state: whether the trunk answers, and is registered if it must be; `sip_code` is its last response. */
  trunk_id: Schema.optionalKey(Text.pipe(Schema.brand("PbxTrunkId"))),
  reachable: Schema.optionalKey(Schema.Boolean),
  registered_until: Schema.optionalKey(GivenInstant),
  /** transcript.turn, transcript.delta: the turn's number in the call, from 1, its speaker and its text. */
  turn: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
  role: Schema.optionalKey(Schema.Literals(["user", "agent", "system", "tool"])),
  text: Schema.optionalKey(Speech),
  delta: Schema.optionalKey(Speech),
  final: Schema.optionalKey(Schema.Boolean),
  /** heartbeat: the sessions alive on the gateway. */
  live_sessions: Schema.optionalKey(
    Schema.Array(Text.pipe(Schema.brand("SessionId"))).check(Schema.isMaxLength(100_000))
  )
})
export type PbxEventData = typeof PbxEventData.Type

export const PbxEvent = Schema.Struct({
  event_id: Schema.String.check(Schema.isUUID()).annotate({
    description: "The id of the event, which every repetition has."
  }),
  tenant_pbx_id: Text,
  type: PbxEventType.annotate({ description: "What happened." }),
  /** Absent for events without a session: heartbeat, trunk.state, registration.*. */
  session_id: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^HD_[A-Za-z0-9_-]{1,64}$/)).pipe(Schema.brand("SessionId"))
  ).annotate({ description: "The session; absent for events without one." }),
  leg_id: Schema.optionalKey(Text),
  parent_session_id: Schema.optionalKey(Text.pipe(Schema.brand("SessionId"))),
  /** Numbers the events of one session from 1, without gaps. The snapshot of an absent session has `lastSeq`. */
  seq: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
    description: "The position among the events of the session, from 1, without gaps."
  }),
  occurred_at: GivenInstant,
  direction: Schema.optionalKey(Schema.Literals(["outbound", "inbound"])).annotate({
    description: "Whether the engine placed the session."
  }),
  from: Schema.optionalKey(Text).annotate({ description: "The calling number." }),
  to: Schema.optionalKey(Text).annotate({ description: "The called number." }),
  data: PbxEventData.annotate({ description: "What belongs to this type of event." })
}).annotate({ identifier: "PbxEvent" })
export type PbxEvent = typeof PbxEvent.Type
