// What an audio file says of itself, read before any program converts it: a small file can unfold to hours of audio.
// WAV: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft 1991. MP3: ISO/IEC 11172-3.
import { Result } from "effect"
import type { SoundError } from "./SoundError.ts"

/** The largest file that is fetched. */
export const soundFileMax_bytes = 20 * 1024 * 1024
/** The longest sound that is played. */
export const soundMax_seconds = 600
/** A file that makes its reader search longer is refused: the thread that reads it has more to do. */
const chunksMax = 1_000
const strayMax_bytes = 64 * 1024
const rates_hz = { min: 4_000, max: 192_000 }
const channelsMax = 2

export interface AudioFile {
  readonly type: "wav" | "mp3"
  readonly channels: number
  readonly rate_hz: number
  readonly duration_seconds: number
}

export interface AudioFault {
  readonly error: Extract<SoundError, "sound_unsupported" | "sound_too_long">
  readonly reason: string
}

const latin = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const pcm = 1
const extensible = 0xfffe
/** Bits of one sample, by the number of the encoding; `undefined`: the header says it. */
const sampleBits: ReadonlyMap<number, number | undefined> = new Map([
  [pcm, undefined],
  // Microsoft's ADPCM and that of the IMA: at least 4 bits, with the overhead of their blocks.
  [2, 4],
  [0x11, 4],
  // Samples in floating point
  [3, undefined],
  // A-law and µ-law
  [6, 8],
  [7, 8],
  // GSM 06.10: 320 samples in 65 bytes
  [0x31, (65 * 8) / 320]
])

interface WavFormat {
  readonly encoding: number
  readonly channels: number
  readonly rate_hz: number
  readonly bits: number
}

const wavFormat = (view: DataView, at: number, length: number): WavFormat => {
  const encoding = view.getUint16(at, true)
  return {
    // The first two bytes of the sub-format are the encoding.
    encoding: encoding === extensible && length >= 26 ? view.getUint16(at + 24, true) : encoding,
    channels: view.getUint16(at + 2, true),
    rate_hz: view.getUint32(at + 4, true),
    bits: view.getUint16(at + 14, true)
  }
}

const wavOf = (bytes: Uint8Array): AudioFile | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let format: WavFormat | undefined
  let chunks = 0
  for (let at = 12; at + 8 <= bytes.length && chunks < chunksMax; chunks++) {
    const length = view.getUint32(at + 4, true)
    const id = latin(bytes, at, 4)
    if (id === "fmt " && length >= 16 && at + 8 + length <= bytes.length) format = wavFormat(view, at + 8, length)
    if (id === "data") {
      const bits = format && sampleBits.has(format.encoding) ? (sampleBits.get(format.encoding) ?? format.bits) : 0
      if (format === undefined || bits === 0) return undefined
      // A file that was written as a stream has no length, or the largest; then the data go to the end of the file.
      const rest = bytes.length - at - 8
      const data_bytes = length === 0 ? rest : Math.min(length, rest)
      const { channels, rate_hz } = format
      return { type: "wav", channels, rate_hz, duration_seconds: (data_bytes * 8) / (bits * channels * rate_hz) }
    }
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** kbit/s by the index in the header, from 1 to 14. */
const bitrates = {
  first: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  second: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  third: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low_first: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
} as const
const mpegRates_hz = [44_100, 48_000, 32_000] as const

interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly rate_hz: number
  readonly channels: number
}

const frameAt = (file: Uint8Array, at: number): Frame | undefined => {
  if (file[at] !== 0xff) return undefined
  const two = file[at + 1] ?? 0
  const three = file[at + 2] ?? 0
  const four = file[at + 3] ?? 0
  if ((two & 0xe0) !== 0xe0) return undefined
  // 0: MPEG 2.5, 2: MPEG 2, 3: MPEG 1. 1 is reserved.
  const version = (two >> 3) & 3
  const layer = 4 - ((two >> 1) & 3)
  const base_hz = mpegRates_hz[(three >> 2) & 3]
  if (version === 1 || layer === 4 || base_hz === undefined) return undefined
  const low = version !== 3
  const table = low
    ? layer === 1
      ? bitrates.low_first
      : bitrates.low
    : ([bitrates.first, bitrates.second, bitrates.third] as const)[layer - 1]
  const kbps = table?.[three >> 4] ?? 0
  if (kbps === 0) return undefined
  const rate_hz = base_hz >> (version === 3 ? 0 : version === 2 ? 1 : 2)
  const samples = layer === 1 ? 384 : layer === 3 && low ? 576 : 1152
  const padding = (three >> 1) & 1
  const bytes =
    layer === 1
      ? (Math.floor((12_000 * kbps) / rate_hz) + padding) * 4
      : Math.floor((samples * 125 * kbps) / rate_hz) + padding
  return { bytes, samples, rate_hz, channels: four >> 6 === 3 ? 1 : 2 }
}

/** The size of the tag (ID3v2) at the beginning of the file. */
const tag_bytes = (file: Uint8Array): number => {
  if (file.length < 10 || latin(file, 0, 3) !== "ID3") return 0
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = file.subarray(5, 10)
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127) + (flags & 0x10 ? 10 : 0)
}

/**
 * Counts all frames: what the first one says about the length of the file may be wrong. Stops when the file is too
 * long. Not an MP3 file is one in which too many bytes altogether are of no frame.
 */
const mp3Of = (file: Uint8Array): AudioFile | undefined => {
  let first: Frame | undefined
  let duration_seconds = 0
  let stray_bytes = 0
  for (let at = tag_bytes(file); at + 4 <= file.length && duration_seconds <= soundMax_seconds;) {
    const frame = frameAt(file, at)
    const next = frame && at + frame.bytes
    if (
      frame === undefined ||
      next === undefined ||
      (first === undefined && next < file.length && !frameAt(file, next))
    ) {
      if (++stray_bytes > strayMax_bytes) return undefined
      at++
      continue
    }
    first ??= frame
    duration_seconds += frame.samples / frame.rate_hz
    at = next
  }
  return first && { type: "mp3", channels: first.channels, rate_hz: first.rate_hz, duration_seconds }
}

const unsupported = (reason: string) => Result.fail<AudioFault>({ error: "sound_unsupported", reason })

/** Reads a WAV or MP3 file. Refuses what must not be converted. */
export const audioOf = (bytes: Uint8Array): Result.Result<AudioFile, AudioFault> => {
  const isWav = bytes.length >= 12 && latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 4) === "WAVE"
  const audio = isWav ? wavOf(bytes) : mp3Of(bytes)
  if (audio === undefined) return unsupported("The file is neither WAV in a known encoding nor MP3.")
  const { channels, duration_seconds, rate_hz } = audio
  if (channels < 1 || channels > channelsMax) return unsupported(`The file has ${channels} channels instead of 1 or 2.`)
  if (rate_hz < rates_hz.min || rate_hz > rates_hz.max)
    return unsupported(`The sample rate ${rate_hz} Hz is not from ${rates_hz.min} to ${rates_hz.max} Hz.`)
  if (duration_seconds > soundMax_seconds)
    return Result.fail({
      error: "sound_too_long",
      reason: `The file lasts longer than ${soundMax_seconds} seconds.`
    })
  return Result.succeed(audio)
}
