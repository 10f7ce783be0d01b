// The audio of a media stream: frames of 20 ms.
import { Schema } from "effect"

/** `mulaw-8000`: G.711 µ-law, 8 kHz. `l16-16000`: 16 bit, little-endian, 16 kHz. Both with one channel. */
export const AudioFormat = Schema.Literals(["mulaw-8000", "l16-16000"]).annotate({
  description: "The encoding of the audio, and its samples a second."
})
export type AudioFormat = typeof AudioFormat.Type

export const frame_ms = 20

interface Audio {
  readonly frame_bytes: number
  /** Each byte of silence. */
  readonly silence: number
  /** As `start` describes it to the application. */
  readonly described: { readonly encoding: string; readonly sampleRate: number; readonly channels: number }
}

export const audioOf: Readonly<Record<AudioFormat, Audio>> = {
  "mulaw-8000": {
    frame_bytes: 160,
    silence: 0xff,
    described: { encoding: "audio/x-mulaw", sampleRate: 8_000, channels: 1 }
  },
  "l16-16000": {
    frame_bytes: 640,
    silence: 0,
    described: { encoding: "audio/l16", sampleRate: 16_000, channels: 1 }
  }
}
