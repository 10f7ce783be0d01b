import type { StreamTrack } from "../../domain/streams/CallStream.ts"

/** The side of the phone, as a relay uses it. */
export interface PbxMedia {
  /** Queues a whole frame. */
  readonly play: (frame: Uint8Array) => void
  /** Asks to be told when everything queued before has been played. */
  readonly mark: (id: string) => void
  /** Drops all that is queued. */
  readonly flush: () => void
  readonly close: () => void
}

/** What the side of the phone tells the relay. */
export interface PbxMediaEvents {
  readonly opened: () => void
  readonly heard: (track: StreamTrack, frame: Uint8Array) => void
  readonly marked: (id: string) => void
  /** The audio is lost. */
  readonly ended: () => void
}
