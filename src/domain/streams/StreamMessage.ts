// The messages of a media stream: JSON texts with the member names of Twilio Media Streams, so that agents written for
// them work unchanged (docs/streams.md).
import { type AudioFormat, audioOf } from "./AudioFormat.ts"
import type { StreamTrack } from "./CallStream.ts"

export interface Said {
  readonly role: "user" | "agent" | "system" | "tool"
  readonly text: string
  readonly final: boolean
  /** The number of the turn in the call, from 1. Absent: the next one. */
  readonly turn?: number
}

/** A message of the application. `unknown`: an event that this engine does not know, which is ignored. */
export type ApplicationMessage =
  | { readonly event: "media"; readonly payload: Uint8Array }
  | { readonly event: "mark"; readonly name: string }
  | { readonly event: "clear" | "hangup" | "unknown" }
  | ({ readonly event: "transcript" } & Said)
  /** `document`: the JSON text of voice actions, not checked yet. */
  | { readonly event: "actions"; readonly document: string }

/** Why a message is none. */
export interface MessageFault {
  readonly fault: string
}

/** The largest message. */
export const messageMax_bytes = 1 << 20
const nameMax = 256
const speechMax = 8_000
const turnMax = 1_000_000
export const documentMax = 65_536

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fault = (why: string): MessageFault => ({ fault: why })

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const storable = /^[^\0\p{Surrogate}]*$/u
const roles: ReadonlySet<unknown> = new Set(["user", "agent", "system", "tool"])
const isRole = (value: unknown): value is Said["role"] => roles.has(value)
const isTurn = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= turnMax

const media = ({ media }: Members): ApplicationMessage | MessageFault => {
  const payload = isObject(media) ? media["payload"] : undefined
  if (typeof payload !== "string" || !base64.test(payload)) return fault("media.payload is not base64")
  return { event: "media", payload: Buffer.from(payload, "base64") }
}

const mark = ({ mark }: Members): ApplicationMessage | MessageFault => {
  const name = isObject(mark) ? mark["name"] : undefined
  return typeof name === "string" && name.length <= nameMax
    ? { event: "mark", name }
    : fault(`mark.name is not a text of up to ${nameMax} characters`)
}

const transcript = ({ transcript }: Members): ApplicationMessage | MessageFault => {
  if (!isObject(transcript)) return fault("transcript is not an object")
  const { final = true, role, text, turn } = transcript
  if (!isRole(role)) return fault("transcript.role is none of user, agent, system and tool")
  if (typeof text !== "string" || text.length > speechMax || !storable.test(text))
    return fault(`transcript.text is not a text of up to ${speechMax} characters`)
  if (typeof final !== "boolean") return fault("transcript.final is not a boolean")
  if (turn !== undefined && !isTurn(turn)) return fault(`transcript.turn is not a number from 1 to ${turnMax}`)
  return { event: "transcript", role, text, final, ...(turn !== undefined && { turn }) }
}

const actions = ({ actions }: Members): ApplicationMessage | MessageFault => {
  if (!Array.isArray(actions)) return fault("actions is not a list")
  const document = JSON.stringify({ actions })
  return document.length <= documentMax
    ? { event: "actions", document }
    : fault(`actions has more than ${documentMax} characters`)
}

/** Reads a message of the application. `stream_id`: a message that names another stream is a fault. */
export const parseApplicationMessage = (text: string, stream_id: string): ApplicationMessage | MessageFault => {
  const message = parsed(text)
  if (!isObject(message)) return fault("not a JSON object")
  const { event, streamSid } = message
  if (typeof event !== "string") return fault("event is not a text")
  if (streamSid !== undefined && streamSid !== stream_id) return fault("streamSid is not this stream's")
  switch (event) {
    case "media":
      return media(message)
    case "mark":
      return mark(message)
    case "transcript":
      return transcript(message)
    case "actions":
      return actions(message)
    case "clear":
    case "hangup":
      return { event }
    default:
      return { event: "unknown" }
  }
}

/** What `start` says of a stream. */
export interface StreamIdentity {
  readonly stream_id: string
  readonly call_id: string
  readonly account_id: string
  readonly name: string
  readonly format: AudioFormat
  readonly tracks: ReadonlyArray<StreamTrack>
  readonly parameters: Readonly<Record<string, string>>
}

/** Prints the messages of one stream to its application. They are numbered from 1, except for `connected`. */
export const makeMessagePrinter = ({ account_id, call_id, format, stream_id, ...stream }: StreamIdentity) => {
  let printed = 0
  const next = () => String(++printed)
  const print = (event: string, members: Members): string =>
    JSON.stringify({ event, sequenceNumber: next(), ...members, streamSid: stream_id })
  return {
    connected: () => JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }),
    start: (resumed: boolean) =>
      print("start", {
        start: {
          streamSid: stream_id,
          accountSid: account_id,
          callSid: call_id,
          tracks: stream.tracks,
          mediaFormat: audioOf[format].described,
          customParameters: stream.parameters,
          name: stream.name,
          ...(resumed && { resumed })
        }
      }),
    /** `chunk` counts the frames of a track from 1; `timestamp_ms` is the beginning of the frame within the stream. */
    media: (track: StreamTrack, chunk: number, timestamp_ms: number, payload: Uint8Array) =>
      print("media", {
        media: {
          track,
          chunk: String(chunk),
          timestamp: String(timestamp_ms),
          payload: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString("base64")
        }
      }),
    dtmf: (digit: string) => print("dtmf", { dtmf: { track: "inbound_track", digit } }),
    mark: (name: string) => print("mark", { mark: { name } }),
    stop: () => print("stop", { stop: { accountSid: account_id, callSid: call_id } })
  }
}
