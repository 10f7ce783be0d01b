// What the PBX left behind, and whether it is what the PBX said.
import { Result, Schema } from "effect"
import type { Wav, WavFault } from "./Wav.ts"

/** What the PBX says of a file that it has finished; null: it does not say. */
export const FinishedAudio = Schema.Struct({
  object_key: Schema.String,
  size_bytes: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String)
})
export type FinishedAudio = typeof FinishedAudio.Type

/** A clock of the PBX and the samples that it wrote differ by so much at most, or by one in a hundred. */
const tolerance_ms = 1_000

export type AudioFault =
  | WavFault
  | "bad_key"
  | "missing"
  | "size_mismatch"
  | "channels_mismatch"
  | "duration_mismatch"
  | "sha256_mismatch"

/** What can be seen before the audio is copied. */
export const audioFault = (
  said: FinishedAudio,
  wanted: { readonly channels: 1 | 2 },
  found: { readonly size_bytes: number; readonly wav: Result.Result<Wav, WavFault> }
): AudioFault | undefined => {
  if (said.size_bytes !== null && said.size_bytes !== found.size_bytes) return "size_mismatch"
  if (Result.isFailure(found.wav)) return found.wav.failure
  const { channels, duration_ms } = found.wav.success
  if (channels !== wanted.channels) return "channels_mismatch"
  const allowed = Math.max(tolerance_ms, duration_ms / 100)
  if (said.duration_ms !== null && Math.abs(said.duration_ms - duration_ms) > allowed) return "duration_mismatch"
  return undefined
}

/** And after it was. */
export const copyFault = (said: FinishedAudio, copied: { readonly sha256: string }): AudioFault | undefined =>
  said.sha256 !== null && said.sha256.toLowerCase() !== copied.sha256 ? "sha256_mismatch" : undefined

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** The folders and the name under which a PBX left a file; undefined where a key could lead anywhere else. */
export const spoolPath = (object_key: string): ReadonlyArray<string> | undefined => {
  const parts = object_key.split("/")
  return object_key.length <= 256 && parts.length <= 8 && parts.every((name) => part.test(name)) ? parts : undefined
}
