// Audio of the simulated PBX: 8 kHz, 16 bit, a tone whose volume rises and falls like syllables.
import { wavHeader } from "../../../domain/recordings/Wav.ts"

const rate = 8_000
const syllable_samples = rate / 4
const tones_hz = [220, 330] as const
const loudness = 8_000
const seconds_a_chunk = 4

const sample = (index: number, tone_hz: number): number =>
  Math.round(
    loudness * Math.sin((Math.PI * index) / syllable_samples) ** 2 * Math.sin((2 * Math.PI * tone_hz * index) / rate)
  )

/** Tones and syllables repeat every second, so a chunk is made once and sent again and again. */
const makeChunk = (channels: 1 | 2): Buffer => {
  const bytes = Buffer.allocUnsafe(rate * channels * 2)
  for (let index = 0; index < rate; index++) {
    for (const [channel, tone_hz] of tones_hz.slice(0, channels).entries())
      bytes.writeInt16LE(sample(index, tone_hz), (index * channels + channel) * 2)
  }
  return Buffer.concat(Array.from({ length: seconds_a_chunk }, () => bytes))
}

const made = new Map<1 | 2, Buffer>()
const chunkOf = (channels: 1 | 2): Buffer => {
  const chunk = made.get(channels) ?? makeChunk(channels)
  made.set(channels, chunk)
  return chunk
}

/** A WAV file in chunks. Each channel has a different tone. Whoever reads it must not write into the chunks. */
export function* toneWav(options: { readonly channels: 1 | 2; readonly duration_ms: number }): Generator<Uint8Array> {
  const { channels, duration_ms } = options
  let left_bytes = Math.round((duration_ms * rate) / 1000) * channels * 2
  yield wavHeader({ channels, rate, data_bytes: left_bytes })
  const chunk = chunkOf(channels)
  for (; left_bytes > 0; left_bytes -= Math.min(left_bytes, chunk.length)) yield chunk.subarray(0, left_bytes)
}
