// The relay between a PBX's audio and the applications of customers, as gateways use it. Its implementation runs
// outside of the thread of the actors (layers/streams).
import type { AudioFormat } from "../../domain/streams/AudioFormat.ts"
import type { StreamResult, StreamTrack } from "../../domain/streams/CallStream.ts"
import type { Said } from "../../domain/streams/StreamMessage.ts"

/** What to relay, and to where. */
export interface RelayedStream {
  readonly stream_id: string
  readonly call_id: string
  readonly account_id: string
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly mode: "duplex" | "fork"
  readonly tracks: ReadonlyArray<StreamTrack>
  readonly format: AudioFormat
  readonly parameters: Readonly<Record<string, string>>
  readonly time_limit_seconds: number
  /** How many streams the workspace may have at once. */
  readonly tenant_streams: number
  /** Whether the application was connected before. */
  readonly resumed: boolean
}

/**
 * Where the audio of the phone comes from. `asterisk`: one media socket for each track; of a duplex stream the first
 * also takes what the application says. `phone`: a simulated phone, which speaks a tone and echoes what it hears.
 */
export type MediaSource =
  | {
      readonly kind: "asterisk"
      readonly sockets: ReadonlyArray<{ readonly track: StreamTrack; readonly url: string }>
    }
  | { readonly kind: "phone" }

/**
 * What happens to a stream. `connected`: the application has answered; the PBX is to provide the audio (`attach`).
 * `started`: audio flows. `ended` is the last one.
 */
export type RelayNotice =
  | { readonly kind: "connected" | "started" | "hangup" }
  | { readonly kind: "ended"; readonly result: StreamResult; readonly detail: string | null }
  /** `document`: valid voice actions. */
  | { readonly kind: "actions"; readonly document: string }
  | ({ readonly kind: "said" } & Required<Said>)

export interface MediaRelay {
  /** Connects the application. `told` gets what happens, in order. */
  readonly open: (stream: RelayedStream, told: (notice: RelayNotice) => void) => void
  readonly attach: (stream_id: string, source: MediaSource) => void
  /** The source is connected with the phone: from now on it hears what the application says. */
  readonly joined: (stream_id: string) => void
  readonly pressed: (stream_id: string, digit: string) => void
  /** Ends the stream with this result. */
  readonly stop: (stream_id: string, result: StreamResult, detail: string | null) => void
}
