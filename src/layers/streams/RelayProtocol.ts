// What the thread of the actors and the threads that relay audio send each other.
import type { StreamResult } from "../../domain/streams/CallStream.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import type { MediaSource, RelayedStream, RelayNotice } from "../pbx/MediaRelay.ts"

/** To a thread. */
export type RelayCommand =
  | { readonly kind: "open"; readonly stream: RelayedStream }
  /** Connects again, with headers that are signed now. */
  | {
      readonly kind: "reconnect"
      readonly stream_id: string
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: "attach"; readonly stream_id: string; readonly source: MediaSource }
  | { readonly kind: "joined"; readonly stream_id: string }
  | { readonly kind: "pressed"; readonly stream_id: string; readonly digit: string }
  | {
      readonly kind: "stop"
      readonly stream_id: string
      readonly result: StreamResult
      readonly detail: string | null
    }

/** From a thread. `broken`: the connection is to be made again (`reconnect`). */
export interface RelayReport {
  readonly stream_id: string
  readonly notice: RelayNotice | { readonly kind: "broken" }
}

/** What a thread is started with. */
export interface RelayThreadOptions {
  readonly policy: TargetPolicy
}
