// Combines the files that Asterisk recorded into one WAV file, in pieces: a file of hours never is in memory as a
// whole. It runs in a thread of its own (RecordingThread.ts).
import { wavHeader } from "../../../../domain/recordings/Wav.ts"

/** A file that is being downloaded. */
export interface Download {
  readonly size_bytes: number
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface RecordedFile extends Download {
  readonly duration_ms: number
}

/** Samples a second, 16 bits each. */
const rate = 8_000
/** The header of Asterisk's WAV files always has this size, and so has that of the combined file. */
const header_bytes = 44
/** The bytes of one channel that are processed at a time. */
const piece_bytes = 32 * 1024

export class DownloadTooShort extends Error {}

/** The bytes of whole samples in a file of this size. */
const dataBytes = ({ size_bytes }: Download): number => Math.max(0, size_bytes - header_bytes) & ~1

/** The samples of a file, in pieces of `piece_bytes`; the last may be shorter. */
async function* samplesOf(download: Download): AsyncGenerator<Buffer> {
  let skip = header_bytes
  let missing = dataBytes(download)
  let piece = Buffer.allocUnsafe(piece_bytes)
  let filled = 0
  for await (const chunk of download.bytes) {
    let at = Math.min(skip, chunk.length)
    skip -= at
    while (at < chunk.length && missing > 0) {
      const taken = Math.min(piece_bytes - filled, chunk.length - at, missing)
      piece.set(chunk.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      missing -= taken
      if (filled < piece_bytes) continue
      yield piece
      piece = Buffer.allocUnsafe(piece_bytes)
      filled = 0
    }
  }
  if (missing > 0) throw new DownloadTooShort(`${missing} bytes of the recording are missing.`)
  if (filled > 0) yield piece.subarray(0, filled)
}

/** Interleaves two pieces of 16-bit samples. The shorter one is padded with silence. */
const interleave = (left: Buffer, right: Buffer): Uint8Array => {
  const samples = Math.max(left.length, right.length) >> 1
  const sides = [left, right].map((side) => {
    const padded = new Int16Array(samples)
    new Uint8Array(padded.buffer).set(side)
    return padded
  })
  const both = new Int16Array(samples * 2)
  sides.forEach((side, offset) => side.forEach((sample, index) => (both[index * 2 + offset] = sample)))
  return new Uint8Array(both.buffer)
}

const nothing = Buffer.alloc(0)

async function* interleaved(left: Download, right: Download): AsyncGenerator<Uint8Array> {
  const sides = [samplesOf(left), samplesOf(right)] as const
  try {
    for (;;) {
      const [one, other] = await Promise.all([sides[0].next(), sides[1].next()])
      if (one.done === true && other.done === true) return
      yield interleave(one.done === true ? nothing : one.value, other.done === true ? nothing : other.value)
    }
  } finally {
    await Promise.allSettled(sides.map((side) => side.return(undefined)))
  }
}

async function* withHeader(header: Uint8Array, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield header
  yield* data
}

const channelsOf = (second: Download | undefined): 1 | 2 => (second === undefined ? 1 : 2)

/** The bytes of each channel of the combined file. */
const channelBytes = (first: Download, second?: Download): number =>
  Math.max(dataBytes(first), second === undefined ? 0 : dataBytes(second))

/** The size and the duration of the file that these downloads make. */
export const recordedSize = (first: Download, second?: Download): Pick<RecordedFile, "duration_ms" | "size_bytes"> => {
  const one_bytes = channelBytes(first, second)
  return {
    size_bytes: header_bytes + one_bytes * channelsOf(second),
    duration_ms: Math.round((one_bytes * 1000) / (rate * 2))
  }
}

/**
 * One mono file as it is, or two as the channels of a stereo file. Reading `bytes` reads the downloads. Throws
 * DownloadTooShort if one ends before its size.
 */
export const recordedFile = (first: Download, second?: Download): RecordedFile => {
  const channels = channelsOf(second)
  const header = wavHeader({ channels, rate, data_bytes: channelBytes(first, second) * channels })
  return {
    ...recordedSize(first, second),
    bytes: withHeader(header, second === undefined ? samplesOf(first) : interleaved(first, second))
  }
}
