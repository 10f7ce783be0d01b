// The media streams of a test's calls. Every application answers at once; what it is sent and says has no sound.
import type { StreamResult, StreamTrack } from "../domain/streams/CallStream.ts"
import type { MediaRelay, RelayedStream, RelayNotice } from "../layers/pbx/MediaRelay.ts"

/** A stream that the PBX has opened to the application. */
export interface TestStream {
  readonly stream_id: string
  readonly call_id: string
  readonly name: string
  readonly url: string
  readonly mode: "duplex" | "fork"
  readonly tracks: ReadonlyArray<StreamTrack>
  readonly parameters: Readonly<Record<string, string>>
  /** The keys that the party has pressed during the stream. */
  readonly pressed: string
  readonly isOpen: boolean
  /** The application closes its connection. */
  readonly close: () => void
  /** The application sends what was said, as a turn of the transcript. */
  readonly says: (role: "agent" | "user", text: string) => void
}

interface Opened {
  readonly stream: RelayedStream
  readonly told: (notice: RelayNotice) => void
  pressed: string
  turns: number
  isOpen: boolean
}

export class TestStreams {
  private readonly opened = new Map<string, Opened>()

  readonly relay: MediaRelay = {
    open: (stream, told) => {
      this.opened.set(stream.stream_id, { stream, told, pressed: "", turns: 0, isOpen: true })
      told({ kind: "connected" })
    },
    attach: (stream_id) => this.opened.get(stream_id)?.told({ kind: "started" }),
    joined: () => {},
    pressed: (stream_id, digit) => {
      const opened = this.opened.get(stream_id)
      if (opened !== undefined) opened.pressed += digit
    },
    stop: (stream_id, result, detail) => this.end(stream_id, result, detail)
  }

  /** All streams, in the order in which they were opened. */
  get all(): ReadonlyArray<TestStream> {
    return [...this.opened.values()].map((opened): TestStream => {
      const { stream, told } = opened
      const { call_id, mode, name, parameters, stream_id, tracks, url } = stream
      return {
        stream_id,
        call_id,
        name,
        url,
        mode,
        tracks,
        parameters,
        pressed: opened.pressed,
        isOpen: opened.isOpen,
        close: () => this.end(stream_id, "remote_closed", null),
        says: (role, text) => {
          if (opened.isOpen) told({ kind: "said", final: true, role, text, turn: ++opened.turns })
        }
      }
    })
  }

  private end(stream_id: string, result: StreamResult, detail: string | null): void {
    const opened = this.opened.get(stream_id)
    if (opened === undefined || !opened.isOpen) return
    opened.isOpen = false
    opened.told({ kind: "ended", result, detail })
  }
}
