// A simulated phone: it speaks a tone for a second, and from then on echoes what it hears.
import { type AudioFormat, audioOf, frame_ms } from "../../domain/streams/AudioFormat.ts"
import type { StreamTrack } from "../../domain/streams/CallStream.ts"
import type { PbxMedia, PbxMediaEvents } from "./PbxMedia.ts"
import { toneFrame } from "./Tone.ts"

const tone_hz = 440
const speaks_frames = 50

export const connectTonePhone = (
  {
    format,
    now,
    tracks
  }: {
    readonly format: AudioFormat
    readonly tracks: ReadonlyArray<StreamTrack>
    readonly now: () => number
  },
  events: PbxMediaEvents
): PbxMedia => {
  const { frame_bytes, silence } = audioOf[format]
  const quiet = new Uint8Array(frame_bytes).fill(silence)
  let queue: Array<Uint8Array | string> = []
  let spoken = 0
  let due = now() + frame_ms

  /** The frame that is due for the phone. Marks before it have been reached. */
  const hear = (): Uint8Array => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (typeof next !== "string") return next
      events.marked(next)
    }
    return quiet
  }
  const pass = () => {
    const heard = hear()
    const says = spoken < speaks_frames ? toneFrame(format, tone_hz, spoken) : heard
    spoken++
    for (const track of tracks) events.heard(track, track === "inbound" ? says : heard)
  }
  const timer = setInterval(() => {
    for (; now() >= due; due += frame_ms) pass()
  }, frame_ms)
  queueMicrotask(events.opened)
  return {
    play: (frame) => queue.push(frame),
    mark: (id) => queue.push(id),
    flush: () => (queue = []),
    close: () => clearInterval(timer)
  }
}
