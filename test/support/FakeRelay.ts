// A relay of media streams that a test plays: it records what it is asked for, and tells what the test says.
import type { MediaRelay, MediaSource, RelayedStream, RelayNotice } from "../../src/layers/pbx/MediaRelay.ts"

export class FakeRelay {
  readonly opened: Array<RelayedStream> = []
  readonly attached: Array<readonly [stream_id: string, source: MediaSource]> = []
  readonly pressed: Array<string> = []
  private readonly listeners = new Map<string, (notice: RelayNotice) => void>()

  /** Tells the gateway what happens to a stream. */
  tell(stream_id: string, notice: RelayNotice): void {
    const told = this.listeners.get(stream_id)
    if (notice.kind === "ended") this.listeners.delete(stream_id)
    told?.(notice)
  }

  get live(): ReadonlyArray<string> {
    return [...this.listeners.keys()]
  }

  readonly port: MediaRelay = {
    open: (stream, told) => {
      this.opened.push(stream)
      this.listeners.set(stream.stream_id, told)
    },
    attach: (stream_id, source) => void this.attached.push([stream_id, source]),
    joined: () => {},
    pressed: (_stream_id, digit) => void this.pressed.push(digit),
    stop: (stream_id, result, detail) => this.tell(stream_id, { kind: "ended", result, detail })
  }
}
