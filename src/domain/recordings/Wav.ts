// The header of a WAV file (RIFF; "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft
// 1991).
import { Result } from "effect"

/** How much of a file to read for its header. Only unusually long comments make a header longer. */
export const wav_head_bytes = 4096

export interface Wav {
  readonly channels: number
  readonly duration_ms: number
}

export type WavFault = "not_wav" | "header_mismatch" | "empty"

const text = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

interface Chunks {
  readonly channels: number
  readonly bytes_per_second: number
  readonly data_at: number
  readonly data_bytes: number
}

const chunksOf = (view: DataView): Chunks | undefined => {
  if (view.byteLength < 12 || text(view, 0) !== "RIFF" || text(view, 8) !== "WAVE") return undefined
  let format: Pick<Chunks, "channels" | "bytes_per_second"> | undefined
  for (let at = 12; at + 8 <= view.byteLength;) {
    const bytes = view.getUint32(at + 4, true)
    const id = text(view, at)
    if (id === "data") return format && { ...format, data_at: at + 8, data_bytes: bytes }
    if (id === "fmt " && bytes >= 16 && at + 24 <= view.byteLength) {
      format = { channels: view.getUint16(at + 10, true), bytes_per_second: view.getUint32(at + 16, true) }
    }
    // Chunks begin at even offsets.
    at += 8 + bytes + (bytes % 2)
  }
  return undefined
}

/**
 * Reads channels and duration from the head of a file of `size_bytes`. A file that is shorter or longer than its header
 * says is incomplete, or still being written.
 */
export const wavOf = (head: Uint8Array, size_bytes: number): Result.Result<Wav, WavFault> => {
  const chunks = chunksOf(new DataView(head.buffer, head.byteOffset, head.byteLength))
  if (chunks === undefined || chunks.channels === 0 || chunks.bytes_per_second === 0) return Result.fail("not_wav")
  const { bytes_per_second, channels, data_at, data_bytes } = chunks
  if (data_bytes === 0) return Result.fail("empty")
  const padded = data_at + data_bytes + (data_bytes % 2)
  if (size_bytes !== data_at + data_bytes && size_bytes !== padded) return Result.fail("header_mismatch")
  return Result.succeed({ channels, duration_ms: Math.round((data_bytes * 1000) / bytes_per_second) })
}

/** The header of a file with 16-bit PCM samples. */
export const wavHeader = (options: {
  readonly channels: 1 | 2
  readonly rate: number
  readonly data_bytes: number
}): Uint8Array => {
  const { channels, data_bytes, rate } = options
  const bytes = new Uint8Array(44)
  const view = new DataView(bytes.buffer)
  const put = (at: number, word: string) =>
    [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)))
  put(0, "RIFF")
  view.setUint32(4, 36 + data_bytes, true)
  put(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * channels * 2, true)
  view.setUint16(32, channels * 2, true)
  view.setUint16(34, 16, true)
  put(36, "data")
  view.setUint32(40, data_bytes, true)
  return bytes
}
