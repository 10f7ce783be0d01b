// A media stream of a call: its audio over a WebSocket of the customer (docs/streams.md). Its members are stored with
// the call, so they keep their spelling.
import { Schema } from "effect"
import type { CallId } from "../BrandedIds.ts"
import { between, HttpUrl, matching, Text } from "../kit/CallFields.ts"
import { Count, FiniteMs, optional, orNull } from "../kit/Fields.ts"
import { budgets } from "../limits/Budgets.ts"
import { AudioFormat } from "./AudioFormat.ts"

/**
 * How a stream ended. `completed`: by the call, by `stop_stream` or by new actions. `remote_closed`: by the
 * application, or its connection was lost. `connect_failed`: the application could not be reached. `protocol_error`:
 * it sent something else than messages of a stream. `too_slow`: it did not read. `limit_reached`: the workspace or the
 * call has too many streams, or its transcript too many turns. `media_failed`: the PBX could not provide the audio.
 * `engine_restarted`: the process that relayed the audio has ended. `unreported`: the PBX did not report the end in
 * time.
 */
export const StreamResult = Schema.Literals([
  "completed",
  "remote_closed",
  "connect_failed",
  "protocol_error",
  "too_slow",
  "time_limit",
  "limit_reached",
  "media_failed",
  "engine_restarted",
  "unreported"
])
export type StreamResult = typeof StreamResult.Type

/** `duplex`: the application talks with the party. `fork`: it only listens. */
export const StreamMode = Schema.Literals(["duplex", "fork"]).annotate({
  description: "Whether the application talks with the party (`duplex`) or only listens (`fork`)."
})

/** `inbound`: what the party says. `outbound`: what it hears. */
export const StreamTrack = Schema.Literals(["inbound", "outbound"])
export type StreamTrack = typeof StreamTrack.Type

export const maxStream_seconds = 14_400

/** The payload of the action `stream`. */
export const StreamAction = Schema.Struct({
  url: matching(/^wss?:\/\/[^\s/]/u, 2048),
  mode: optional(StreamMode),
  track: optional(Schema.Literals(["inbound", "outbound", "both"])),
  format: optional(AudioFormat),
  name: optional(Text(64)),
  parameters: optional(
    Schema.Record(matching(/^[A-Za-z0-9_.-]+$/u, 64), Schema.String.check(Schema.isMaxLength(512))).check(
      Schema.isMaxProperties(16)
    )
  ),
  action_url: optional(HttpUrl),
  time_limit: optional(between(1, maxStream_seconds))
}).annotate({ description: "Connects the audio with an application over a WebSocket." })
export type StreamAction = typeof StreamAction.Type

/** The payload of the action `stop_stream`. Without a name it stops every stream of the call. */
export const StopStreamAction = Schema.Struct({ name: optional(Text(64)) }).annotate({
  description: "Stops streams of the call."
})

/** How a stream ended. */
const StreamEnd = Schema.Struct({ at: FiniteMs, result: StreamResult, detail: orNull(Schema.String) })
export type StreamEnd = typeof StreamEnd.Type

export const CallStream = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** The step of the script that began it. */
  step: Count,
  since: FiniteMs,
  action: StreamAction,
  /** When the application was connected. */
  started_at: orNull(FiniteMs),
  /** Since when it is to stop. */
  stopping_since: orNull(FiniteMs),
  end: orNull(StreamEnd)
})
export type CallStream = typeof CallStream.Type

export const modeOf = ({ action }: Pick<CallStream, "action">): "duplex" | "fork" => action.mode ?? "duplex"

/** The tracks that the application is sent. In a duplex stream the application knows what it says itself. */
export const tracksOf = ({ mode = "duplex", track = "both" }: StreamAction): ReadonlyArray<StreamTrack> =>
  mode === "duplex" ? ["inbound"] : track === "both" ? ["inbound", "outbound"] : [track]

export const isOpen = ({ end }: CallStream): boolean => end === null

/** How many streams of one call may be open at once. */
export const openStreamsMax = budgets.open_streams.limit
/** How many streams a call remembers. */
const remembered = 20

/** The id of the stream that a step of the script begins: a stream that is requested twice is one. */
export const streamIdOf = (call_id: CallId, step: number): string => `ST_${call_id.replaceAll("-", "")}_${step}`

/** Begins a stream. If too many are open, it has ended already. */
export const beginStream = (
  call_id: CallId,
  streams: ReadonlyArray<CallStream>,
  action: StreamAction,
  { at, step }: { readonly at: number; readonly step: number }
): ReadonlyArray<CallStream> => {
  const id = streamIdOf(call_id, step)
  const end: StreamEnd | null =
    streams.filter(isOpen).length < openStreamsMax
      ? null
      : { at, result: "limit_reached", detail: `A call may have ${openStreamsMax} streams at once.` }
  const stream = { id, name: action.name ?? id, step, since: at, action, started_at: null, stopping_since: null, end }
  const kept = streams.filter((each, index) => isOpen(each) || index >= streams.length - remembered)
  return [...kept, stream]
}

export type StreamEvent =
  | { readonly _tag: "StreamStarted"; readonly at: number; readonly stream_id: string }
  /** The stream is to stop: `stop_stream`, or new actions in place of a duplex stream. */
  | { readonly _tag: "StreamStopped"; readonly at: number; readonly stream_id: string }
  | ({ readonly _tag: "StreamEnded"; readonly stream_id: string } & StreamEnd)

const evolveStream = (stream: CallStream, event: StreamEvent): CallStream => {
  switch (event._tag) {
    case "StreamStarted":
      return { ...stream, started_at: stream.started_at ?? event.at }
    case "StreamStopped":
      return { ...stream, stopping_since: stream.stopping_since ?? event.at }
    case "StreamEnded":
      return { ...stream, end: { at: event.at, result: event.result, detail: event.detail } }
  }
}

export const evolveStreams = (streams: ReadonlyArray<CallStream> = [], event: StreamEvent): ReadonlyArray<CallStream> =>
  streams.map((stream) => (stream.id === event.stream_id && isOpen(stream) ? evolveStream(stream, event) : stream))

/** Stops the open streams of this name; all if there is no name. */
export const stopStreams = (
  streams: ReadonlyArray<CallStream> = [],
  name: string | undefined,
  at: number
): ReadonlyArray<StreamEvent> =>
  streams
    .filter((stream) => isOpen(stream) && stream.stopping_since === null)
    .filter((stream) => name === undefined || stream.name === name)
    .map(({ id }) => ({ _tag: "StreamStopped", at, stream_id: id }))

/** Whole seconds that the application was connected. */
export const streamed_seconds = ({ end, started_at }: CallStream): number =>
  started_at === null || end === null ? 0 : Math.ceil(Math.max(0, end.at - started_at) / 1000)

/** What `action_url` is told, and the timeline. */
export const streamResult = (stream: CallStream) => {
  const { detail = null, result = "completed" } = stream.end ?? {}
  return {
    status: result,
    stream_id: stream.id,
    name: stream.name,
    duration_seconds: streamed_seconds(stream),
    ...(detail !== null && { detail })
  }
}
