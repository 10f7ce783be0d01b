// The events of Asterisk that the engine uses, with the members that it uses (Asterisk 22, REST Interface, "Events").
import { Schema } from "effect"

const Channel = Schema.Struct({
  id: Schema.String,
  state: Schema.String,
  name: Schema.optionalKey(Schema.String),
  /** Set by the endpoint that the channel came from: its tenant. */
  accountcode: Schema.optionalKey(Schema.String),
  creationtime: Schema.optionalKey(Schema.String),
  caller: Schema.optionalKey(Schema.Struct({ number: Schema.String, name: Schema.String })),
  dialplan: Schema.optionalKey(Schema.Struct({ exten: Schema.String })),
  channelvars: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.String)))
})
export type AriChannel = typeof Channel.Type
export const AriChannels = Schema.Array(Channel)

const of = <const Type extends string, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), timestamp: Schema.String, ...fields })

export const AriEvent = Schema.Union([
  of("ChannelStateChange", { channel: Channel }),
  of("Dial", { peer: Channel, dialstatus: Schema.String }),
  of("StasisStart", { channel: Channel, args: Schema.Array(Schema.String) }),
  of("StasisEnd", { channel: Channel }),
  of("ChannelHangupRequest", {
    channel: Channel,
    soft: Schema.optionalKey(Schema.Boolean),
    cause: Schema.optionalKey(Schema.Int)
  }),
  of("ChannelDestroyed", { channel: Channel, cause: Schema.Int, tech_cause: Schema.optionalKey(Schema.Int) }),
  of("ChannelDtmfReceived", { channel: Channel, digit: Schema.String, duration_ms: Schema.Int }),
  of("ChannelTalkingStarted", { channel: Channel }),
  of("ChannelTalkingFinished", { channel: Channel, duration: Schema.Int }),
  of("ContactStatusChange", {
    endpoint: Schema.Struct({ resource: Schema.String }),
    contact_info: Schema.Struct({ uri: Schema.String, contact_status: Schema.String })
  }),
  of("PlaybackFinished", { playback: Schema.Struct({ id: Schema.String, state: Schema.String }) }),
  of("RecordingFinished", { recording: Schema.Struct({ name: Schema.String }) }),
  of("RecordingFailed", { recording: Schema.Struct({ name: Schema.String, cause: Schema.optionalKey(Schema.String) }) })
])
export type AriEvent = typeof AriEvent.Type
/** The events that name the channel that they are about. */
export type AriChannelEvent = Extract<AriEvent, { readonly channel: AriChannel } | { readonly peer: AriChannel }>

/** Epoch milliseconds. Asterisk leaves out the colon that RFC 3339 has in the offset. */
export const instantOf = (timestamp: string): number => Date.parse(timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
