// What the thread of the actors and the threads that relay audio send each other.
import type { StreamResult } from "../../domain/streams/CallStream.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import type { MediaSource, RelayedStream, RelayNotice } from "../pbx/MediaRelay.ts"

/** To a thread. */
export type RelayCommand =
  | { readonly kind: "open"; readonly stream: RelayedStream }
  | { readonly kind: "attach"; readonly stream_id: string; readonly source: MediaSource }
  | { readonly kind: "joined"; readonly stream_id: string }
  | { readonly kind: "pressed"; readonly stream_id: string; readonly digit: string }
  | {
      readonly kind: "stop"
      readonly stream_id: string
      readonly result: StreamResult
      readonly detail: string | null
    }

/** From a thread. */
export interface RelayReport {
  readonly stream_id: string
  readonly notice: RelayNotice
}

/** What a thread is started with. */
export interface RelayThreadOptions {
  readonly policy: TargetPolicy
}
