// Frames of a tone, for simulated phones.
import { muLawOf } from "../../domain/sounds/MuLaw.ts"
import { type AudioFormat, audioOf } from "../../domain/streams/AudioFormat.ts"

const amplitude = 8_000

/** The `nth` frame of 20 ms of a continuous tone. */
export const toneFrame = (format: AudioFormat, hz: number, nth: number): Uint8Array => {
  const { described, frame_bytes } = audioOf[format]
  const frame = Buffer.alloc(frame_bytes)
  const samples = described.sampleRate / 50
  for (let index = 0; index < samples; index++) {
    const at = nth * samples + index
    const sample = Math.round(amplitude * Math.sin((2 * Math.PI * hz * at) / described.sampleRate))
    if (format === "mulaw-8000") frame[index] = muLawOf(sample)
    else frame.writeInt16LE(sample, index * 2)
  }
  return frame
}
