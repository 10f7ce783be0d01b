// Audio of the simulated PBX: 8 kHz, 16 bit, a tone whose volume rises and falls like syllables.
import { wavHeader } from "../../../domain/recordings/Wav.ts"

const rate = 8_000
const samples_a_chunk = 32_768
const syllable_samples = rate / 4
const tones_hz = [220, 330] as const
const loudness = 8_000

const sample = (index: number, tone_hz: number): number =>
  Math.round(
    loudness * Math.sin((Math.PI * index) / syllable_samples) ** 2 * Math.sin((2 * Math.PI * tone_hz * index) / rate)
  )

/** A WAV file in chunks. Each channel has a different tone. */
export function* toneWav(options: { readonly channels: 1 | 2; readonly duration_ms: number }): Generator<Uint8Array> {
  const { channels, duration_ms } = options
  const samples = Math.round((duration_ms * rate) / 1000)
  yield wavHeader({ channels, rate, data_bytes: samples * channels * 2 })
  for (let start = 0; start < samples; start += samples_a_chunk) {
    const count = Math.min(samples_a_chunk, samples - start)
    const bytes = Buffer.allocUnsafe(count * channels * 2)
    for (let index = 0; index < count; index++) {
      for (const [channel, tone_hz] of tones_hz.slice(0, channels).entries())
        bytes.writeInt16LE(sample(start + index, tone_hz), (index * channels + channel) * 2)
    }
    yield bytes
  }
}
