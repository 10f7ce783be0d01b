// The commands about a session that the engine sends to a PBX (docs/pbx-protocol.md). A command is repeated until it is
// acknowledged, so a gateway remembers the ids it has carried out and answers a repeated id with the acknowledgement
// alone.
import { Schema } from "effect"
import { GivenInstant } from "../GivenInstant.ts"
import { ParticipantSettings } from "../conferences/ParticipantSettings.ts"
import { AudioFormat } from "../streams/AudioFormat.ts"
import { StreamMode, StreamTrack } from "../streams/CallStream.ts"
import { CallNetwork } from "./CallNetwork.ts"
import { ConferenceId, PbxTrunkId, SessionId } from "../BrandedIds.ts"

const Id = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128))

/**
 * The PBX itself ends the talk this long after the answer, because the engine may be down by then. `limit` changes it.
 */
const talk_limit_seconds = Schema.optionalKey(Schema.Int)

/** Sets up a leg to `to`. The gateway reports its progress with events of the same session. */
const Originate = Schema.Struct({
  kind: Schema.Literal("originate"),
  to: Schema.String,
  from: Schema.String,
  caller_id: Schema.String,
  timeout_seconds: Schema.Int,
  /**
   * From this instant on nobody is called any more, because the call is over: the session is reported as absent. The
   * command may come late, from a process that stood still.
   */
  not_after: Schema.optionalKey(GivenInstant),
  talk_limit_seconds,
  /** The session that dialled this one; absent for a call placed by the API. */
  parent_session_id: Schema.optionalKey(SessionId),
  /** Calls all devices that are registered as this user at once. `to` is then for display alone. */
  endpoint: Schema.optionalKey(Schema.String),
  /**
   * Where to send a call to a SIP URI: the address that its host had when it was checked. The gateway resolves no name,
   * and uses no credentials and no identity of a carrier.
   */
  address: Schema.optionalKey(Schema.Struct({ ip: Schema.String, port: Schema.Int })),
  /** The tenant's own trunk to use (`trunk.put`). Absent: the platform's. */
  trunk_id: Schema.optionalKey(PbxTrunkId),
  /** The call goes to a user of the chat app; `trunk_id` is then the trunk of its provider. */
  network: Schema.optionalKey(CallNetwork).annotate({
    description: "The network that the call takes, if it is not the telephone network."
  }),
  /** Shown beside the number where the network shows names. */
  caller_name: Schema.optionalKey(Schema.String),
  /** DTMF digits to send when the leg is answered; `w` waits half a second, `W` one second. */
  send_digits: Schema.optionalKey(Schema.String),
  /**
   * Report with `machine.detected` who has answered. `detect_message_end` reports a machine when its greeting is over.
   */
  machine_detection: Schema.optionalKey(
    Schema.Struct({
      mode: Schema.Literals(["detect", "detect_message_end"]),
      timeout_seconds: Schema.Int
    })
  ),
  /** How the customer wants the legs of one dial to ring; absent if unspecified. The engine enforces it. */
  sequential: Schema.optionalKey(Schema.Boolean),
  first_answer_wins: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether the first answer ends the other legs. Default true."
  }),
  /** Audio to play to the parent session while this one rings. */
  ringback_url: Schema.optionalKey(Schema.String).annotate({
    description: "A sound that the caller hears while a leg rings."
  }),
  sip_headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)).annotate({
    description: "Headers for the legs, `X-…`."
  })
})

/** Whether the call of an `originate` is over, so that nobody is to be called for it. `now`: epoch milliseconds. */
export const isTooLate = ({ not_after }: typeof Originate.Type, now: number): boolean =>
  not_after !== undefined && now >= Date.parse(not_after)

const language = Schema.optionalKey(Schema.String).annotate({ description: "The language, as in BCP 47." })
const loop = Schema.Int.annotate({ description: "How often." })

const Say = Schema.Struct({
  kind: Schema.Literal("say"),
  text: Schema.String.annotate({ description: "What to speak." }),
  voice: Schema.optionalKey(Schema.String).annotate({ description: "The voice, if the PBX has several." }),
  language,
  loop
})

/** Plays an audio file, WAV or MP3. */
const Play = Schema.Struct({ kind: Schema.Literal("play"), url: Schema.String, loop })

/** Collects digits or speech. The first digit or word stops the prompt. Timeouts count from the end of the prompt. */
const Gather = Schema.Struct({
  kind: Schema.Literal("gather"),
  input: Schema.optionalKey(Schema.Array(Schema.Literals(["dtmf", "speech"]))).annotate({
    description: "What to wait for; the first that comes counts. Default `dtmf`."
  }),
  /** The language of the speech, if it is known. */
  language,
  min_digits: Schema.Int.annotate({ description: "Fewer digits are reported as `too_few`." }),
  max_digits: Schema.Int,
  /** It is no part of the entry. */
  finish_on_key: Schema.String.annotate({ description: "This key ends the input; empty: no key does." }),
  /** How long to wait for the first digit. */
  timeout_ms: Schema.Int,
  inter_digit_timeout_ms: Schema.Int,
  prompt: Schema.optionalKey(Schema.Union([Say, Play])).annotate({
    description: "What is played while waiting; the first key ends it."
  })
})

const SendDigits = Schema.Struct({ kind: Schema.Literal("send_digits"), digits: Schema.String })

