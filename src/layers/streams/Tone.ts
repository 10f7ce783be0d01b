// Frames of a tone, for simulated phones.
import { type AudioFormat, audioOf } from "../../domain/streams/AudioFormat.ts"

const amplitude = 8_000

/** Encodes a 16-bit sample as µ-law (ITU-T G.711). */
const muLaw = (sample: number): number => {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
}

/** The `nth` frame of 20 ms of a continuous tone. */
export const toneFrame = (format: AudioFormat, hz: number, nth: number): Uint8Array => {
  const { described, frame_bytes } = audioOf[format]
  const frame = Buffer.alloc(frame_bytes)
  const samples = described.sampleRate / 50
  for (let index = 0; index < samples; index++) {
    const at = nth * samples + index
    const sample = Math.round(amplitude * Math.sin((2 * Math.PI * hz * at) / described.sampleRate))
    if (format === "mulaw-8000") frame[index] = muLaw(sample)
    else frame.writeInt16LE(sample, index * 2)
  }
  return frame
}