/** Stops what another command of the session is doing, as if that command had completed. */
const Cut = Schema.Struct({ kind: Schema.Literal("cut"), command_id: Id })

/** `mute`: the peers no longer hear the party. `hold`: the party hears music instead of its peers. */
const Mute = Schema.Struct({ kind: Schema.Literal("mute"), on: Schema.Boolean })
const Hold = Schema.Struct({ kind: Schema.Literal("hold"), on: Schema.Boolean })

/** Connects the audio of the session and its peer until either ends. A session can have several peers at once. */
const Bridge = Schema.Struct({ kind: Schema.Literal("bridge"), peer_session_id: SessionId })

/** Answers an inbound session. Until then its caller hears ringing. */
const Answer = Schema.Struct({ kind: Schema.Literal("answer"), talk_limit_seconds })

/** Changes the longest time that the talk may last, counted from the answer: up or down. */
const Limit = Schema.Struct({
  kind: Schema.Literal("limit"),
  seconds: Schema.Int.annotate({ description: "How long, in seconds." }),
  /** When the session was answered, as the gateway reported it: for a gateway that has lost its memory. */
  answered_at: Schema.optionalKey(GivenInstant)
})

/**
 * Refuses an inbound session with this final SIP response. The announcement is spoken first, as early media without an
 * answer (RFC 3960).
 */
const Reject = Schema.Struct({
  kind: Schema.Literal("reject"),
  sip_code: Schema.Int,
  announcement: Schema.optionalKey(Schema.String)
})

const Hangup = Schema.Struct({ kind: Schema.Literal("hangup"), cause: Schema.String })

/**
 * Records the session into a separate file until `record.stop`, one of the limits, or the end of the session. With
 * `from: "answer"`, recording of an unanswered session starts when it is answered.
 */
const RecordStart = Schema.Struct({
  kind: Schema.Literal("record.start"),
  recording_id: Id.pipe(Schema.brand("RecordingId")),
  /** 2: the first channel has what the party says, the second what it hears. */
  channels: Schema.Literals([1, 2]),
  from: Schema.Literals(["answer", "ringing"]),
  max_seconds: Schema.optionalKey(Schema.Int),
  silence_seconds: Schema.optionalKey(Schema.Int),
  finish_on_key: Schema.optionalKey(Schema.String).annotate({
    description: "This key ends the recording; empty: no key does."
  }),
  beep: Schema.optionalKey(Schema.Boolean)
})

const RecordStop = Schema.Struct({
  kind: Schema.Literal("record.stop"),
  recording_id: Id.pipe(Schema.brand("RecordingId"))
})

/**
 * Connects the session's audio with the application of the customer (docs/streams.md) until `stream.stop`, the time
 * limit or the end of the session. Needs the capability `stream.v1`.
 */
const StreamStart = Schema.Struct({
  kind: Schema.Literal("stream.start"),
  stream_id: Id,
  call_id: Id,
  /** The workspace's id. */
  account_id: Id,
  name: Id,
  url: Schema.String,
  /** `duplex`: the application and the party talk. `fork`: the application only listens. */
  mode: StreamMode,
  tracks: Schema.Array(StreamTrack),
  format: AudioFormat,
  parameters: Schema.Record(Schema.String, Schema.String),
  time_limit_seconds: Schema.Int,
  /** The application was connected before: this is the same stream. */
  resumed: Schema.Boolean,
  /** Headers for the request to the application. Its signature is among them. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** How many streams the tenant may have at once. Beyond it the stream ends with `limit_reached`. */
  tenant_streams: Schema.optionalKey(Schema.Int)
})

const StreamStop = Schema.Struct({ kind: Schema.Literal("stream.stop"), stream_id: Id })

/**
 * Connects the session with all other sessions of the conference, or changes how it takes part. It is in one conference
 * at most: it leaves another one. Needs the capability `conference.v1`.
 */
const ConferenceJoin = Schema.Struct({
  kind: Schema.Literal("conference.join"),
  conference_id: ConferenceId,
  ...ParticipantSettings.fields
})

/** Takes the session out of the conference. A session that is not in it stays as it is. */
const ConferenceLeave = Schema.Struct({ kind: Schema.Literal("conference.leave"), conference_id: ConferenceId })

/** Asks for the state of the session. The reply is `session.snapshot`, also if there is no such session. */
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
  StreamStart,
  StreamStop,
  ConferenceJoin,
  ConferenceLeave,
  Hangup,
  Snapshot
])
export type PbxAction = typeof PbxAction.Type
export type ActionOf<Kind extends PbxAction["kind"]> = Extract<PbxAction, { readonly kind: Kind }>

export const PbxCommand = Schema.Struct({
  /** The same command has the same id, however often it is sent. */
  id: Id.annotate({ description: "The id of the command, which every repetition has." }),
  session_id: Id.pipe(Schema.brand("SessionId")),
  /** The tenant's name on the PBX, under which the PBX keeps credentials and limits. */
  tenant_pbx_id: Id,
  /** Order of the commands of one session, from 1. */
  seq: Schema.Int.annotate({ description: "The position among the commands of the session, from 1." }),
  action: PbxAction
}).annotate({ identifier: "PbxCommand" })
export type PbxCommand = typeof PbxCommand.Type
